/** Scheduler and kubelet of a member: finds a node for each pod, starts it, keeps its readiness, ends it. */
import { findCondition } from '@/lib/kube/conditions'
import { isConflict, isNotFound } from '@/lib/kube/errors'
import { deployment as deploymentKind, pod as podKind, replicaSet as replicaSetKind, type Pod } from '@/lib/kube/kinds'
import { keyOf, objectKey, type ObjectKey } from '@/lib/kube/object'
import { parseTime, type EpochMs } from '@/lib/std/clock'
import { type Controller, type KeyQueue, type ReconcileResult, watch } from '@/server/runtime/controller'
import type { MemberContext } from './member-context'
import { controllerOf, ownerKey } from './ownership'
import { runningStatus, unschedulableStatus } from './pod-status'
import { isReady } from './pod-state'
import { applicantOf } from './scheduling/node-ledger'

/** From the request to end until the pod is gone, when its own grace allows that long. */
const STOP_MS = 500
/** Room that appears is offered to waiting pods after this, so that a batch of departures is one retry. */
const RETRY_MS = 100

const NOWHERE = 'withoutNode'

/** The loop, and a way to tell it that waiting pods may find room now. */
export function podLoop(member: MemberContext): { controller: Controller; retryWaiting: () => void } {
  const pods = member.informers.of(podKind)
  pods.addIndex(NOWHERE, ({ spec }) => (spec.nodeName ? [] : ['']))
  const started = new Map<string, EpochMs>()
  let queue: KeyQueue | undefined
  const retryWaiting = (): void => {
    for (const pod of pods.byIndex(NOWHERE, '')) queue?.addAfter(objectKey(pod), RETRY_MS)
  }
  const controller: Controller = {
    name: 'pod',
    concurrency: 8,
    watches: [watch({ kind: podKind })],
    reads: [replicaSetKind],
    start: (own) => {
      queue = own
      const stops = [
        member.onSettings((before) => enqueueFlipped(member, before.unhealthy, own)),
        pods.onChange((change) => {
          if (change.type === 'deleted') started.delete(change.old.metadata.uid)
        }),
      ]
      return () => {
        for (const stop of stops) stop()
      }
    },
    reconcile: (key) => reconcile(member, key, started),
  }
  return { controller, retryWaiting }
}

/** The pods whose workload became unhealthy, or is not any more. */
function enqueueFlipped(member: MemberContext, before: ReadonlySet<string>, queue: KeyQueue): void {
  const { unhealthy } = member.settings()
  for (const pod of member.informers.of(podKind).list()) {
    const workload = workloadOf(member, pod)
    if (before.has(workload) !== unhealthy.has(workload)) queue.add(objectKey(pod))
  }
}

async function reconcile(member: MemberContext, key: ObjectKey, started: Map<string, EpochMs>): Promise<ReconcileResult> {
  const pod = member.informers.of(podKind).get(key)
  if (!pod || pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed') return
  if (pod.metadata.deletionTimestamp) return end(member, pod)
  if (!pod.spec.nodeName) return place(member, pod)
  return run(member, pod, started)
}

/** A pod ends quickly, and never later than its grace. */
async function end({ client, clock }: MemberContext, { metadata }: Pod): Promise<ReconcileResult> {
  const graceMs = (metadata.deletionGracePeriodSeconds ?? 0) * 1000
  const askedAt = parseTime(metadata.deletionTimestamp ?? '') - graceMs
  const remainingMs = askedAt + Math.min(graceMs, STOP_MS) - clock.now()
  if (remainingMs > 0) return { requeueAfterMs: remainingMs }
  const { namespace, name, uid } = metadata
  try {
    await client.delete(podKind, { namespace, name }, { gracePeriodSeconds: 0, preconditions: { uid } })
  } catch (error) {
    if (!isNotFound(error)) throw error
  }
}

async function place(member: MemberContext, pod: Pod): Promise<void> {
  const { choice, settle } = member.ledger.reserve(applicantOf(pod))
  if (!('node' in choice)) return wait(member, pod, choice.message)
  let settled = false
  try {
    settled = await moveIn(member, pod, choice.node)
  } finally {
    settle(settled ? objectKey(pod) : undefined)
  }
}

async function wait({ client, clock }: MemberContext, pod: Pod, message: string): Promise<void> {
  if (findCondition(pod.status?.conditions, 'PodScheduled')?.message === message) return
  const { namespace, name } = pod.metadata
  const value = { status: unschedulableStatus(pod, message, clock.now()) }
  await client.patch(podKind, { namespace, name }, { type: 'merge', value }, { subresource: 'status' })
}

/**
 * Makes the pod again under its name, with its node: an API server takes `spec.nodeName` when a pod is made and never
 * later. False when the pod was gone already.
 */
async function moveIn({ client, expectations }: MemberContext, pod: Pod, nodeName: string): Promise<boolean> {
  const { namespace, name, uid, labels, annotations, ownerReferences } = pod.metadata
  const owner = controllerOf(pod)
  if (owner) expectations.replacing(owner.uid, pod)
  try {
    await client.delete(podKind, { namespace, name }, { gracePeriodSeconds: 0, preconditions: { uid } })
    const metadata = { name, namespace, labels, annotations, ownerReferences }
    await client.create(podKind, { apiVersion: 'v1', kind: 'Pod', metadata, spec: { ...pod.spec, nodeName } })
    return true
  } catch (error) {
    expectations.abandoned(pod)
    if (isNotFound(error) || isConflict(error)) return false
    throw error
  }
}

async function run(member: MemberContext, pod: Pod, started: Map<string, EpochMs>): Promise<ReconcileResult> {
  const { client, clock } = member
  const { namespace, name, uid } = pod.metadata
  const settings = member.settings()
  const healthy = !settings.unhealthy.has(workloadOf(member, pod))
  const isRunning = pod.status?.phase === 'Running'
  if (isRunning && isReady(pod) === healthy) return
  const startedAt = started.get(uid) ?? clock.now()
  started.set(uid, startedAt)
  const remainingMs = isRunning ? 0 : startedAt + settings.readyAfterMs - clock.now()
  if (remainingMs > 0) return { requeueAfterMs: remainingMs }
  const value = { status: runningStatus(pod, healthy, clock.now()) }
  await client.patch(podKind, { namespace, name }, { type: 'merge', value }, { subresource: 'status' })
}

/** `namespace/name` of the workload as people know it: the Deployment rather than its ReplicaSet. */
function workloadOf({ informers }: MemberContext, pod: Pod): string {
  const { namespace, name } = pod.metadata
  const setKey = ownerKey(pod, replicaSetKind)
  const set = setKey === undefined ? undefined : informers.of(replicaSetKind).get(setKey)
  const above = set && ownerKey(set, deploymentKind)
  return above ?? keyOf({ namespace, name: controllerOf(pod)?.name ?? name })
}
