import { clsx } from 'clsx'
import { useText } from '../../messages/use-text'
import type { Heat } from './use-heat'

/** The ramp of scale.ts, in its order. */
const RAMP = ['bg-amount-2', 'bg-amount-3', 'bg-amount-4', 'bg-amount-5', 'bg-amount-6', 'bg-amount-7']

/** What the marks of the picture mean. */
export function HeatLegend({ heat: { scale } }: { heat: Heat }) {
  const text = useText()
  return (
    <ul className="ml-auto flex flex-wrap items-center gap-x-4 gap-y-1 text-label font-normal text-ink-2">
      <li className="flex flex-wrap items-center gap-x-1.5">
        {text('fleetHeat.legend.replicas')}
        {scale.from.map((from, step) => (
          <span key={from} className="flex items-center gap-0.5">
            <Patch className={RAMP[step]} />
            {step + 1 < scale.from.length ? text.format.count(from) : text('fleetHeat.legend.more', { n: from })}
          </span>
        ))}
      </li>
      <Entry className="hatch-starting">{text('fleetHeat.legend.starting')}</Entry>
      <li className="flex items-center gap-1.5">
        <span data-swatch aria-hidden="true" className="flex h-3 w-4 border border-warn bg-warn">
          <span data-swatch className="h-1/2 w-full bg-paper" />
        </span>
        {text('fleetHeat.legend.short')}
      </li>
      <li className="flex items-center gap-1.5">
        <span data-swatch aria-hidden="true" className="flex h-3 w-4 items-center justify-center bg-fail">
          <span data-swatch className="h-0.5 w-2 bg-paper" />
        </span>
        {text('fleetHeat.legend.lost')}
      </li>
      <Entry className="border border-dashed border-ink-2">{text('fleetHeat.legend.unknown')}</Entry>
    </ul>
  )
}

function Patch({ className }: { className: string | undefined }) {
  return <span data-swatch aria-hidden="true" className={clsx('h-3 w-4', className)} />
}

function Entry({ className, children }: { className: string; children: string }) {
  return (
    <li className="flex items-center gap-1.5">
      <Patch className={className} />
      {children}
    </li>
  )
}
