/**
 * Shows a share of a whole: solid the safe part, hatched the lost part. Decorative: the figures beside it contain the
 * same.
 */
export function ShareBar({ part, whole }: { part: number; whole: number }) {
  const width = whole === 0 ? 0 : (part / whole) * 100
  return (
    <div className="flex h-2 bg-sunken" aria-hidden="true">
      <span className="bg-amount-5" style={{ width: `${width}%` }} />
      {part < whole && <span className="hatch-lost min-w-1 grow" />}
    </div>
  )
}
