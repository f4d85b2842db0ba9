import { clsx } from 'clsx'

/** Classes, for the policy of the page lets no style attribute of the server through. */
const WIDTHS = ['w-[12%]', 'w-[14%]', 'w-[16%]', 'w-[18%]', 'w-[20%]', 'w-[22%]']

/** Rows of the height that the list will have, so that nothing jumps when it arrives. */
export function SkeletonRows({ rows = 12, label }: { rows?: number; label: string }) {
  return (
    <output aria-label={label} className="block px-6 py-2" data-testid="skeleton">
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} aria-hidden="true" className="flex h-7 items-center gap-6 border-b border-line">
          <span className={clsx('h-2 rounded-control bg-sunken', WIDTHS[(index * 5) % WIDTHS.length])} />
          <span className="h-2 w-16 rounded-control bg-sunken" />
          <span className="h-2 grow rounded-control bg-raised" />
        </div>
      ))}
    </output>
  )
}
