/** Scheduler and kubelet of a member: binds each pod to a node, starts it, updates its readiness, ends it. */
import { findCondition } from '@/lib/kube/conditions'
import { isNotFound } from '@/lib/kube/errors'
import {
  cronJob as cronJobKind,
  deployment as deploymentKind,
  job as jobKind,
  pod as podKind,
  replicaSet as replicaSetKind,
  type Pod,
} from '@/lib/kube/kinds'
import { keyOf, objectKey, type ObjectKey } from '@/lib/kube/object'
import { isImageMissing, SIM_RUN_FOR } from '@/lib/kube/simulation'
import { parseTime, type EpochMs } from '@/lib/std/clock'
import { parseDuration } from '@/lib/std/duration'
import { deepEqual } from '@/lib/std/equal'
import { type Controller, type KeyQueue, type ReconcileResult, watch } from '@/server/runtime/controller'
import type { MemberContext } from './member-context'
import { controllerOf, ownerKey } from './ownership'
import { endedStatus, runningStatus, unschedulableStatus, waitingStatus } from './pod-status'
import { isReady } from './pod-state'
import { applicantOf } from './scheduling/node-ledger'

/** Time from the deletion request until the pod is removed, within its grace period. */
const STOP_MS = 500
/** Default run time of containers that complete. */
const RUN_MS = 5000
/** Delay before pending pods are retried when capacity becomes free, so that a batch of deletions is one retry. */
const RETRY_MS = 100

const NOWHERE = 'withoutNode'

/** The controller, and a function to retry pending pods. */
export function podController(member: MemberContext): { controller: Controller; retryWaiting: () => void } {
  const pods = member.informers.of(podKind)
  pods.addIndex(NOWHERE, ({ spec }) => (spec.nodeName ? [] : ['']))
  const started = new Map<string, EpochMs>()
  let queue: KeyQueue | undefined
  const retryWaiting = (): void => {
    for (const pod of pods.byIndex(NOWHERE, '')) queue?.addAfter(objectKey(pod), RETRY_MS)
  }
  const controller: Controller = {
    name: 'pod',
    concurrency: 16,
    watches: [watch({ kind: podKind })],
    reads: [replicaSetKind, jobKind],
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

/** The pods whose workload changed between healthy and unhealthy. */
function enqueueFlipped(member: MemberContext, before: ReadonlySet<string>, queue: KeyQueue): void {
  const { unhealthy } = member.settings()
  for (const pod of member.informers.of(podKind).list()) {
    const workload = workloadOf(member, pod)
    if (before.has(workload) !== unhealthy.has(workload)) queue.add(objectKey(pod))
  }
}

async function reconcile(
  member: MemberContext,
  key: ObjectKey,
  started: Map<string, EpochMs>,
): Promise<ReconcileResult> {
  const pod = member.informers.of(podKind).get(key)
  if (!pod || pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed') return
  if (pod.metadata.deletionTimestamp) return end(member, pod)
  if (!pod.spec.nodeName) return place(member, pod)
  return run(member, pod, started)
}

/** A pod ends quickly, within its grace period. */
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
    settled = await bindPod(member, pod, choice.node)
  } finally {
    settle(settled ? objectKey(pod) : undefined)
  }
}

async function wait(member: MemberContext, pod: Pod, message: string): Promise<void> {
  if (findCondition(pod.status?.conditions, 'PodScheduled')?.message === message) return
  await report(member, pod, unschedulableStatus(pod, message, member.clock.now()))
}

/** Binds the pod to its node. False if it was deleted or already bound. */
async function bindPod(
  { client }: MemberContext,
  { metadata: { namespace, name, uid } }: Pod,
  nodeName: string,
): Promise<boolean> {
  const binding = {
    apiVersion: 'v1',
    kind: 'Binding',
    metadata: { namespace, name, uid },
    target: { apiVersion: 'v1', kind: 'Node', name: nodeName },
  }
  const { status } = await client.raw('POST', `/api/v1/namespaces/${namespace}/pods/${name}/binding`, binding)
  if (status === 404 || status === 409) return false
  if (status >= 400)
    throw new Error(`the pod ${namespace}/${name} was not bound to ${nodeName}: the API answered ${status}`)
  return true
}

async function run(member: MemberContext, pod: Pod, started: Map<string, EpochMs>): Promise<ReconcileResult> {
  const { uid } = pod.metadata
  const now = member.clock.now()
  const { unhealthy, readyAfterMs } = member.settings()
  const healthy = !unhealthy.has(workloadOf(member, pod))
  if (lacksImage(pod)) return waitForImages(member, pod, started)
  if (pod.status?.phase !== 'Running') {
    const startedAt = started.get(uid) ?? now
    started.set(uid, startedAt)
    const remainingMs = startedAt + readyAfterMs - now
    if (remainingMs > 0) return { requeueAfterMs: remainingMs }
    await report(member, pod, runningStatus(pod, healthy, now))
  } else if (runsToCompletion(pod)) {
    const remainingMs = parseTime(pod.status.startTime ?? '') + runForMs(pod) - now
    if (remainingMs > 0) return { requeueAfterMs: remainingMs }
    await report(member, pod, endedStatus(pod, healthy, now))
  } else if (isReady(pod) !== healthy) await report(member, pod, runningStatus(pod, healthy, now))
}

const lacksImage = ({ spec }: Pod): boolean => (spec.containers ?? []).some(({ image = '' }) => isImageMissing(image))

/** The event is recorded once; a change of the pod's image requeues it. */
async function waitForImages(member: MemberContext, pod: Pod, started: Map<string, EpochMs>): Promise<ReconcileResult> {
  const now = member.clock.now()
  const wanted = waitingStatus(pod, now)
  if (deepEqual(pod.status?.containerStatuses, wanted.containerStatuses)) return
  const startedAt = started.get(pod.metadata.uid) ?? now
  started.set(pod.metadata.uid, startedAt)
  const remainingMs = startedAt + member.settings().readyAfterMs - now
  if (remainingMs > 0) return { requeueAfterMs: remainingMs }
  await report(member, pod, wanted)
}

/** Containers of such a pod are not restarted after they have ended. */
const runsToCompletion = ({ spec }: Pod): boolean =>
  spec.restartPolicy === 'Never' || spec.restartPolicy === 'OnFailure'

const runForMs = ({ metadata }: Pod): number => parseDuration(metadata.annotations?.[SIM_RUN_FOR] ?? '') ?? RUN_MS

async function report({ client }: MemberContext, { metadata }: Pod, status: NonNullable<Pod['status']>): Promise<void> {
  const { namespace, name } = metadata
  await client.patch(podKind, { namespace, name }, { type: 'merge', value: { status } }, { subresource: 'status' })
}

/** `namespace/name` of the top-level workload: the Deployment, not its ReplicaSet; the CronJob, not a Job. */
function workloadOf({ informers }: MemberContext, pod: Pod): string {
  const { namespace, name } = pod.metadata
  const [setKey, jobKey] = [ownerKey(pod, replicaSetKind), ownerKey(pod, jobKind)]
  const set = setKey === undefined ? undefined : informers.of(replicaSetKind).get(setKey)
  const job = jobKey === undefined ? undefined : informers.of(jobKind).get(jobKey)
  const above = (set && ownerKey(set, deploymentKind)) ?? (job && ownerKey(job, cronJobKind))
  return above ?? keyOf({ namespace, name: controllerOf(pod)?.name ?? name })
}
