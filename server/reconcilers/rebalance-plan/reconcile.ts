/** Reconciles one RebalancePlan. */
import {
  decideApproval,
  decideExpiry,
  decideNextStep,
  decideOrphan,
  isFinal,
  type PlanContext,
  type RunDecision,
  type RunSnapshot,
  withOpenedWave,
  withoutFailed,
  withWriteFault,
  workloadKey,
} from '@/lib/domain/rebalance'
import type { SchedulerProfile } from '@/lib/domain/placement'
import { rebalancePlan, type RebalancePlanObject } from '@/lib/kube/kinds/rebalance-plan'
import { english } from '@/lib/messages/english'
import type { ReconcileResult, ReconcilerContext } from '@/server/runtime/controller'
import type { Binding } from '../shared/binding-kinds'
import { carryOut, deleteExpired, isRefusal, notify, writeStatus, writeStep } from './act'
import { busyAtOf, paceOf, type PlanMemory, remember, sinceOf } from './memory'
import {
  allBindings,
  allClusters,
  allPolicies,
  bindingOf,
  orphansOf,
  restorationsOf,
  subjectOf,
  templateLabels,
} from './observe'

export { createPlanMemory } from './memory'

export interface PlanPassOptions {
  concurrency: number
  previewEveryMs: number
  profile: () => SchedulerProfile
  memory: PlanMemory
}

/** 1. End protections of a deleted plan. 2. Preview until approved. 3. Run. 4. Delete after the TTL. */
export async function reconcilePlan(
  context: ReconcilerContext,
  name: string,
  options: PlanPassOptions,
): Promise<ReconcileResult> {
  const plan = context.informers.of(rebalancePlan).get(name)
  await endOrphans(context, name, plan?.metadata.uid)
  if (!plan || plan.metadata.deletionTimestamp) return void options.memory.delete(name)
  if (plan.status?.startedAt === undefined) return prepare(context, plan, options)
  const waitMs = restBetweenPasses(context, plan, options)
  return waitMs > 0 ? { requeueAfterMs: waitMs } : run(context, plan, options)
}

/** The plan was deleted or replaced by another of its name: its protections end as they would have under the plan. */
async function endOrphans(context: ReconcilerContext, name: string, uid: string | undefined): Promise<void> {
  const clusters = allClusters(context.informers)
  for (const binding of orphansOf(context.informers, name, uid)) {
    const step = decideOrphan({ binding, clusters, now: context.clock.now(), english: english.of })
    if (step) await writeStep(context, step, binding)
  }
}

async function prepare(
  context: ReconcilerContext,
  plan: RebalancePlanObject,
  { previewEveryMs, profile }: PlanPassOptions,
): Promise<ReconcileResult> {
  if (plan.status?.phase === 'Invalid' && plan.status.observedGeneration === plan.metadata.generation) return
  const { informers } = context
  const bindings = allBindings(informers)
  const subject = subjectOf(plan)
  const decision = decideApproval({
    plan: subject,
    bindings,
    ...worldOf(context, profile),
    restorations: restorationsOf(informers, subject),
    ...(plan.spec.selection?.labelSelector && { labels: templateLabels(context, bindings) }),
  })
  const written = await writeStatus(context, plan, decision.status)
  notify(context, written, decision.news)
  if (decision.status.phase === 'Invalid') return
  return { requeueAfterMs: decision.requeueAfterMs ?? previewEveryMs }
}

function worldOf(
  { informers, clock }: ReconcilerContext,
  profile: () => SchedulerProfile,
): Omit<PlanContext, 'bindings'> {
  return {
    clusters: allClusters(informers),
    policies: allPolicies(informers),
    now: clock.now(),
    profile: profile(),
    english: english.of,
  }
}

/** Batches changes, because a reconcile of a large plan reads all of it and rewrites its status. */
function restBetweenPasses(
  { clock }: ReconcilerContext,
  { metadata, status }: RebalancePlanObject,
  { memory }: PlanPassOptions,
): number {
  const restMs = Math.min(1000, status?.workloads?.length ?? 0)
  const last = memory.get(metadata.name)?.lastPass
  return last === undefined ? 0 : Math.max(0, Math.min(restMs, last + restMs - clock.now()))
}

async function run(
  context: ReconcilerContext,
  plan: RebalancePlanObject,
  options: PlanPassOptions,
): Promise<ReconcileResult> {
  const now = context.clock.now()
  const { bindings, snapshot } = observe(context, plan, options)
  const decision = decideNextStep(snapshot)
  const steps = decision.steps.map((step) => ({ step, binding: bindings.get(workloadKey(step.details.workload))! }))
  const opened = withOpenedWave(decision.status, plan.status ?? {})
  const current = opened ? await writeStatus(context, plan, opened) : plan
  const { failed, error } = await carryOut(context, steps, options.concurrency)
  const before = current.status ?? {}
  const carriedOut = withoutFailed(decision.status, before, failed)
  const status = isRefusal(error)
    ? withWriteFault(carriedOut, before, { failed: failed.size, cause: error.message, now, english: english.of })
    : carriedOut
  const written = await writeStatus(context, current, status)
  remember(options.memory, written, { informers: context.informers, now })
  notify(context, written, decision.news)
  if (error !== undefined) throw error
  return isFinal(status.phase) ? expire(context, written) : again(decision)
}

function observe(
  context: ReconcilerContext,
  plan: RebalancePlanObject,
  { memory, profile }: PlanPassOptions,
): { bindings: ReadonlyMap<string, Binding>; snapshot: RunSnapshot } {
  const found = (plan.status?.workloads ?? []).flatMap(({ workload }) => {
    const binding = bindingOf(context.informers, workload)
    return binding ? [[workloadKey(workload), binding] as const] : []
  })
  const bindings = new Map(found)
  const world = worldOf(context, profile)
  const busyAt = busyAtOf(memory, plan, { informers: context.informers, now: world.now })
  return {
    bindings,
    snapshot: {
      plan: subjectOf(plan),
      bindings,
      ...world,
      since: sinceOf(memory, plan),
      pace: paceOf(memory, plan, world.now),
      ...(busyAt !== undefined && { busyAt }),
    },
  }
}

/** Requeues just after a timeout has become a fault, which requires that all of it has passed. */
function again({ requeueAfterMs }: RunDecision): ReconcileResult {
  if (requeueAfterMs !== undefined) return { requeueAfterMs: Math.max(1, requeueAfterMs) }
}

async function expire(context: ReconcilerContext, plan: RebalancePlanObject): Promise<ReconcileResult> {
  const verdict = decideExpiry(plan.spec.ttlSecondsAfterFinished, plan.status?.finishedAt, context.clock.now())
  if (verdict.act === 'wait') return { requeueAfterMs: verdict.remainingMs }
  if (verdict.act === 'delete') await deleteExpired(context, plan)
}
