'use client'
import type { Text } from '@/lib/messages'
import type { WorkloadDetailView } from '@/lib/view/model'
import { policyId } from '@/lib/view/policy-model'
import { nameOf, parseWorkloadId } from '@/lib/view/workload-id'
import { ActButton } from '../commands/act-button'
import { href } from '../hooks/url-state'
import { useCollection } from '../hooks/use-collection'
import { useCanRebalance } from '../hooks/use-rebalance-rights'
import { useUrlState } from '../hooks/use-url-state'
import { Rich } from '../messages/rich'
import { AreaTexts } from '../messages/area-texts'
import { useText } from '../messages/use-text'
import { LaterPlanDrawer } from '../plan/later-plan-drawer'
import { AskedProvider } from '../status/asked'
import { Refused } from '../shell/list-body'
import { PageFrame } from '../shell/page-frame'
import { Trail, TRAILS } from '../shell/trail'
import { Ago } from '../status/ago'
import { StateGlyph } from '../status/state-glyph'
import { WorkloadTimeline } from '../timeline/recorded-timeline'
import { EmptyState } from '../ui/empty-state'
import { SkeletonRows } from '../ui/skeleton'
import { Distribution } from './distribution'
import { HeldNotice } from './held-notice'
import { SuspensionButton, SuspensionDrawer } from './suspension-drawer'
import { Topology } from './topology'
import { WorkloadTabs } from './workload-tabs'
import { Link } from '../ui/link'

/** One workload: where it is, where it should be, and why. The id stands in `?id=` because it contains slashes. */
export function WorkloadPage() {
  const { get } = useUrlState()
  const id = get('id')
  if (id === undefined || parseWorkloadId(id) === undefined) return <NoSuchWorkload id={id} />
  return (
    <AreaTexts area="queueDrawers">
      <AskedProvider key={id}>
        <Workload id={id} />
      </AskedProvider>
    </AreaTexts>
  )
}

function Workload({ id }: { id: string }) {
  const text = useText()
  const topic = useCollection(`workload/${id}`)
  const workload = topic.byId.get(id)
  const name = nameOf(parseWorkloadId(id) ?? { apiVersion: '', kind: '', name: id })
  return (
    <PageFrame
      title={<Trail parent={TRAILS.workloads} name={name} kind={parseWorkloadId(id)?.kind} />}
      documentTitle={name}
      freshness={topic.freshness}
      loaded={topic.loaded}
      actions={
        workload && (
          <>
            <SuspensionButton workload={workload} />
            <RebalanceButton id={id} />
          </>
        )
      }
      subline={workload ? <StateSentence workload={workload} /> : null}
    >
      {topic.refused !== undefined && <Refused what="this workload" of={topic} />}
      {!topic.loaded && topic.refused === undefined && <SkeletonRows label={text('workload.loading')} />}
      {topic.loaded && workload === undefined && <Gone name={name} />}
      {workload && <WorkloadBody workload={workload} />}
      {workload && <SuspensionDrawer workload={workload} />}
      <LaterPlanDrawer />
    </PageFrame>
  )
}

function RebalanceButton({ id }: { id: string }) {
  const text = useText()
  const { navigate } = useUrlState()
  return (
    <ActButton
      command={text('workload.rebalanceThis')}
      keys="p"
      right={useCanRebalance()}
      variant="primary"
      onAct={() => navigate({ sel: id, plan: 'rebalance' })}
    >
      {text('fleet.rebalance')}
    </ActButton>
  )
}

function StateSentence({ workload }: { workload: WorkloadDetailView }) {
  const text = useText()
  return (
    <span
      className="ml-2 flex min-w-0 flex-wrap items-center gap-x-2 text-title"
      data-testid="workload-state"
      data-state={workload.state.state}
    >
      <StateGlyph state={workload.state.state} size={16} />
      <span>{sentenceOf(text, workload)}</span>
    </span>
  )
}

function sentenceOf(text: Text, { hasReplicas, cells, ready, desired, state: { reason } }: WorkloadDetailView): string {
  if (!hasReplicas || cells.length === 0) return text.of(reason)
  const isPlain = typeof reason !== 'string' && reason.code === 'workload.state.ready'
  return isPlain
    ? text('topology.allReady', { ready, desired, clusters: cells.length })
    : text('topology.sentence', { ready, desired, reason })
}

function WorkloadBody({ workload }: { workload: WorkloadDetailView }) {
  return (
    <div className="flex flex-col gap-6 px-6 py-4">
      <HeldNotice workload={workload} />
      <Topology workload={workload} />
      <Placement workload={workload} />
      <Distribution workload={workload} />
      <WorkloadTimeline workload={workload} />
      <WorkloadTabs workload={workload} />
    </div>
  )
}

/** The rules that placed it, in words, and when they were last applied. */
function Placement({ workload }: { workload: WorkloadDetailView }) {
  const text = useText()
  const { policy } = workload
  return (
    <section aria-label={text('workload.placement')} className="grid gap-x-8 gap-y-1 wide:grid-cols-[2fr_1fr]">
      <div>
        <h2 className="text-section">{text('workload.placement')}</h2>
        <ul>
          {workload.placement.map((rule) => (
            <li key={text.of(rule)}>{text.of(rule)}</li>
          ))}
        </ul>
      </div>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 self-start">
        <dt className="text-ink-2">{text('workload.policy')}</dt>
        <dd>
          {policy ? (
            <Link href={href.policy(policyId(policy))} className="link">
              {policy.kind === 'ClusterPropagationPolicy'
                ? text('workload.clusterWidePolicy', { policy: policy.name })
                : policy.name}
            </Link>
          ) : (
            text('workload.noPolicy')
          )}
        </dd>
        <dt className="text-ink-2">{text('workload.division')}</dt>
        <dd>{text(`workload.strategy.${workload.strategy}`)}</dd>
        <dt className="text-ink-2">{text('workload.scheduled')}</dt>
        <dd>
          <Ago time={workload.lastScheduledTime} />
        </dd>
        <dt className="text-ink-2">{text('workload.rescheduleRequested')}</dt>
        <dd>
          <Ago time={workload.rescheduleTriggeredAt} />
        </dd>
        <dt className="text-ink-2">{text('workload.suspended')}</dt>
        <dd>{text(`workload.suspended.${suspension(workload)}`)}</dd>
      </dl>
    </section>
  )
}

/** What of the workload is suspended. */
function suspension({ suspended: { scheduling, dispatching }, cells }: WorkloadDetailView) {
  if (scheduling && dispatching) return 'both'
  if (scheduling) return cells.length === 0 ? 'unplaced' : 'scheduling'
  return dispatching ? 'dispatching' : 'no'
}

/** The end of the address of a workload. */
const EXAMPLE = '?id=apps~v1/Deployment/namespace/name'

function Gone({ name }: { name: string }) {
  const text = useText()
  return (
    <EmptyState title={text('workload.gone', { name })}>
      <p>{text('workload.goneMeaning')}</p>
      <p>
        <Link href="/workloads" className="link">
          {text('workload.all')}
        </Link>
      </p>
    </EmptyState>
  )
}

function NoSuchWorkload({ id }: { id: string | undefined }) {
  const text = useText()
  return (
    <PageFrame title={text('workload.title')}>
      <EmptyState title={text(id === undefined ? 'workload.noId' : 'workload.badId')}>
        <p>
          <Rich
            code="workload.idMeaning"
            parts={{ id: <span className="mono">{EXAMPLE}</span>, link: <Link href="/workloads" className="link" /> }}
          />
        </p>
      </EmptyState>
    </PageFrame>
  )
}
