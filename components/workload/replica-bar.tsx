import { clsx } from 'clsx'
import type { CellView } from '@/lib/view/model'

/** What the parts of a bar mean: the dark one, the pale one, and the line. */
export function BarKey({ dark, pale }: { dark: string; pale: string }) {
  return (
    <span className="flex items-center gap-3 font-normal">
      <Swatch className="bg-amount-6" word={dark} />
      <Swatch className="bg-amount-3" word={pale} />
      <span className="flex items-center gap-1">
        <span aria-hidden="true" className="h-3 w-0.5 bg-ink" />
        wanted
      </span>
    </span>
  )
}

/** A patch of the ramp with its word. */
export function Swatch({ className, word }: { className: string; word: string }) {
  return (
    <span className="flex items-center gap-1">
      <span aria-hidden="true" data-swatch className={clsx('size-2.5', className)} />
      {word}
    </span>
  )
}

const HEIGHT = 12
const WIDTH = 240

/**
 * Replicas as lengths on one scale: dark is ready, light is there but not ready, the line is how many are wanted. The
 * figures beside it say the same. Cuts divide it into the subsets of a spread.
 */
export function ReplicaBar({ cell, scale, cuts }: { cell: CellView; scale: number; cuts: readonly number[] }) {
  const at = (count: number) => (count / scale) * (WIDTH - 2)
  const now = cell.now ?? 0
  const ready = Math.min(cell.ready ?? 0, now)
  return (
    <svg aria-hidden="true" viewBox={`0 0 ${WIDTH} 20`} width={WIDTH} height={20} className="block">
      <line x1="0" x2={WIDTH} y1="10" y2="10" className="stroke-line" strokeWidth="1" />
      <rect x="0" y={4} width={at(now)} height={HEIGHT} className="fill-amount-3" />
      <rect x="0" y={4} width={at(ready)} height={HEIGHT} className="fill-amount-6" />
      {cuts.map((cut) => (
        <line
          key={cut}
          x1={at(cut)}
          x2={at(cut)}
          y1={3}
          y2={HEIGHT + 5}
          strokeWidth="2"
          className="stroke-paper"
          data-cut={cut}
        />
      ))}
      {cell.now === undefined && (
        <rect
          x="1"
          y={4.5}
          width={Math.max(0, at(cell.wants) - 1)}
          height={HEIGHT - 1}
          fill="none"
          strokeDasharray="3 2"
          className="stroke-ink-2"
        />
      )}
      <line x1={at(cell.wants) + 1} x2={at(cell.wants) + 1} y1="1" y2="19" strokeWidth="2" className="stroke-ink" />
    </svg>
  )
}
