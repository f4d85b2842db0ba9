'use client'
import { clsx } from 'clsx'
import { nameOf } from '@/lib/view/workload-id'
import type { Text } from '@/lib/messages'
import { useText } from '../messages/use-text'
import { useTextures } from '../picture/use-textures'
import type { Block } from './lane-model'
import { demandWords, estimateWords, formatAmount } from './queue-texts'

const HEIGHT = 28
/** Narrower blocks have no room for a name, or for their request. */
const NAMED = 72
const FIGURE_LETTER = 7.5
const HOURS_AND_MINUTES = 5

/** Without seconds, unless these make the difference. */
function shortTimes(text: Text, from: string, to: string): { from: string; to: string } {
  const whole = [from, to].map((time) => text.format.timeOfDay(time))
  const [first = '', last = ''] = whole.map((time) => time.slice(0, HOURS_AND_MINUTES))
  return first === last ? { from: whole[0]!, to: whole[1]! } : { from: first, to: last }
}

interface LaneBlockProps {
  block: Block
  resource: string | undefined
  isHeld: boolean
  isSelected: boolean
  onSelect: () => void
}

/** One pending workload: its width is its request; a held one is hatched in purple. */
export function LaneBlock({
  block: { pending, request, width },
  resource,
  isHeld,
  isSelected,
  onSelect,
}: LaneBlockProps) {
  const text = useText()
  const textures = useTextures()
  const { estimate } = pending
  const figure = request === undefined || resource === undefined ? '—' : formatAmount(text, resource, request)
  const isInside = figure.length * FIGURE_LETTER + 6 <= width
  const name = text('lanes.blockName', {
    position: pending.position,
    workload: nameOf(pending.ref),
    demand: demandWords(text, pending.demand),
    reason: pending.message,
    estimate: estimateWords(text, pending),
  })
  return (
    <li>
      <button
        type="button"
        aria-pressed={isSelected}
        aria-label={name}
        title={name}
        onClick={onSelect}
        className={clsx(
          'flex flex-col items-start justify-end rounded-control',
          isSelected && 'outline-2 outline-offset-1 outline-focus',
        )}
        data-testid="lane-block"
        data-workload={pending.id}
        data-position={pending.position}
        data-request={request}
        data-estimate={estimate?.kind}
        data-from={estimate?.from}
        data-to={estimate?.to}
      >
        {width >= NAMED && <span className="max-w-40 truncate text-label">{pending.ref.name}</span>}
        <span className="relative">
          <svg aria-hidden="true" width={width} height={HEIGHT} data-swatch className="block">
            {textures.defs}
            <rect
              x="0.5"
              y="0.5"
              width={width - 1}
              height={HEIGHT - 1}
              rx="3"
              fill={isHeld ? textures.fill('held') : undefined}
              className={isHeld ? 'stroke-chart-held' : 'fill-amount-2 stroke-amount-5'}
            />
          </svg>
          {isInside && (
            <span className="absolute inset-0 flex items-center justify-center">
              <span className={clsx('rounded-control px-1 text-label', isHeld && 'bg-paper')}>{figure}</span>
            </span>
          )}
        </span>
        {!isInside && <span className="text-label">{figure}</span>}
        {width >= NAMED && estimate?.from !== undefined && estimate.to !== undefined && (
          <span className="text-label font-normal text-ink-2" data-testid="lane-time">
            {text('lanes.range', shortTimes(text, estimate.from, estimate.to))}
          </span>
        )}
      </button>
    </li>
  )
}
