/**
 * Runs the pods of each Job until enough have succeeded or too many have failed, and deletes finished Jobs after their
 * TTL.
 */
import { findCondition } from '@/lib/kube/conditions'
import { isNotFound } from '@/lib/kube/errors'
import { job as jobKind, node as nodeKind, pod as podKind, type Job, type Pod } from '@/lib/kube/kinds'
import type { ObjectKey } from '@/lib/kube/object'
import { parseTime } from '@/lib/std/clock'
import { mapBounded } from '@/server/runtime/bounded'
import { type Controller, type ReconcileResult, watch } from '@/server/runtime/controller'
import { createPod, removePod } from '../make-pod'
import { GATHER_MS, type MemberContext } from '../member-context'
import { indexByController, ownedBy, ownedObjects, ownerKey } from '../ownership'
import { limitConditions } from '../pod-limits'
import { isReady } from '../pod-state'
import { isSameStatus } from '../same-status'
import { hasFinished, type JobPod, planJob, podsAskedBy } from './job-plan'
import { orderForScaleDown } from './scale-down-order'

const INDEX = 'batch.kubernetes.io/job-completion-index'
const JOB_CONTROLLER = 'kubernetes.io/job-controller'
const PODS_AT_ONCE = 8

export function jobController(member: MemberContext): Controller {
  const pods = member.informers.of(podKind)
  indexByController(pods)
  return {
    name: 'job',
    concurrency: 4,
    watches: [watch({ kind: jobKind })],
    reads: [podKind, nodeKind],
    start: (queue) =>
      pods.onChange((change) => {
        const key = ownerKey(change.type === 'deleted' ? change.old : change.object, jobKind)
        if (key !== undefined) queue.addAfter(key, GATHER_MS)
      }),
    reconcile: (key) => reconcile(member, key),
  }
}

async function reconcile(member: MemberContext, key: ObjectKey): Promise<ReconcileResult> {
  const job = member.informers.of(jobKind).get(key)
  if (!job || job.metadata.deletionTimestamp || (job.spec.managedBy ?? JOB_CONTROLLER) !== JOB_CONTROLLER) return
  if (hasFinished(job)) return clearAway(member, job)
  if (member.expectations.unseen(job.metadata.uid).length > 0) return { requeueAfterMs: GATHER_MS }
  const now = member.clock.now()
  const owned = ownedObjects(member.informers.of(podKind), job)
  const pods = orderForScaleDown({ pods: owned, related: owned, now })
  const plan = planJob({ job, pods: pods.map((pod) => stateOf(member, pod)), now })
  await mapBounded(
    pods.filter(({ metadata }) => plan.remove.includes(metadata.name)),
    PODS_AT_ONCE,
    (pod) => removePod(member, pod),
  )
  await mapBounded(plan.create, PODS_AT_ONCE, ({ index }) => addPod(member, job, index))
  const conditions = limitConditions(member, {
    owner: { ...job, status: { conditions: plan.status.conditions ?? [] } },
    kind: jobKind,
    asked: podsAskedBy(job),
  })
  const status = { ...plan.status, ...(conditions && { conditions }) }
  if (!isSameStatus(job.status, status)) await writeStatus(member, job, status)
  if (plan.recheckMs !== undefined) return { requeueAfterMs: plan.recheckMs }
}

function stateOf({ expectations }: MemberContext, pod: Pod): JobPod {
  const { phase } = pod.status ?? {}
  const index = pod.metadata.annotations?.[INDEX]
  const ended = pod.status?.containerStatuses?.[0]?.state?.terminated?.finishedAt
  return {
    name: pod.metadata.name,
    phase: phase === 'Succeeded' ? 'succeeded' : phase === 'Failed' ? 'failed' : 'active',
    ready: isReady(pod),
    going: !expectations.isStaying(pod),
    ...(index !== undefined && { index: Number(index) }),
    ...(ended !== undefined && { endedAt: parseTime(ended) }),
  }
}

function addPod(member: MemberContext, job: Job, index: number | undefined): Promise<void> {
  const { name, uid } = job.metadata
  const number = index === undefined ? undefined : { [INDEX]: String(index) }
  return createPod(member, {
    owner: job,
    reference: ownedBy(jobKind, job),
    template: job.spec.template,
    identity: { generateName: index === undefined ? `${name}-` : `${name}-${index}-` },
    labels: {
      'batch.kubernetes.io/controller-uid': uid,
      'batch.kubernetes.io/job-name': name,
      'controller-uid': uid,
      'job-name': name,
      ...number,
    },
    ...(number && { annotations: number }),
  })
}

/** Writes the whole status, because a suspended Job loses its start time. */
async function writeStatus({ client }: MemberContext, job: Job, status: NonNullable<Job['status']>): Promise<void> {
  const { namespace, name } = job.metadata
  const value = { status: { ...(job.status?.startTime !== undefined && { startTime: null }), ...status } }
  await client.patch(jobKind, { namespace, name }, { type: 'merge', value }, { subresource: 'status' })
}

/** Deletes a finished Job with its pods when its TTL has expired. */
async function clearAway({ client, clock }: MemberContext, { metadata, spec, status }: Job): Promise<ReconcileResult> {
  if (spec.ttlSecondsAfterFinished === undefined) return
  const end = findCondition(status?.conditions, 'Complete') ?? findCondition(status?.conditions, 'Failed')
  const remainingMs = parseTime(end?.lastTransitionTime ?? '') + spec.ttlSecondsAfterFinished * 1000 - clock.now()
  if (remainingMs > 0) return { requeueAfterMs: remainingMs }
  const { namespace, name, uid } = metadata
  try {
    await client.delete(jobKind, { namespace, name }, { propagationPolicy: 'Foreground', preconditions: { uid } })
  } catch (error) {
    if (!isNotFound(error)) throw error
  }
}
