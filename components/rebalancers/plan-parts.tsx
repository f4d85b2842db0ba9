/** Parts of a plan's page, for plans of the fleet and rehearsed ones. */
import { type ReactNode, Suspense, useMemo } from 'react'
import type { PlanRunView, PlanStage } from '@/lib/view/rebalance-model'
import { nameOf, parseWorkloadId } from '@/lib/view/workload-id'
import { href } from '../hooks/url-state'
import { useUrlState } from '../hooks/use-url-state'
import { Rich } from '../messages/rich'
import { useText } from '../messages/use-text'
import { HeadroomWarnings } from '../plan/headroom'
import { PlanFlowSection } from '../plan/plan-flow'
import { SpreadWarnings } from '../plan/spread-warnings'
import type { KnownLoad } from '../plan/use-plan-load'
import { Ago } from '../status/ago'
import { Created } from '../status/created'
import { StateMark } from '../status/state-mark'
import { Figures } from '../ui/figures'
import { Link } from '../ui/link'
import { Notice } from '../ui/notice'
import { PlanRunTargets } from './plan-run-targets'
import { MOVING_STAGES } from './plan-words'
import { Prediction } from './prediction'
import { Waves } from './waves'

interface PlanPartsProps {
  plan: PlanRunView
  load: KnownLoad
  /** Ready replicas over time. */
  chart: ReactNode
}

export function PlanParts({ plan, load, chart }: PlanPartsProps) {
  return (
    <>
      <HoldNotice plan={plan} />
      <ChangesNotice plan={plan} />
      <div className="flex flex-col gap-6 px-6 py-4">
        <Summary plan={plan} />
        <HeadroomWarnings headroom={plan.headroom} />
        <SpreadWarnings targets={stillToMove(plan)} />
        <RunFlow plan={plan} load={load} />
        <Suspense fallback={null}>{chart}</Suspense>
        <Waves plan={plan} />
        <Prediction plan={plan} />
        <PlanRunTargets plan={plan} />
      </div>
    </>
  )
}

/** Phase, reason and origin; a plan of a rehearsal was created in simulated time, which has no "ago". */
export function StateSentence({ plan, isRecorded = false }: { plan: PlanRunView; isRecorded?: boolean }) {
  const text = useText()
  return (
    <span
      className="ml-2 flex min-w-0 flex-wrap items-center gap-x-2"
      data-testid="plan-state"
      data-state={plan.state.state}
      data-phase={plan.phase}
    >
      <StateMark state={plan.state.state} word={text(`plan.phase.${plan.phase}`)} className="text-title" />
      <span className="text-title font-normal">
        {text.of(plan.state.reason)} {isUnderWay(plan) && text('plan.page.moved', movedBy(plan))}
      </span>
      {!isRecorded && (
        <span className="text-ink-2">
          · <Created time={plan.createdAt} user={plan.createdBy} />
        </span>
      )}
    </span>
  )
}

const ARRIVED: ReadonlySet<PlanStage> = new Set(['Healthy', 'Done'])

const isUnderWay = ({ startedAt, finishedAt }: PlanRunView): boolean =>
  startedAt !== undefined && finishedAt === undefined

/** Replicas that are where the plan puts them, of those that it moves. */
function movedBy({ targets, counts: { replicasMoved } }: PlanRunView) {
  const arrived = targets.filter(({ stage }) => ARRIVED.has(stage))
  return { moved: arrived.reduce((sum, { moved }) => sum + moved, 0), n: replicasMoved }
}

/** Shows the moves of a plan, completed and pending. */
function RunFlow({ plan: { targets, startedAt }, load }: { plan: PlanRunView; load: KnownLoad }) {
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
