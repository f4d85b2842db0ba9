'use client'
import { useEffect } from 'react'
import type { QueueDetailView } from '@/lib/view/queue-model'
import { ActButton } from '../commands/act-button'
import { href } from '../hooks/url-state'
import { useCollection } from '../hooks/use-collection'
import { useCommand } from '../hooks/use-shortcuts'
import { useUrlState } from '../hooks/use-url-state'
import { useText } from '../messages/use-text'
import { Refused } from '../shell/list-body'
import { PageFrame } from '../shell/page-frame'
import { Trail, TRAILS } from '../shell/trail'
import { Ago } from '../status/ago'
import { StateMark } from '../status/state-mark'
import { WorkloadName } from '../status/workload-name'
import { EmptyState } from '../ui/empty-state'
import { Figures } from '../ui/figures'
import { Link } from '../ui/link'
import { SkeletonRows } from '../ui/skeleton'
import { HoldButtons } from './hold-buttons'
import { HoldPanel } from './hold-panel'
import { Line } from './pending-table'
import { AskedProvider } from '../status/asked'
import { QueueDrawers } from './queue-drawers'
import { parseQueueId, queuesHref } from './queue-url'
import { ON_DELETE_MEANING, STRATEGY_MEANING, STRATEGY_WORDS } from './queue-texts'
import { Shares } from './shares'
import { useCanDeleteQueue, useCanEditQueue, useCanHoldQueue } from './use-queue-permissions'

/** One queue: its line and why each one waits, its share and quota, and its pause. The id is `?queue=namespace/name`. */
export function QueuePage() {
  const { get } = useUrlState()
  const id = get('queue')
  if (id === undefined || parseQueueId(id) === undefined) return <NoSuchQueue />
  return (
    <AskedProvider key={id}>
      <Queue id={id} />
    </AskedProvider>
  )
}

function Queue({ id }: { id: string }) {
  const topic = useCollection(`queue/${id}`)
  const detail = topic.byId.get(id)
  useScrollToPart(detail !== undefined)
  return (
    <PageFrame
      title={<Trail parent={TRAILS.queues} name={id} />}
      documentTitle={id}
      freshness={topic.freshness}
      loaded={topic.loaded}
      actions={detail && <QueueActs detail={detail} />}
      subline={detail && <StateSentence detail={detail} />}
    >
      {topic.refused !== undefined && <Refused what="this queue" reason={topic.refused} />}
      {!topic.loaded && topic.refused === undefined && <SkeletonRows label="Loading the queue" />}
      {topic.loaded && detail === undefined && <Gone id={id} />}
      {detail && <QueueBody detail={detail} />}
      <QueueDrawers />
    </PageFrame>
  )
}

/** The part that the address names, once there is one. */
function useScrollToPart(loaded: boolean): void {
  useEffect(() => {
    if (loaded && window.location.hash !== '') document.getElementById(window.location.hash.slice(1))?.scrollIntoView()
  }, [loaded])
}

function QueueActs({ detail: { queue } }: { detail: QueueDetailView }) {
  const { navigate } = useUrlState()
  const pause = () => navigate({ do: queue.hold ? 'resume' : 'hold' })
  useCommand({
    keys: 'p',
    label: queue.hold ? 'Resume this queue…' : 'Put this queue on hold…',
    right: useCanHoldQueue(queue),
    run: pause,
  })
  return (
    <>
      <HoldButtons queue={queue} />
      <ActButton command="Edit this queue…" right={useCanEditQueue(queue)} onAct={() => navigate({ do: 'edit' })}>
        Edit…
      </ActButton>
      <ActButton command="Delete this queue…" right={useCanDeleteQueue(queue)} onAct={() => navigate({ do: 'delete' })}>
        Delete…
      </ActButton>
    </>
  )
}

function StateSentence({ detail: { queue } }: { detail: QueueDetailView }) {
  const text = useText()
  return (
    <span
      className="ml-2 flex min-w-0 flex-wrap items-center gap-x-2"
      data-testid="queue-state"
      data-state={queue.state.state}
    >
      <StateMark state={queue.state.state} className="font-medium" />
      <span>{text.of(queue.state.reason)}</span>
      {queue.deleting && <span className="text-ink-2">· being deleted</span>}
    </span>
  )
}

function QueueBody({ detail }: { detail: QueueDetailView }) {
  return (
    <div className="flex flex-col gap-6 px-6 py-4">
      <Summary detail={detail} />
      <HoldPanel detail={detail} />
      <Line detail={detail} />
      <InFlight detail={detail} />
      <Shares queue={detail.queue} />
    </div>
  )
}

function Summary({ detail }: { detail: QueueDetailView }) {
  const { pending, inFlight, admitted, slippedThrough, unadmitted = 0, oldestWaitSince } = detail.queue
  const figures = [
    { name: 'pending', label: pending === 1 ? 'waits' : 'wait', value: pending, href: '#line' },
    { name: 'inFlight', label: 'in flight', value: inFlight, href: '#in-flight' },
    { name: 'admitted', label: 'let through', value: admitted, href: workloadsOf(detail) },
    ...(unadmitted > 0
      ? [{ name: 'unadmitted', label: 'placed without admission', value: unadmitted, href: '#line' }]
      : []),
    ...(slippedThrough > 0
      ? [
          {
            name: 'slippedThrough',
            label: 'came past the webhook and were held by the loop',
            value: slippedThrough,
            href: '#line',
          },
        ]
      : []),
  ]
  return (
    <section aria-label="Summary" className="grid gap-x-8 gap-y-2 wide:grid-cols-[1fr_1fr]">
      <div>
        <Figures figures={figures} testId="queue-counts" />
        {oldestWaitSince && (
          <p className="mt-1 text-ink-2">
            The oldest came <Ago time={oldestWaitSince} />.
          </p>
        )}
      </div>
      <Settings detail={detail} />
    </section>
  )
}

const workloadsOf = ({ queue: { namespaces } }: QueueDetailView): string =>
  href.workloads({ q: `ns=${namespaces.join(',')}` })

/** What was set, in words. */
function Settings({ detail: { queue, priorityClasses, settings } }: { detail: QueueDetailView }) {
  return (
    <ul>
      <li>
        {STRATEGY_WORDS[queue.strategy]}: {STRATEGY_MEANING[queue.strategy]} Weight {queue.weight}.
      </li>
      <li>
        Serves{' '}
        {queue.namespaces.map((namespace, index) => (
          <span key={namespace}>
            {index > 0 && ', '}
            <Link href={href.workloads({ q: `ns=${namespace}` })} className="link">
              {namespace}
            </Link>
          </span>
        ))}
        .
      </li>
      {settings?.maxInFlight !== undefined && <li>At most {settings.maxInFlight} in flight.</li>}
      {priorityClasses.length > 0 && (
        <li>
          Classes:{' '}
          {priorityClasses
            .map(({ name, value, default: isDefault }) => `${name} ${value}${isDefault ? ' (unless named)' : ''}`)
            .join(', ')}
          .
        </li>
      )}
      <li className="text-ink-2">When it is deleted, those who wait {ON_DELETE_MEANING[queue.onDelete]}.</li>
    </ul>
  )
}

/** Released, and not yet scheduled. */
function InFlight({ detail: { inFlight } }: { detail: QueueDetailView }) {
  return (
    <section aria-label="In flight" id="in-flight">
      <h2 className="mb-1 text-section">In flight: released, not yet scheduled</h2>
      {inFlight.length === 0 && <p className="text-ink-2">Nothing is under way.</p>}
      <ul className="list-disc pl-4">
        {inFlight.map(({ id, ref, releasedAt }) => (
          <li key={id} data-testid="in-flight" data-workload={id}>
            <WorkloadName id={id} workload={ref} />{' '}
            {releasedAt && (
              <span className="text-ink-2">
                released <Ago time={releasedAt} />
              </span>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

function Gone({ id }: { id: string }) {
  return (
    <EmptyState title={`There is no queue ${id}`}>
      <p>It was deleted. What waited in it was released or stayed suspended, as the queue said.</p>
      <p>
        <Link href={queuesHref()} className="link">
          All queues
        </Link>
        {' · '}
        <Link href={href.workloads({ q: 'held=suspended' })} className="link">
          Suspended workloads
        </Link>
      </p>
    </EmptyState>
  )
}

function NoSuchQueue() {
  return (
    <PageFrame title="Queue">
      <EmptyState title="This address names no queue">
        <p>
          An address ends in <span className="mono">?queue=namespace/name</span>.{' '}
          <Link href={queuesHref()} className="link">
            Choose one from the list
          </Link>
        </p>
      </EmptyState>
    </PageFrame>
  )
}
