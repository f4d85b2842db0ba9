/** Sets the replicas of templates by the usage of their pods in all clusters. See README.md. */
import { planReplicas, type Recommendation } from '@/lib/domain/scaling'
import { cluster as clusterKind, resourceBinding } from '@/lib/kube/kinds'
import { federatedHpa, type FederatedHpa } from '@/lib/kube/kinds/federated-hpa'
import type { ObjectKey } from '@/lib/kube/object'
import { formatTime } from '@/lib/std/clock'
import { type Controller, type ReconcileResult, type ReconcilerContext, watch } from '@/server/runtime/controller'
import { referenceTo } from '../shared/binding-kinds'
import { writeStatusFields } from '../shared/object-writes'
import { acquireTemplateKinds, type TemplateKindsLease } from '../shared/template-kinds'
import { observe, type Observed, Unscalable } from './observe'

/** As often as an autoscaler of Kubernetes looks. */
const EVERY_MS = 15_000

export function federatedHpaController(context: ReconcilerContext): Controller {
  const memory = new Map<ObjectKey, Recommendation[]>()
  let kinds: TemplateKindsLease | undefined
  return {
    name: 'federated-hpa',
    concurrency: 4,
    watches: [
      watch({
        kind: federatedHpa,
        relevant: (change) =>
          change.type !== 'updated' || change.object.metadata.generation !== change.old.metadata.generation,
      }),
    ],
    reads: [resourceBinding, clusterKind],
    whenReady: async () => kinds?.kinds.whenReady(),
    start: () => {
      kinds = acquireTemplateKinds(context)
      return () => kinds?.release()
    },
    reconcile: (key) => reconcile(context, memory, key),
  }
}

/** 1. Read the workload and its pods. 2. Plan. 3. Scale the template. 4. Update the status. */
async function reconcile(
  context: ReconcilerContext,
  memory: Map<ObjectKey, Recommendation[]>,
  key: ObjectKey,
): Promise<ReconcileResult> {
  const autoscaler = context.informers.of(federatedHpa).get(key)
  if (!autoscaler || autoscaler.metadata.deletionTimestamp) return void memory.delete(key)
  try {
    const observed = await observe(context, autoscaler)
    await scale(context, memory, { key, autoscaler, observed })
  } catch (error) {
    if (!(error instanceof Unscalable)) throw error
    emit(context, autoscaler, { type: 'Warning', reason: error.reason, message: error.message })
    const conditions = [condition('AbleToScale', 'False', error.reason, error.message)]
    await report(context, autoscaler, { conditions })
  }
  return { requeueAfterMs: EVERY_MS }
}

interface Pass {
  key: ObjectKey
  autoscaler: FederatedHpa
  observed: Observed
}

async function scale(
  context: ReconcilerContext,
  memory: Map<ObjectKey, Recommendation[]>,
  { key, autoscaler, observed }: Pass,
): Promise<void> {
  const { client, clock } = context
  const now = clock.now()
  const { kind, ref, current } = observed
  const recommendations = memory.get(key) ?? []
  const plan = planReplicas({ spec: autoscaler.spec, ...observed, recommendations, now })
  memory.set(key, plan.recommendations)
  const { desired, reason } = plan
  const isChanged = desired !== current
  if (isChanged) {
    const value = { spec: { replicas: desired } }
    await client.patch(kind, ref, { type: 'merge', value }, { subresource: 'scale' })
    // upstream: reconcileAutoscaler
    const message = `New size: ${desired}; reason: ${reason}`
    emit(context, autoscaler, { type: 'Normal', reason: 'SuccessfulRescale', message })
  }
  await report(context, autoscaler, {
    currentReplicas: current,
    desiredReplicas: desired,
    observedGeneration: autoscaler.metadata.generation,
    ...(isChanged && { lastScaleTime: formatTime(now) }),
    conditions: conditionsOf(plan.failed, { current, desired: isChanged ? desired : undefined }),
  })
}

type Status = NonNullable<FederatedHpa['status']>
type Condition = NonNullable<Status['conditions']>[number]

const condition = (type: string, status: 'True' | 'False', reason: string, message: string): Condition => ({
  type,
  status,
  reason,
  message,
})

/** In the words of the autoscaler of Kubernetes. */
function conditionsOf(
  failed: boolean,
  { current, desired }: { current: number; desired: number | undefined },
): Condition[] {
  const able =
    desired === undefined
      ? condition(
          'AbleToScale',
          'True',
          'SucceededGetScale',
          // upstream
          "the HPA controller was able to get the target's current scale",
        )
      : condition(
          'AbleToScale',
          'True',
          'SucceededRescale',
          // upstream
          `the HPA controller was able to update the target scale to ${desired}`,
        )
  if (current === 0) {
    // upstream
    const why = 'scaling is disabled since the replica count of the target is zero'
    return [able, condition('ScalingActive', 'False', 'ScalingDisabled', why)]
  }
  const active = failed
    ? condition(
        'ScalingActive',
        'False',
        'FailedGetResourceMetric',
        // upstream
        'the HPA was unable to compute the replica count: no metrics returned from resource metrics API',
      )
    : condition(
        'ScalingActive',
        'True',
        'ValidMetricFound',
        // upstream
        'the HPA was able to successfully calculate a replica count',
      )
  return [able, active]
}

async function report(
  { client, clock }: ReconcilerContext,
  object: FederatedHpa,
  fields: Partial<Status>,
): Promise<void> {
  const now = formatTime(clock.now())
  const before = object.status?.conditions ?? []
  const conditions = (fields.conditions ?? []).map((one) => {
    const known = before.find(({ type }) => type === one.type)
    return { ...one, lastTransitionTime: known?.status === one.status ? known.lastTransitionTime : now }
  })
  const named = new Set(conditions.map(({ type }) => type))
  const all = [...conditions, ...before.filter(({ type }) => !named.has(type))]
  const desiredReplicas = fields.desiredReplicas ?? object.status?.desiredReplicas ?? 0
  await writeStatusFields(client, federatedHpa, { object, fields: { ...fields, desiredReplicas, conditions: all } })
}

interface AutoscalerEvent {
  type: 'Normal' | 'Warning'
  reason: string
  message: string
}

function emit({ events }: ReconcilerContext, autoscaler: FederatedHpa, event: AutoscalerEvent): void {
  events.record({ component: 'federatedHPA-controller', ...event, regarding: referenceTo(federatedHpa, autoscaler) })
}
