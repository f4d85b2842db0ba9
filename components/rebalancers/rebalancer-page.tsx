'use client'
import { useMemo } from 'react'
import { isMessage } from '@/lib/messages'
import type { RebalancerView, RebalanceStage, RebalanceTargetView } from '@/lib/view/rebalance-model'
import { nameOf } from '@/lib/view/workload-id'
import { ActButton } from '../commands/act-button'
import { matchesFilter, parseFilter } from '../hooks/filter'
import { href } from '../hooks/url-state'
import { useCollection } from '../hooks/use-collection'
import { useCanRebalance } from '../hooks/use-rebalance-rights'
import { useSelection } from '../hooks/use-selection'
import { useUrlState } from '../hooks/use-url-state'
import { useText } from '../messages/use-text'
import { LaterPlanDrawer } from '../plan/later-plan-drawer'
import { FilterField } from '../shell/filter-field'
import { FilteredRows } from '../shell/filtered-rows'
import { Refused } from '../shell/list-body'
import { PageFrame } from '../shell/page-frame'
import { Trail, TRAILS } from '../shell/trail'
import { Created } from '../status/created'
import { StateMark } from '../status/state-mark'
import { EmptyState } from '../ui/empty-state'
import { Notice } from '../ui/notice'
import { SkeletonRows } from '../ui/skeleton'
import { StageCounts } from './stage-counts'
import { STAGES } from './stages'
import { RebalancerTargets } from './rebalancer-targets'
import { Link } from '../ui/link'

/** One WorkloadRebalancer: the stage of each target, and its result compared with the preview. */
export function RebalancerPage() {
  const text = useText()
  const { get } = useUrlState()
  const name = get('name') ?? ''
  const topic = useCollection(`rebalancer/${name}`)
  const rebalancer = topic.byId.get(name)
  return (
    <PageFrame
      title={<Trail parent={TRAILS.rebalancers} name={name} />}
      documentTitle={name}
      freshness={topic.freshness}
      loaded={topic.loaded}
      actions={rebalancer && <RebalanceAgain rebalancer={rebalancer} />}
      subline={rebalancer ? <StateSentence rebalancer={rebalancer} /> : null}
    >
      {topic.refused !== undefined && <Refused what="rebalancers" of={topic} />}
      {!topic.loaded && topic.refused === undefined && <SkeletonRows label={text('rebalance.page.loading')} />}
      {topic.loaded && rebalancer === undefined && <Gone name={name} />}
      {rebalancer && <IgnoredTriggers rebalancer={rebalancer} />}
      {rebalancer && <RebalancerBody rebalancer={rebalancer} />}
      <LaterPlanDrawer />
    </PageFrame>
  )
}

function StateSentence({ rebalancer }: { rebalancer: RebalancerView }) {
  const text = useText()
  const { createdBy, createdAt, ttlSecondsAfterFinished: ttl } = rebalancer
  return (
    <span
      className="ml-2 flex min-w-0 flex-wrap items-center gap-x-2"
      data-testid="rebalancer-state"
      data-state={rebalancer.state.state}
    >
      <StateMark state={rebalancer.state.state} className="font-medium" />
      <span>{text.of(rebalancer.state.reason)}</span>
      <span className="text-ink-2">
        · <Created time={createdAt} user={createdBy} />
        {ttl !== undefined && ` · ${text('rebalance.page.ttl', { span: { ms: ttl * 1000 } })}`}
      </span>
    </span>
  )
}

/** A new preview for the same targets: a WorkloadRebalancer acts once, so a repetition is a new object. */
function RebalanceAgain({ rebalancer }: { rebalancer: RebalancerView }) {
  const text = useText()
  const { navigate } = useUrlState()
  const [, updateSelection] = useSelection()
  const plan = () => {
    updateSelection(() => rebalancer.targets.map((target) => target.id))
    navigate({ plan: 'rebalance' })
  }
  return (
    <ActButton command={text('rebalance.page.againCommand')} keys="p" right={useCanRebalance()} onAct={plan}>
      {text('rebalance.page.again')}
    </ActButton>
  )
}

const IGNORED: ReadonlySet<string> = new Set([
  'rebalance.progress.TriggerIgnored',
  'rebalance.progress.TriggerTooEarly',
])

/** What the scheduler ignored, and a preview of another rebalancer for it. */
function IgnoredTriggers({ rebalancer }: { rebalancer: RebalancerView }) {
  const text = useText()
  const { navigate } = useUrlState()
  const [, updateSelection] = useSelection()
  const right = useCanRebalance()
  const ignored = rebalancer.targets.filter(({ state: { reason } }) => isMessage(reason) && IGNORED.has(reason.code))
  if (ignored.length === 0) return null
  const plan = () => {
    updateSelection(() => ignored.map(({ id }) => id))
    navigate({ plan: 'rebalance', in: 'once' })
  }
  return (
    <Notice
      state="fail"
      action={
        <ActButton command={text('rebalance.page.triggerAgainCommand')} right={right} onAct={plan} small>
          {text('rebalance.page.triggerAgain')}
        </ActButton>
      }
    >
      {text('rebalance.page.ignored', { n: ignored.length })}
    </Notice>
  )
}

function RebalancerBody({ rebalancer }: { rebalancer: RebalancerView }) {
  const text = useText()
  const { get, hrefWith } = useUrlState()
  const stage = parseStage(get('stage'))
  const query = get('q') ?? ''
  const { targets } = rebalancer
  const shown = useMemo(() => {
    const terms = parseFilter(query)
    return targets.filter(
      (target) =>
        (stage === undefined || hasReached(target, stage))
        && matchesFilter(terms, { name: [nameOf(target.ref)], ns: [target.ref.namespace ?? ''] }),
    )
  }, [targets, stage, query])
  return (
    <div className="flex flex-col gap-4 px-6 py-4">
      <PredictionCheck rebalancer={rebalancer} />
      <StageCounts rebalancer={rebalancer} selected={stage} hrefOf={(next) => hrefWith({ stage: next })} />
      <section aria-label={text('plan.run.workloads')}>
        <div className="mb-1 flex flex-wrap items-center justify-between gap-2">
          <h2 className="text-section">{text('plan.run.workloads')}</h2>
          <FilterField hint={text('rebalance.page.filter')} />
        </div>
        <FilteredRows
          noun="workload"
          all={targets}
          shown={shown}
          query={[stage && `stage=${stage}`, query].filter(Boolean).join(' ')}
          clearHref={hrefWith({ stage: undefined, q: undefined })}
        >
          <RebalancerTargets targets={shown} />
        </FilteredRows>
      </section>
    </div>
  )
}

/** How many results equal the preview. It is a snapshot: clusters report while the scheduler works. */
function PredictionCheck({ rebalancer: { prediction } }: { rebalancer: RebalancerView }) {
  const text = useText()
  if (!prediction) return null
  const { exact, missed, announced, asExpected } = prediction
  return (
    <p data-testid="rebalancer-prediction" data-exact={exact} data-missed={missed} data-announced={announced}>
      {text('rebalance.page.prediction', { exact, total: exact + missed, missed, announced, asExpected })}
    </p>
  )
}

const parseStage = (value: string | undefined): RebalanceStage | undefined =>
  [...STAGES, 'failed' as const].find((stage) => stage === value)

function hasReached(target: RebalanceTargetView, stage: RebalanceStage): boolean {
  if (stage === 'failed') return target.stage === 'failed'
  const order: readonly RebalanceStage[] = STAGES
  return order.indexOf(target.stage) >= order.indexOf(stage)
}

function Gone({ name }: { name: string }) {
  const text = useText()
  return (
    <EmptyState title={text('rebalance.page.gone', { name })}>
      <p>{text('rebalance.page.goneHint')}</p>
      <p>
        <Link href="/rebalancers" className="link">
          {text('rebalance.page.all')}
        </Link>
        {' · '}
        <Link href={href.fleet()} className="link">
          {text('rebalance.page.fleet')}
        </Link>
      </p>
    </EmptyState>
  )
}
