/** Reconciles one FailbackPolicy. */
import { decideFailback, FAILBACK_LABEL, type FailbackDecision, workloadKey, workloadOf } from '@/lib/domain/rebalance'
import type { SchedulerProfile } from '@/lib/domain/placement'
import { setCondition } from '@/lib/kube/conditions'
import { isAlreadyExists } from '@/lib/kube/errors'
import { cluster as clusterKind } from '@/lib/kube/kinds/cluster'
import { failbackPolicy, type FailbackPolicy } from '@/lib/kube/kinds/failback-policy'
import { rebalancePlan } from '@/lib/kube/kinds/rebalance-plan'
import { apiVersionOf } from '@/lib/kube/kind'
import { keyOf, type Condition } from '@/lib/kube/object'
import { english } from '@/lib/messages/english'
import { formatTime } from '@/lib/std/clock'
import type { ReconcileResult, ReconcilerContext } from '@/server/runtime/controller'
import { type Binding, bindingKinds, referenceTo } from '../shared/binding-kinds'
import { writeStatusFields } from '../shared/object-writes'
import { findTemplateKind } from '../shared/template-kinds'

interface PassOptions {
  profile: () => SchedulerProfile
  everyMs: number
}

/** 1. Find workloads that could return. 2. Create a plan for as many as permitted. 3. Report. */
export async function reconcileFailback(
  context: ReconcilerContext,
  name: string,
  { profile, everyMs }: PassOptions,
): Promise<ReconcileResult> {
  const policy = context.informers.of(failbackPolicy).get(name)
  if (!policy || policy.metadata.deletionTimestamp) return
  const decision = decideFailback(observe(context, policy, profile()))
  if (decision.create) await create(context, policy, decision)
  await report(context, policy, decision)
  return { requeueAfterMs: Math.min(everyMs, decision.requeueAfterMs ?? everyMs) }
}

function observe(
  { informers, clock }: ReconcilerContext,
  { metadata: { name }, spec }: FailbackPolicy,
  profile: SchedulerProfile,
) {
  const bindings = bindingKinds.flatMap((kind) => [...informers.of(kind).list()])
  const plans = informers
    .of(rebalancePlan)
    .list()
    .filter(({ metadata }) => metadata.labels?.[FAILBACK_LABEL] === name)
  return {
    policy: { name, spec },
    bindings,
    plans,
    clusters: informers.of(clusterKind).list(),
    profile,
    english: english.of,
    now: clock.now(),
    ...(spec.selection?.labelSelector && { labels: labelsOf({ informers }, bindings) }),
  }
}

function labelsOf(
  context: Pick<ReconcilerContext, 'informers'>,
  bindings: readonly Binding[],
): Map<string, Record<string, string>> {
  return new Map(
    bindings.flatMap((binding) => {
      const workload = workloadOf(binding)
      const kind = findTemplateKind(context, workload.apiVersion, workload.kind)
      const labels = kind && context.informers.of(kind).get(keyOf(workload))?.metadata.labels
      return labels ? [[workloadKey(workload), labels] as const] : []
    }),
  )
}

/** The name derives from the decision, so that a decision from an outdated cache does not create a second plan. */
async function create(
  { client, events }: ReconcilerContext,
  policy: FailbackPolicy,
  { create: plan, reason }: FailbackDecision,
): Promise<void> {
  if (!plan) return
  try {
    await client.create(rebalancePlan, {
      apiVersion: apiVersionOf(rebalancePlan),
      kind: rebalancePlan.kind,
      metadata: { name: plan.name, labels: { [FAILBACK_LABEL]: policy.metadata.name } },
      spec: plan.spec,
    })
    const regarding = referenceTo(failbackPolicy, policy)
    events.record({
      component: 'failback',
      type: 'Normal',
      reason: reason.code,
      message: english.of(reason.text),
      regarding,
    })
  } catch (error) {
    if (!isAlreadyExists(error)) throw error
  }
}

async function report(
  { client, clock }: ReconcilerContext,
  policy: FailbackPolicy,
  { status, reason }: FailbackDecision,
): Promise<void> {
  const { generation } = policy.metadata
  const before = (policy.status?.conditions ?? []) as Condition[]
  const active = {
    type: 'Active',
    status: policy.spec.suspend ? ('False' as const) : ('True' as const),
    reason: reason.code,
    message: english.of(reason.text),
  }
  const conditions = setCondition(before, active, formatTime(clock.now()))
  const fields = { ...status, conditions, ...(generation !== undefined && { observedGeneration: generation }) }
  await writeStatusFields(client, failbackPolicy, { object: policy, fields, lock: true })
}
