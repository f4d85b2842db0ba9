'use client'
import { useEffect } from 'react'
import type { QueueDetailView } from '@/lib/view/queue-model'
import { ActButton } from '../commands/act-button'
import { href } from '../hooks/url-state'
import { useCollection } from '../hooks/use-collection'
import { useCommand } from '../hooks/use-shortcuts'
import { useUrlState } from '../hooks/use-url-state'
import { message } from '@/lib/messages'
import { Rich } from '../messages/rich'
import { AreaTexts } from '../messages/area-texts'
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
import { PendingWorkloads } from './pending-table'
import { AskedProvider } from '../status/asked'
import { QueueDrawers } from './queue-drawers'
import { parseQueueId, queuesHref } from '../hooks/queue-url'
import { Shares } from './shares'
import { useCanDeleteQueue, useCanEditQueue, useCanHoldQueue } from '../queue-actions/use-queue-permissions'

/** One queue: its pending workloads with their reasons, its share and quota, and its hold. The id is `?queue=namespace/name`. */
export function QueuePage() {
  const { get } = useUrlState()
  const id = get('queue')
  if (id === undefined || parseQueueId(id) === undefined) return <NoSuchQueue />
  return (
    <AreaTexts area="queueDrawers">
      <AskedProvider key={id}>
        <Queue id={id} />
      </AskedProvider>
    </AreaTexts>
  )
}

function Queue({ id }: { id: string }) {
  const text = useText()
  const topic = useCollection(`queue/${id}`)
  const detail = topic.byId.get(id)
  useScrollToPart(detail !== undefined)
  return (
    <PageFrame
      title={<Trail parent={TRAILS.queues} name={id} />}
      documentTitle={id}
      freshness={topic.freshness}
      loaded={topic.loaded}
      actions={detail && <QueueActions detail={detail} />}
      subline={detail ? <StateSentence detail={detail} /> : null}
    >
      {topic.refused !== undefined && <Refused what="this queue" of={topic} />}
      {!topic.loaded && topic.refused === undefined && <SkeletonRows label={text('queues.loading')} />}
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

function QueueActions({ detail: { queue } }: { detail: QueueDetailView }) {
  const text = useText()
  const { navigate } = useUrlState()
  const action = queue.hold ? 'resume' : 'hold'
  useCommand({
    keys: 'p',
    label: text(`queues.${action}.command`),
    right: useCanHoldQueue(queue),
    run: () => navigate({ do: action }),
  })
  return (
    <>
      <HoldButtons queue={queue} />
      <ActButton
        command={text('queues.edit.command')}
        right={useCanEditQueue(queue)}
        onAct={() => navigate({ do: 'edit' })}
      >
        {text('queues.edit.openShort')}
      </ActButton>
      <ActButton
        command={text('queues.delete.command')}
        right={useCanDeleteQueue(queue)}
        onAct={() => navigate({ do: 'delete' })}
      >
        {text('queues.delete.openShort')}
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
      {queue.deleting && <span className="text-ink-2">· {text('queues.beingDeleted')}</span>}
    </span>
  )
}

function QueueBody({ detail }: { detail: QueueDetailView }) {
  return (
    <div className="flex flex-col gap-6 px-6 py-4">
      <Summary detail={detail} />
      <HoldPanel detail={detail} />
      <PendingWorkloads detail={detail} />
      <InFlight detail={detail} />
      <Shares queue={detail.queue} />
    </div>
  )
}

function Summary({ detail }: { detail: QueueDetailView }) {
  const text = useText()
  const { pending, inFlight, admitted, slippedThrough, unadmitted = 0, oldestWaitSince } = detail.queue
  const figure = (name: string, value: number, to: string) => ({
    name,
    label: text(`queues.figure.${name as 'pending'}`),
    value,
    href: to,
  })
  const figures = [
    figure('pending', pending, '#pending'),
    figure('inFlight', inFlight, '#in-flight'),
    figure('admitted', admitted, workloadsOf(detail)),
    ...(unadmitted > 0 ? [figure('unadmitted', unadmitted, '#pending')] : []),
    ...(slippedThrough > 0 ? [figure('slippedThrough', slippedThrough, '#pending')] : []),
  ]
  return (
    <section aria-label={text('queues.summary')} className="grid gap-x-8 gap-y-2 wide:grid-cols-[1fr_1fr]">
      <div>
        <Figures figures={figures} testId="queue-counts" />
        {oldestWaitSince && (
          <p className="mt-1 text-ink-2">
            <Rich code="queues.oldest" parts={{ time: <Ago time={oldestWaitSince} /> }} />
          </p>
        )}
      </div>
      <Settings detail={detail} />
    </section>
  )
}

const workloadsOf = ({ queue: { namespaces } }: QueueDetailView): string =>
  href.workloads({ q: `ns=${namespaces.join(',')}` })

/** The settings as sentences. */
function Settings({ detail: { queue, priorityClasses, settings } }: { detail: QueueDetailView }) {
  const text = useText()
  return (
    <ul>
      <li>
        {text(`queues.settings.${queue.strategy}`)} {text('queues.settings.weight', { weight: queue.weight })}
      </li>
      <li>
        {text('queues.settings.namespaces')}{' '}
        {queue.namespaces.map((namespace, index) => (
          <span key={namespace}>
            {index > 0 && ', '}
            <Link href={href.workloads({ q: `ns=${namespace}` })} className="link">
              {namespace}
            </Link>
          </span>
        ))}
      </li>
      {settings?.maxInFlight !== undefined && (
        <li>{text('queues.settings.maxInFlight', { count: settings.maxInFlight })}</li>
      )}
      {priorityClasses.length > 0 && (
        <li>
          {text('queues.settings.classes', {
            classes: priorityClasses.map(({ name, value, default: isDefault }) =>
              message(isDefault ? 'queues.settings.defaultClass' : 'queues.settings.class', { name, value }),
            ),
          })}
        </li>
      )}
      <li className="text-ink-2">{text(`queues.settings.on${queue.onDelete}`)}</li>
    </ul>
  )
}

/** Admitted, and not yet scheduled. */
function InFlight({ detail: { inFlight } }: { detail: QueueDetailView }) {
  const text = useText()
  return (
    <section aria-label={text('queues.inFlight.label')} id="in-flight">
      <h2 className="mb-1 text-section">{text('queues.inFlight.title')}</h2>
      {inFlight.length === 0 && <p className="text-ink-2">{text('queues.inFlight.none')}</p>}
      <ul className="list-disc pl-4">
        {inFlight.map(({ id, ref, releasedAt }) => (
          <li key={id} data-testid="in-flight" data-workload={id}>
            <WorkloadName id={id} workload={ref} />{' '}
            {releasedAt && (
              <span className="text-ink-2">
                <Rich code="queues.inFlight.admitted" parts={{ time: <Ago time={releasedAt} /> }} />
              </span>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

function Gone({ id }: { id: string }) {
  const text = useText()
  return (
    <EmptyState title={text('queues.gone.title', { queue: id })}>
      <p>{text('queues.gone.explanation')}</p>
      <p>
        <Link href={queuesHref()} className="link">
          {text('queues.gone.all')}
        </Link>
        {' · '}
        <Link href={href.workloads({ q: 'held=suspended' })} className="link">
          {text('queues.gone.suspended')}
        </Link>
      </p>
    </EmptyState>
  )
}

function NoSuchQueue() {
  const text = useText()
  return (
    <PageFrame title={text('queues.noAddress.page')}>
      <EmptyState title={text('queues.noAddress.title')}>
        <p>
          <Rich
            code="queues.noAddress.explanation"
            parts={{ example: <span className="mono" />, link: <Link href={queuesHref()} className="link" /> }}
          />
        </p>
      </EmptyState>
    </PageFrame>
  )
}
