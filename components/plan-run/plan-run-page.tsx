'use client'
import type { PlanRunView, PlanStage } from '@/lib/view/rebalance-model'
import { parseWorkloadId } from '@/lib/view/workload-id'
import { nameOf } from '../hooks/filter'
import { href } from '../hooks/url-state'
import { useCollection } from '../hooks/use-collection'
import { useUrlState } from '../hooks/use-url-state'
import { useText } from '../messages/use-text'
import { HeadroomWarnings } from '../plan/headroom'
import { Losses } from '../plan/losses'
import { SpreadWarnings } from '../plan/spread-warnings'
import { Refused } from '../shell/list-body'
import { PageFrame } from '../shell/page-frame'
import { Trail, TRAILS } from '../shell/trail'
import { Ago } from '../status/ago'
import { StateMark } from '../status/state-mark'
import { EmptyState } from '../ui/empty-state'
import { Figures } from '../ui/figures'
import { Link } from '../ui/link'
import { Notice } from '../ui/notice'
import { SkeletonRows } from '../ui/skeleton'
import { PlanActs } from './plan-acts'
import { PlanRunTargets } from './plan-run-targets'
import { MOVING_STAGES, PHASE_WORDS } from './plan-words'
import { Prediction } from './prediction'
import { useApprovalLosses } from './use-approval-losses'
import { Waves } from './waves'

/** One RebalancePlan: its preview while it waits, its waves while it runs, what came of it afterwards. */
export function PlanRunPage() {
  const { get } = useUrlState()
  const plans = useCollection('plans')
  const name = get('name') ?? ''
  const plan = plans.byId.get(name)
  const losing = useApprovalLosses(plan)
  return (
    <PageFrame
      title={<Trail parent={TRAILS.rebalancers} name={name} kind="RebalancePlan" />}
      documentTitle={name}
      freshness={plans.freshness}
      loaded={plans.loaded}
      actions={plan && <PlanActs plan={plan} losing={losing} />}
      subline={plan && <StateSentence plan={plan} />}
    >
      {plans.refused !== undefined && <Refused what="plans" reason={plans.refused} />}
      {!plans.loaded && plans.refused === undefined && <SkeletonRows label="Loading the plan" />}
      {plans.loaded && plan === undefined && <Gone name={name} />}
      {plan && (
        <div className="px-6">
          <Losses losses={losing.losses} confirmed={!losing.isOpen} onConfirm={losing.confirm} />
        </div>
      )}
      {plan && <PlanBody plan={plan} />}
    </PageFrame>
  )
}

function StateSentence({ plan }: { plan: PlanRunView }) {
  const text = useText()
  return (
    <span
      className="ml-2 flex min-w-0 flex-wrap items-center gap-x-2"
      data-testid="plan-state"
      data-state={plan.state.state}
      data-phase={plan.phase}
    >
      <StateMark state={plan.state.state} word={PHASE_WORDS[plan.phase]} className="font-medium" />
      <span>{text.of(plan.state.reason)}</span>
      <span className="text-ink-2">
        · created <Ago time={plan.createdAt} />
        {plan.createdBy && ` by ${plan.createdBy}`}
      </span>
    </span>
  )
}

function PlanBody({ plan }: { plan: PlanRunView }) {
  return (
    <>
      <HoldNotice plan={plan} />
      <ChangesNotice plan={plan} />
      <div className="flex flex-col gap-6 px-6 py-4">
        <Summary plan={plan} />
        <HeadroomWarnings headroom={plan.headroom} />
        <SpreadWarnings targets={stillToMove(plan)} />
        <Waves plan={plan} />
        <Prediction plan={plan} />
        <PlanRunTargets plan={plan} />
      </div>
    </>
  )
}

/** Why it stands still. */
function HoldNotice({ plan: { hold, phase } }: { plan: PlanRunView }) {
  if (hold === undefined || phase !== 'Held') return null
  const workload = hold.workload === undefined ? undefined : parseWorkloadId(hold.workload)
  return (
    <div data-testid="plan-hold" data-reason={hold.reason}>
      <Notice state="fail">
        <span className="font-medium">It stopped by itself: </span>
        {hold.message}{' '}
        {workload && hold.workload && (
          <Link href={href.workload(hold.workload)} className="link">
            {nameOf(workload)}
          </Link>
        )}{' '}
        <span className="text-ink-2">
          <Ago time={hold.at} />
        </span>
      </Notice>
    </div>
  )
}

/** The world moved between the approval and the beginning. */
function ChangesNotice({ plan: { changes } }: { plan: PlanRunView }) {
  if (changes.length === 0) return null
  return (
    <div data-testid="plan-outdated">
      <Notice state="warn">
        <p className="font-medium">
          The fleet changed since this plan was approved. Nothing more was done; below is the plan as it would be now.
        </p>
        <ul className="list-disc pl-4">
          {changes.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      </Notice>
    </div>
  )
}

/** What has arrived, or will not move, needs no warning any more. */
function stillToMove({ targets }: PlanRunView) {
  return targets
    .filter(({ stage }) => stage !== 'Done' && stage !== 'Skipped' && stage !== 'Failed')
    .map(({ id, ref, before, predicted }) => ({ id, ref, before, after: predicted }))
}

function Summary({ plan }: { plan: PlanRunView }) {
  const { counts } = plan
  const { hrefWith } = useUrlState()
  const those = (...stages: readonly PlanStage[]) => hrefWith({ q: `stage=${stages.join()}` })
  const figures = [
    { name: 'total', label: counts.total === 1 ? 'workload' : 'workloads', value: counts.total, href: hrefWith({ q: undefined }) },
    { name: 'pending', label: 'wait', value: counts.pending, href: those('Pending') },
    { name: 'moving', label: 'on their way', value: counts.moving, href: those(...MOVING_STAGES) },
    { name: 'done', label: 'done', value: counts.done, href: those('Done') },
    { name: 'skipped', label: 'do not move', value: counts.skipped, href: those('Skipped') },
    { name: 'failed', label: 'failed', value: counts.failed, href: those('Failed') },
    {
      name: 'replicasMoved',
      label: counts.replicasMoved === 1 ? 'replica moved' : 'replicas moved',
      value: counts.replicasMoved,
    },
  ]
  return (
    <section aria-label="Summary" className="grid gap-x-8 gap-y-2 wide:grid-cols-[1fr_1fr]">
      <Figures figures={figures} testId="plan-counts" />
      <ul>
        {plan.manner.map((line) => (
          <li key={line}>{line}</li>
        ))}
        <Relatives plan={plan} />
      </ul>
    </section>
  )
}

/** What this plan undoes, and what undid it. */
function Relatives({ plan: { undoOf, undoneBy } }: { plan: PlanRunView }) {
  return (
    <>
      {undoOf && (
        <li>
          Brings back what{' '}
          <Link href={href.planRun(undoOf)} className="link">
            {undoOf}
          </Link>{' '}
          moved.
        </li>
      )}
      {undoneBy.map((name) => (
        <li key={name}>
          Undone by{' '}
          <Link href={href.planRun(name)} className="link">
            {name}
          </Link>
          .
        </li>
      ))}
    </>
  )
}

function Gone({ name }: { name: string }) {
  return (
    <EmptyState title={`There is no plan ${name}`}>
      <p>It was deleted. What it moved stays where it is.</p>
      <p>
        <Link href="/rebalancers" className="link">
          All rebalancers
        </Link>
      </p>
    </EmptyState>
  )
}
