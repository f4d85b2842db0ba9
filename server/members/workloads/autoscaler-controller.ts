/** Keeps the target of a HorizontalPodAutoscaler within its bounds. There are no metrics, which its status reports. */
import { findCondition } from '@/lib/kube/conditions'
import { isNotFound } from '@/lib/kube/errors'
import {
  deployment as deploymentKind,
  horizontalPodAutoscaler as autoscalerKind,
  replicaSet as replicaSetKind,
  statefulSet as statefulSetKind,
  type HorizontalPodAutoscaler,
  type WorkloadCondition,
} from '@/lib/kube/kinds'
import { objectKey, type ObjectKey } from '@/lib/kube/object'
import { formatTime } from '@/lib/std/clock'
import { type Controller, watch } from '@/server/runtime/controller'
import { GATHER_MS, type MemberContext } from '../member-context'
import { isSameStatus } from '../same-status'

const SCALED = [deploymentKind, statefulSetKind, replicaSetKind] as const
const NO_METRICS =
  'the HPA was unable to compute the replica count: unable to get metrics: the server could not find the requested resource'

export function autoscalerController(member: MemberContext): Controller {
  const autoscalers = member.informers.of(autoscalerKind)
  return {
    name: 'autoscaler',
    watches: [watch({ kind: autoscalerKind })],
    reads: SCALED,
    start: (queue) => {
      const stops = SCALED.map((kind) =>
        member.informers.of<Scaled>(kind).onChange((change) => {
          const { namespace = '', name } = (change.type === 'deleted' ? change.old : change.object).metadata
          for (const autoscaler of autoscalers.listNamespace(namespace)) {
            const { kind: target, name: targetName } = autoscaler.spec.scaleTargetRef
            if (target === kind.kind && targetName === name) queue.addAfter(objectKey(autoscaler), GATHER_MS)
          }
        }),
      )
      return () => {
        for (const stop of stops) stop()
      }
    },
    reconcile: (key) => reconcile(member, key),
  }
}

type Scaled = NonNullable<ReturnType<typeof targetOf>>['object']

function targetOf({ informers }: MemberContext, { metadata, spec }: HorizontalPodAutoscaler) {
  const key = `${metadata.namespace}/${spec.scaleTargetRef.name}`
  switch (spec.scaleTargetRef.kind) {
    case 'Deployment':
      return found(deploymentKind, informers.of(deploymentKind).get(key))
    case 'StatefulSet':
      return found(statefulSetKind, informers.of(statefulSetKind).get(key))
    case 'ReplicaSet':
      return found(replicaSetKind, informers.of(replicaSetKind).get(key))
    default:
      return undefined
  }
}

const found = <K, T>(kind: K, object: T | undefined) => (object === undefined ? undefined : { kind, object })

async function reconcile(member: MemberContext, key: ObjectKey): Promise<void> {
  const autoscaler = member.informers.of(autoscalerKind).get(key)
  if (!autoscaler || autoscaler.metadata.deletionTimestamp) return
  const target = targetOf(member, autoscaler)
  const current = target?.object.spec.replicas
  const desired = target && boundedReplicas(autoscaler, current ?? 1)
  if (target && desired !== undefined && desired !== (current ?? 1)) await scale(member, target, desired)
  await writeStatus(member, autoscaler, { current, desired })
}

/** A target with zero replicas is not scaled. */
function boundedReplicas({ spec }: HorizontalPodAutoscaler, current: number): number {
  return current === 0 ? 0 : Math.min(spec.maxReplicas, Math.max(spec.minReplicas ?? 1, current))
}

async function scale(
  { client }: MemberContext,
  { kind, object }: NonNullable<ReturnType<typeof targetOf>>,
  replicas: number,
): Promise<void> {
  const { namespace, name, resourceVersion } = object.metadata
  try {
    await client.patch<Scaled>(
      kind,
      { namespace, name },
      { type: 'merge', value: { metadata: { resourceVersion }, spec: { replicas } } },
    )
  } catch (error) {
    if (!isNotFound(error)) throw error
  }
}

interface Figures {
  current: number | undefined
  desired: number | undefined
}

async function writeStatus(
  { client, clock }: MemberContext,
  autoscaler: HorizontalPodAutoscaler,
  { current, desired }: Figures,
): Promise<void> {
  const time = formatTime(clock.now())
  const conditions = conditionsOf(autoscaler, { current, desired }).map((condition) => {
    const before = findCondition(autoscaler.status?.conditions, condition.type)
    return { ...condition, lastTransitionTime: before?.status === condition.status ? before.lastTransitionTime : time }
  })
  const status = {
    currentReplicas: current ?? 0,
    desiredReplicas: desired ?? 0,
    observedGeneration: autoscaler.metadata.generation,
    conditions,
  }
  if (isSameStatus(autoscaler.status, status)) return
  const { namespace, name } = autoscaler.metadata
  await client.patch(
    autoscalerKind,
    { namespace, name },
    { type: 'merge', value: { status } },
    { subresource: 'status' },
  )
}

function conditionsOf({ spec }: HorizontalPodAutoscaler, { current, desired }: Figures): WorkloadCondition[] {
  if (desired === undefined) {
    const { kind, name } = spec.scaleTargetRef
    const message = `the HPA controller was unable to get the target's current scale: ${kind.toLowerCase()}s.apps "${name}" not found`
    return [{ type: 'AbleToScale', status: 'False', reason: 'FailedGetScale', message }]
  }
  const able = {
    type: 'AbleToScale',
    status: 'True',
    reason: 'SucceededGetScale',
    message: "the HPA controller was able to get the target's current scale",
  }
  if (desired === 0)
    return [
      able,
      {
        type: 'ScalingActive',
        status: 'False',
        reason: 'ScalingDisabled',
        message: 'scaling is disabled since the replica count of the target is zero',
      },
    ]
  if (desired === current)
    return [able, { type: 'ScalingActive', status: 'False', reason: 'FailedGetResourceMetric', message: NO_METRICS }]
  return [
    {
      ...able,
      reason: 'SucceededRescale',
      message: `the HPA controller was able to update the target scale to ${desired}`,
    },
  ]
}
