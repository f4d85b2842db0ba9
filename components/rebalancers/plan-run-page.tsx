'use client'
import { Suspense, useMemo } from 'react'
import type { PlanRunView, PlanStage } from '@/lib/view/rebalance-model'
import { nameOf, parseWorkloadId } from '@/lib/view/workload-id'
import { href } from '../hooks/url-state'
import { useCollection } from '../hooks/use-collection'
import { useUrlState } from '../hooks/use-url-state'
import { Rich } from '../messages/rich'
import { useText } from '../messages/use-text'
import { HeadroomWarnings } from '../plan/headroom'
import { PlanFlowSection } from '../plan/plan-flow'
import { Losses } from '../plan/losses'
import { SpreadWarnings } from '../plan/spread-warnings'
import { usePlanLoad } from '../plan/use-plan-load'
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
import { Created } from '../status/created'
import { PlanActions } from './plan-actions'
import { PlanRunTargets } from './plan-run-targets'
import { MOVING_STAGES } from './plan-words'
import { Prediction } from './prediction'
import { ReadyChart } from './ready-chart'
import { useApprovalLosses } from './use-approval-losses'
import { Waves } from './waves'

/** One RebalancePlan: its preview until it is approved, its waves while it runs, and its result. */
export function PlanRunPage() {
  const text = useText()
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
      actions={plan && <PlanActions plan={plan} losing={losing} />}
      subline={plan ? <StateSentence plan={plan} /> : null}
    >
      {plans.refused !== undefined && <Refused what="plans" of={plans} />}
      {!plans.loaded && plans.refused === undefined && <SkeletonRows label={text('plan.page.loading')} />}
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
      <StateMark state={plan.state.state} word={text(`plan.phase.${plan.phase}`)} className="text-title" />
      <span className="text-title font-normal">{text.of(plan.state.reason)}</span>
      <span className="text-ink-2">
        · <Created time={plan.createdAt} user={plan.createdBy} />
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
        <RunFlow plan={plan} />
        <Suspense fallback={null}>
          <ReadyChart plan={plan} />
        </Suspense>
        <Waves plan={plan} />
        <Prediction plan={plan} />
        <PlanRunTargets plan={plan} />
      </div>
    </>
  )
}

const ARRIVED: ReadonlySet<PlanStage> = new Set(['Healthy', 'Done'])

/** Shows the moves of a plan, completed and pending. */
function RunFlow({ plan }: { plan: PlanRunView }) {
  const { targets, startedAt } = plan
  const load = usePlanLoad(plan)
  const flow = useMemo(
    () =>
      targets
        .filter(({ stage }) => stage !== 'Skipped')
        .map(({ id, before, predicted, actual, stage }) => ({
          id,
          before,
          after: actual ?? predicted,
          done: ARRIVED.has(stage),
        })),
    [targets],
  )
  return <PlanFlowSection targets={flow} started={startedAt !== undefined} load={load} />
}

/** Why the plan is held. */
function HoldNotice({ plan: { hold, phase } }: { plan: PlanRunView }) {
  const text = useText()
  if (hold === undefined || phase !== 'Held') return null
  const workload = hold.workload === undefined ? undefined : parseWorkloadId(hold.workload)
  return (
    <div data-testid="plan-hold" data-reason={hold.reason}>
      <Notice state="fail">
        <span className="font-medium">{text('plan.page.held')} </span>
        {text.of(hold.message)}{' '}
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

/** The fleet changed between the preview and the approval. */
function ChangesNotice({ plan: { changes } }: { plan: PlanRunView }) {
  const text = useText()
  if (changes.length === 0) return null
  return (
    <div data-testid="plan-outdated">
      <Notice state="warn">
        <p className="font-medium">{text('plan.page.outdated')}</p>
        <ul className="list-disc pl-4">
          {changes.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      </Notice>
    </div>
  )
}

/** The workloads that warnings are about: those that have not moved yet. */
function stillToMove({ targets }: PlanRunView) {
  return targets
    .filter(({ stage }) => stage !== 'Done' && stage !== 'Skipped' && stage !== 'Failed')
    .map(({ id, ref, before, predicted }) => ({ id, ref, before, after: predicted }))
}

function Summary({ plan }: { plan: PlanRunView }) {
  const text = useText()
  const { counts } = plan
  const { hrefWith } = useUrlState()
  const those = (...stages: readonly PlanStage[]) => hrefWith({ q: `stage=${stages.join()}` })
  const figures = [
    {
      name: 'total',
      label: text('plan.figure.workloads', { n: counts.total }),
      value: counts.total,
      href: hrefWith({ q: undefined }),
    },
    { name: 'pending', label: text('plan.figure.pending'), value: counts.pending, href: those('Pending') },
    { name: 'moving', label: text('plan.figure.inProgress'), value: counts.moving, href: those(...MOVING_STAGES) },
    { name: 'done', label: text('plan.figure.done'), value: counts.done, href: those('Done') },
    { name: 'skipped', label: text('plan.figure.unchanged'), value: counts.skipped, href: those('Skipped') },
    { name: 'failed', label: text('plan.figure.failed'), value: counts.failed, href: those('Failed') },
    {
      name: 'replicasMoved',
      label: text(plan.finishedAt === undefined ? 'plan.figure.replicasToMove' : 'plan.figure.replicasMoved', {
        n: counts.replicasMoved,
      }),
      value: counts.replicasMoved,
    },
  ]
  return (
    <section aria-label={text('plan.page.summary')} className="flex flex-col gap-y-3">
      <Figures figures={figures} testId="plan-counts" />
      <ul className="flex flex-wrap gap-x-3 text-ink-2">
        {plan.rollout.map((line) => (
          <li key={line.code}>{text.of(line)}</li>
        ))}
        <Relatives plan={plan} />
      </ul>
    </section>
  )
}

/** The plan that this one undoes, and the plans that undo this one. */
function Relatives({ plan: { undoOf, undoneBy } }: { plan: PlanRunView }) {
  return (
    <>
      {undoOf && (
        <li>
          <Rich
            code="plan.page.undoes"
            args={{ plan: undoOf }}
            parts={{ link: <Link href={href.planRun(undoOf)} className="link" /> }}
          />
        </li>
      )}
      {undoneBy.map((name) => (
        <li key={name}>
          <Rich
            code="plan.page.undoneBy"
            args={{ plan: name }}
            parts={{ link: <Link href={href.planRun(name)} className="link" /> }}
          />
        </li>
      ))}
    </>
  )
}

function Gone({ name }: { name: string }) {
  const text = useText()
  return (
    <EmptyState title={text('plan.page.gone', { name })}>
      <p>{text('plan.page.goneHint')}</p>
      <p>
        <Link href="/rebalancers" className="link">
          {text('rebalance.page.all')}
        </Link>
      </p>
    </EmptyState>
  )
}
