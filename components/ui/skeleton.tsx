/** Rows of the height that the list will have, so that nothing jumps when it arrives. */
export function SkeletonRows({ rows = 12, label }: { rows?: number; label: string }) {
  return (
    <output aria-label={label} className="block px-6 py-2" data-testid="skeleton">
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} aria-hidden="true" className="flex h-7 items-center gap-6 border-b border-line">
          <span className="h-2 rounded-control bg-sunken" style={{ width: `${12 + ((index * 7) % 11)}%` }} />
          <span className="h-2 w-16 rounded-control bg-sunken" />
          <span className="h-2 grow rounded-control bg-raised" />
        </div>
      ))}
    </output>
  )
}
