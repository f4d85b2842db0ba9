'use client'
import { Suspense, useMemo } from 'react'
import type { PendingView, QueueView } from '@/lib/view/queue-model'
import { queueHref } from '../hooks/queue-url'
import { useCollection } from '../hooks/use-collection'
import { useUrlState } from '../hooks/use-url-state'
import { AreaTexts } from '../messages/area-texts'
import { useText } from '../messages/use-text'
import { useTextures } from '../picture/use-textures'
import { StateMark } from '../status/state-mark'
import { Link } from '../ui/link'
import { LaneBlock } from './lane-block'
import { blocksOf, laneAmount, laneScales } from './lane-model'
import { LanePanel } from './lane-panel'
import { amountSentence, estimateWords } from './queue-texts'

/** So many lanes are drawn: each follows its own queue. */
const MAX_LANES = 30

/** Queues as lanes: the fill of the quota, and the pending workloads as blocks in admission order. */
export function QueueLanes({ queues }: { queues: readonly QueueView[] }) {
  return (
    <Suspense fallback={null}>
      <AreaTexts area="queueLanes">
        <Lanes queues={queues} />
      </AreaTexts>
    </Suspense>
  )
}

function Lanes({ queues }: { queues: readonly QueueView[] }) {
  const text = useText()
  const { get } = useUrlState()
  const scales = useMemo(() => laneScales(queues), [queues])
  const selected = get('of')
  const queue = queues.find(({ id }) => id === get('queue'))
  return (
    <div className="flex min-h-0 flex-col wide:flex-row">
      <div className="min-w-0 grow px-6 py-2">
        <p className="text-ink-2">{text('lanes.legend')}</p>
        <ul aria-label={text('lanes.label')}>
          {queues.slice(0, MAX_LANES).map((each) => (
            <Lane key={each.id} queue={each} scale={scales.get(laneAmount(each)?.resource ?? '') ?? 1} />
          ))}
        </ul>
        {queues.length > MAX_LANES && <p>{text('lanes.more', { n: queues.length - MAX_LANES })}</p>}
      </div>
      {queue && selected !== undefined && <LanePanel key={selected} queue={queue} id={selected} />}
    </div>
  )
}

function Lane({ queue, scale }: { queue: QueueView; scale: number }) {
  const text = useText()
  const { get, tweak } = useUrlState()
  const { id, namespace, name, hold, pending, state, weight } = queue
  const detail = useCollection(`queue/${id}`).byId.get(id)
  const amount = laneAmount(queue)
  const blocks = blocksOf(
    detail?.pendingWorkloads ?? [],
    amount?.resource ?? detail?.pendingWorkloads[0]?.demand[0]?.resource,
  )
  return (
    <li
      className="grid gap-x-6 gap-y-2 border-b border-line py-4 wide:grid-cols-[12rem_16rem_1fr]"
      data-testid="lane"
      data-queue={id}
      data-pending={pending}
      data-used={amount?.used}
      data-quota={amount?.quota}
      data-borrowed={amount?.borrowed}
    >
      <div className="min-w-0">
        <Link href={queueHref(id)} className="block truncate font-medium hover:underline" title={id}>
          <span className="font-normal text-ink-2">{namespace}/</span>
          {name}
        </Link>
        <StateMark state={state.state} />
        <p className="text-ink-2">{text('lanes.weight', { weight })}</p>
      </div>
      <div className="min-w-0">
        <Fill queue={queue} scale={scale} />
        <p>{amount ? amountSentence(text, amount) : text('lanes.noUse')}</p>
        {hold && <p className="text-ink-2">{text.of(hold.message)}</p>}
      </div>
      <div className="min-w-0">
        {pending === 0 ? (
          <p className="text-ink-2">{text('lanes.none')}</p>
        ) : (
          <>
            <ol className="flex flex-wrap items-end gap-1" aria-label={text('lanes.blocks', { queue: id })}>
              {blocks.map((block) => (
                <LaneBlock
                  key={block.pending.id}
                  block={block}
                  resource={amount?.resource}
                  isHeld={hold !== undefined}
                  isSelected={get('of') === block.pending.id && get('queue') === id}
                  onSelect={() => tweak({ queue: id, of: block.pending.id })}
                />
              ))}
            </ol>
            <Rest pending={pending} shown={blocks.length} id={id} />
            {blocks[0] && <Next pending={blocks[0].pending} />}
          </>
        )}
      </div>
    </li>
  )
}

/** Shows which workload is admitted next, and when; without an estimate, what blocks it. */
function Next({ pending }: { pending: PendingView }) {
  const text = useText()
  const { ref, message, estimate } = pending
  const kind = estimate?.kind ?? 'unknown'
  return (
    <p className="mt-1 max-w-3xl text-ink-2" data-testid="lane-next" data-estimate={kind}>
      {kind === 'unknown'
        ? text('lanes.nextUnknown', { workload: ref.name, reason: message })
        : text('lanes.next', { workload: ref.name, estimate: estimateWords(text, pending) })}
    </p>
  )
}

/** Pending workloads that are not drawn: beyond the first, or in namespaces that the reader cannot view. */
function Rest({ pending, shown, id }: { pending: number; shown: number; id: string }) {
  const text = useText()
  if (pending <= shown) return null
  return (
    <Link href={queueHref(id)} className="link">
      {text('lanes.rest', { n: pending - shown })}
    </Link>
  )
}

const WIDTH = 240

/** Solid = use, hatched = borrowed, tick = quota; a held queue is hatched in purple up to its quota. */
function Fill({ queue, scale }: { queue: QueueView; scale: number }) {
  const textures = useTextures()
  const amount = laneAmount(queue)
  if (!amount) return null
  const { used, borrowed, quota } = amount
  const at = (value: number) => (scale > 0 ? Math.min(1, value / scale) * (WIDTH - 2) : 0)
  const own = Math.max(0, used - borrowed)
  return (
    <svg aria-hidden="true" viewBox={`0 0 ${WIDTH} 24`} className="h-6 w-full" preserveAspectRatio="none" data-swatch>
      {textures.defs}
      <rect y="4" width={WIDTH} height="16" className="fill-sunken" />
      {queue.hold && <rect y="4" width={at(quota ?? used)} height="16" fill={textures.fill('held')} />}
      <rect y="4" width={at(own)} height="16" className="fill-amount-5" />
      <rect x={at(own)} y="4" width={at(borrowed)} height="16" fill={textures.fill('starting')} />
      {quota !== undefined && (
        <line
          x1={at(quota) + 1}
          x2={at(quota) + 1}
          y1="0"
          y2="24"
          strokeWidth="2"
          vectorEffect="non-scaling-stroke"
          className="stroke-chart-limit"
        />
      )}
    </svg>
  )
}
