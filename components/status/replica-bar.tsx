import { clsx } from 'clsx'
import type { CellView } from '@/lib/view/model'
import { useText } from '../messages/use-text'

/** What the parts of a bar mean: the dark one, the pale one, and the line. */
export function BarKey({ dark, pale }: { dark: string; pale: string }) {
  const text = useText()
  return (
    <span className="flex items-center gap-3 font-normal">
      <Swatch className="bg-amount-6" word={dark} />
      <Swatch className="bg-amount-3" word={pale} />
      <Line word={text('workload.bar.desired')} />
    </span>
  )
}

/** What the parts of the bar of a cell mean. */
export function ReplicaKey() {
  const text = useText()
  return (
    <span className="flex items-center gap-3 font-normal">
      <Swatch className="bg-amount-6" word={text('workload.bar.ready')} />
      <Swatch className="bg-amount-3" word={text('workload.bar.notReady')} />
      <Swatch className="border border-dashed border-ink-2" word={text('workload.bar.unknown')} />
      <Swatch className="border border-ink-2" word={text('workload.bar.old')} />
      <Line word={text('workload.bar.desired')} />
    </span>
  )
}

function Line({ word }: { word: string }) {
  return (
    <span className="flex items-center gap-1">
      <span aria-hidden="true" className="h-3 w-0.5 bg-ink" />
      {word}
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

/** Returns the length of a cell's bar in replicas: desired and old ones. */
export function barLength({ desired, old = 0, oldUnknown = 0 }: CellView): number {
  return desired + old + oldUnknown
}

/**
 * Replicas as lengths on one scale: dark is ready, pale exists but is not ready, a dashed outline is unknown, a solid
 * outline is old, the line is how many are desired. The figures beside it say the same. Cuts divide it into the subsets
 * of a spread.
 */
export function ReplicaBar({ cell, scale, cuts }: { cell: CellView; scale: number; cuts: readonly number[] }) {
  const { desired, current, ready, unknown = 0, old = 0, oldUnknown = 0 } = cell
  const at = (count: number) => (count / scale) * (WIDTH - 2)
  const known = current - Math.min(unknown, current)
  const outlines = [
    { name: 'unknown', from: known, length: unknown, isDashed: true },
    { name: 'old', from: desired, length: old, isDashed: false },
    { name: 'old-unknown', from: desired + old, length: oldUnknown, isDashed: true },
  ]
  return (
    <svg aria-hidden="true" viewBox={`0 0 ${WIDTH} 20`} width={WIDTH} height={20} className="block">
      <line x1="0" x2={WIDTH} y1="10" y2="10" className="stroke-line" strokeWidth="1" />
      <rect x="0" y={4} width={at(known)} height={HEIGHT} className="fill-amount-3" />
      <rect x="0" y={4} width={at(ready)} height={HEIGHT} className="fill-amount-6" />
      {outlines.map(
        ({ name, from, length, isDashed }) =>
          length > 0 && (
            <rect
              key={name}
              data-part={name}
              x={at(from) + 1}
              y={4.5}
              width={Math.max(0, at(length) - 1)}
              height={HEIGHT - 1}
              className="fill-paper stroke-ink-2"
              {...(isDashed && { strokeDasharray: '3 2' })}
            />
          ),
      )}
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
      <line x1={at(desired) + 1} x2={at(desired) + 1} y1="1" y2="19" strokeWidth="2" className="stroke-ink" />
    </svg>
  )
}
