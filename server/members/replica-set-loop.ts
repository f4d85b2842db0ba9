/** Keeps as many pods as each ReplicaSet asks for, and counts them. */
import { node as nodeKind, pod as podKind, replicaSet as replicaSetKind, type Pod, type ReplicaSet } from '@/lib/kube/kinds'
import type { ObjectKey } from '@/lib/kube/object'
import { mapBounded } from '@/server/runtime/bounded'
import { type Controller, type ReconcileResult, watch } from '@/server/runtime/controller'
import { createPod, removePod } from './make-pod'
import { GATHER_MS, type MemberContext } from './member-context'
import { indexByController, ownedBy, ownedObjects, ownerKey } from './ownership'
import { bySacrifice, countPods } from './pod-state'
import { isSameStatus } from './same-status'

const PODS_AT_ONCE = 8

export function replicaSetLoop(member: MemberContext): Controller {
  const pods = member.informers.of(podKind)
  indexByController(pods)
  return {
    name: 'replica-set',
    concurrency: 4,
    watches: [watch({ kind: replicaSetKind })],
    // Nodes too: a pod that is made before they are known would wait for no reason.
    reads: [podKind, nodeKind],
    start: (queue) => pods.onChange((change) => {
      const key = ownerKey(change.type === 'deleted' ? change.old : change.object, replicaSetKind)
      if (key !== undefined) queue.addAfter(key, GATHER_MS)
    }),
    reconcile: (key) => reconcile(member, key),
  }
}

async function reconcile(member: MemberContext, key: ObjectKey): Promise<ReconcileResult> {
  const set = member.informers.of(replicaSetKind).get(key)
  if (!set || set.metadata.deletionTimestamp) return
  const pods = ownedObjects(member.informers.of(podKind), set).filter((pod) => member.expectations.isActive(pod))
  const unseen = member.expectations.unseen(set.metadata.uid).length
  const missing = (set.spec.replicas ?? 1) - pods.length - unseen
  const leaving = missing < 0 ? pods.toSorted(bySacrifice).slice(0, -missing) : []
  await mapBounded(Array.from({ length: Math.max(0, missing) }), PODS_AT_ONCE, () => addPod(member, set))
  await mapBounded(leaving, PODS_AT_ONCE, (pod) => removePod(member, pod))
  const staying = pods.filter((pod) => !leaving.includes(pod))
  return writeStatus(member, set, { staying, fresh: unseen + Math.max(0, missing) })
}

function addPod(member: MemberContext, set: ReplicaSet): Promise<void> {
  const { template } = set.spec
  if (!template) return Promise.resolve()
  return createPod(member, { owner: set, reference: ownedBy(replicaSetKind, set), template, identity: { generateName: `${set.metadata.name}-` } })
}

async function writeStatus(
  { client, clock }: MemberContext,
  set: ReplicaSet,
  { staying, fresh }: { staying: readonly Pod[]; fresh: number },
): Promise<ReconcileResult> {
  const { ready, available, nextMs } = countPods(staying, set.spec.minReadySeconds ?? 0, clock.now())
  const replicas = staying.length + fresh
  const status = {
    replicas,
    fullyLabeledReplicas: replicas,
    readyReplicas: ready,
    availableReplicas: available,
    observedGeneration: set.metadata.generation,
  }
  if (!isSameStatus(set.status, status)) {
    const { namespace, name } = set.metadata
    await client.patch(replicaSetKind, { namespace, name }, { type: 'merge', value: { status } }, { subresource: 'status' })
  }
  if (nextMs !== undefined) return { requeueAfterMs: nextMs }
}
