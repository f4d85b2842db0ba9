const HEIGHT = 12
const WIDTH = 240

/** Pods as lengths on one scale; the line is how many belong here. The figures beside it say the same. */
export function SubsetBar({
  current,
  desired,
  scale,
}: {
  current: number
  desired: number | undefined
  scale: number
}) {
  const at = (count: number) => (count / scale) * (WIDTH - 2)
  return (
    <svg aria-hidden="true" viewBox={`0 0 ${WIDTH} 20`} width={WIDTH} height={20} className="block">
      <line x1="0" x2={WIDTH} y1="10" y2="10" className="stroke-line" strokeWidth="1" />
      <rect x="0" y={4} width={at(current)} height={HEIGHT} className="fill-amount-3" />
      <rect x="0" y={4} width={at(Math.min(current, desired ?? current))} height={HEIGHT} className="fill-amount-6" />
      {desired !== undefined && (
        <line x1={at(desired) + 1} x2={at(desired) + 1} y1="1" y2="19" strokeWidth="2" className="stroke-ink" />
      )}
    </svg>
  )
}
