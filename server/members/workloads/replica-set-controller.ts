/** Reconciles the pods of each ReplicaSet, and its status. */
import {
  node as nodeKind,
  pod as podKind,
  replicaSet as replicaSetKind,
  type Pod,
  type ReplicaSet,
  type WorkloadCondition,
} from '@/lib/kube/kinds'
import type { ObjectKey } from '@/lib/kube/object'
import { formatTime, type EpochMs } from '@/lib/std/clock'
import { deepEqual } from '@/lib/std/equal'
import { mapBounded } from '@/server/runtime/bounded'
import type { Change } from '@/server/kube/informer'
import { type Controller, type KeyQueue, type ReconcileResult, watch } from '@/server/runtime/controller'
import { createDebounce, type DebounceOptions } from '@/server/runtime/debounce'
import { createPod, removePod } from '../make-pod'
import { GATHER_MS, type MemberContext } from '../member-context'
import { controllerOf, indexByController, ownedBy, ownedByUid, ownedObjects } from '../ownership'
import { boundedReplicas, limitConditions, refusalOf } from '../pod-limits'
import { isReady } from '../pod-state'
import { isSameStatus } from '../same-status'
import { followPods, reportedCounts } from './reported-counts'
import { orderForScaleDown } from './scale-down-order'

const PODS_AT_ONCE = 8

/** While many ReplicaSets grow, pods that are not ready yet are counted with those that are. */
const GATHER_PODS: DebounceOptions = {
  settleMs: GATHER_MS,
  deferrable: { settleMs: GATHER_MS, perPendingMs: 20, longestSettleMs: 3_000 },
  intervalMs: 0,
}

export function replicaSetController(member: MemberContext): Controller {
  indexByController(member.informers.of(podKind))
  indexByController(member.informers.of(replicaSetKind))
  const debounce = createDebounce(member.clock, GATHER_PODS)
  let queue: KeyQueue | undefined
  const follow = followPods(member, replicaSetKind, (own, key, change) =>
    debounce.changed(own, key, { deferrable: isOnItsWay(change) }),
  )
  return {
    name: 'replica-set',
    concurrency: 4,
    watches: [watch({ kind: replicaSetKind })],
    // Nodes too: a pod created before they are known would be pending without a reason.
    reads: [podKind, nodeKind],
    start: (own) => {
      queue = own
      return follow(own)
    },
    reconcile: async (key) => {
      debounce.taken(key)
      return reconcile(member, key, (deferrable) => {
        if (queue) debounce.changed(queue, key, { deferrable })
      })
    },
  }
}

/** Reports whether a pod is new, or an update leaves its readiness, phase and deletion unchanged. */
function isOnItsWay(change: Change<Pod>): boolean {
  if (change.type !== 'updated') return change.type === 'added'
  const state = (pod: Pod) => [isReady(pod), pod.status?.phase, pod.metadata.deletionTimestamp]
  return deepEqual(state(change.old), state(change.object))
}

/** Pods are created and deleted at once; `countLater` and their changes queue the key for the counts. */
async function reconcile(
  member: MemberContext,
  key: ObjectKey,
  countLater: (deferrable: boolean) => void,
): Promise<ReconcileResult> {
  const set = member.informers.of(replicaSetKind).get(key)
  if (!set || set.metadata.deletionTimestamp) return
  const pods = ownedObjects(member.informers.of(podKind), set).filter((pod) => member.expectations.isActive(pod))
  const unseen = member.expectations.unseen(set.metadata.uid).length
  const asked = set.spec.replicas ?? 1
  const missing = boundedReplicas(asked) - pods.length - unseen
  if (missing === 0) return writeStatus(member, set, { pods, unseen, ...beyondLimit(member, set, asked) })
  const leaving =
    missing < 0
      ? orderForScaleDown({ pods, related: relatedPods(member, set), now: member.clock.now() }).slice(0, -missing)
      : []
  try {
    await mapBounded(Array.from({ length: Math.max(0, missing) }), PODS_AT_ONCE, () => addPod(member, set))
    await mapBounded(leaving, PODS_AT_ONCE, (pod) => removePod(member, pod))
  } catch (error) {
    await writeStatus(member, set, {
      pods,
      unseen,
      failure: { reason: missing > 0 ? 'FailedCreate' : 'FailedDelete', message: messageOf(error) },
    })
    throw error
  }
  countLater(missing > 0)
}

/** The failure condition of a ReplicaSet beyond the pod limit; an event is recorded when it begins. */
function beyondLimit(member: MemberContext, set: ReplicaSet, asked: number): Pick<Count, 'failure'> {
  const message = refusalOf(asked, member.name)
  if (message === undefined) return {}
  limitConditions(member, { owner: set, kind: replicaSetKind, asked })
  return { failure: { reason: 'FailedCreate', message } }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

interface Count {
  pods: readonly Pod[]
  /** Recently created pods. */
  unseen: number
  /** Why pods could not be created or deleted. */
  failure?: { reason: string; message: string }
}

/** Active pods of all ReplicaSets under the same Deployment. */
function relatedPods({ informers, expectations }: MemberContext, set: ReplicaSet): Pod[] {
  const owner = controllerOf(set)
  const siblings = owner ? ownedByUid(informers.of(replicaSetKind), owner.uid) : [set]
  return siblings
    .flatMap((sibling) => ownedObjects(informers.of(podKind), sibling))
    .filter((pod) => expectations.isActive(pod))
}

function addPod(member: MemberContext, set: ReplicaSet): Promise<void> {
  const { template } = set.spec
  if (!template) return Promise.resolve()
  return createPod(member, {
    owner: set,
    reference: ownedBy(replicaSetKind, set),
    template,
    identity: { generateName: `${set.metadata.name}-` },
  })
}

function failureOf(
  { status }: ReplicaSet,
  { reason, message }: NonNullable<Count['failure']>,
  now: EpochMs,
): WorkloadCondition {
  const before = status?.conditions?.find(({ type }) => type === 'ReplicaFailure')
  return {
    type: 'ReplicaFailure',
    status: 'True',
    reason,
    message,
    lastTransitionTime: before?.lastTransitionTime ?? formatTime(now),
  }
}

async function writeStatus(
  member: MemberContext,
  set: ReplicaSet,
  { pods, unseen, failure }: Count,
): Promise<ReconcileResult> {
  const { client, clock } = member
  const { ready, available, nextMs } = reportedCounts(member, pods, set.spec.minReadySeconds ?? 0)
  const replicas = pods.length + unseen
  const status = {
    replicas,
    fullyLabeledReplicas: replicas,
    readyReplicas: ready,
    availableReplicas: available,
    observedGeneration: set.metadata.generation,
    ...(failure
      ? { conditions: [failureOf(set, failure, clock.now())] }
      : set.status?.conditions && { conditions: null }),
  }
  if (!isSameStatus(set.status, status)) {
    const { namespace, name } = set.metadata
    await client.patch(
      replicaSetKind,
      { namespace, name },
      { type: 'merge', value: { status } },
      { subresource: 'status' },
    )
  }
  if (nextMs !== undefined) return { requeueAfterMs: nextMs }
}
