/** Reconciles the pods of each StatefulSet, and its status. */
import {
  node as nodeKind,
  pod as podKind,
  statefulSet as statefulSetKind,
  type Pod,
  type StatefulSet,
} from '@/lib/kube/kinds'
import type { ObjectKey } from '@/lib/kube/object'
import { type Controller, type ReconcileResult, watch } from '@/server/runtime/controller'
import { createPod, removePod } from '../make-pod'
import type { MemberContext } from '../member-context'
import { type NumberedPod, planOrdinals } from './ordinals'
import { indexByController, ownedBy, ownedObjects } from '../ownership'
import { boundedReplicas, limitConditions } from '../pod-limits'
import { isReady } from '../pod-state'
import { isSameStatus } from '../same-status'
import { followPods, reportedCounts } from './reported-counts'
import { claimsOf, ensureClaim, withClaims } from './set-claims'
import { templateHash } from './template-hash'

const REVISION_LABEL = 'controller-revision-hash'
const NAME_LABEL = 'statefulset.kubernetes.io/pod-name'
const INDEX_LABEL = 'apps.kubernetes.io/pod-index'

export function statefulSetController(member: MemberContext): Controller {
  indexByController(member.informers.of(podKind))
  return {
    name: 'stateful-set',
    concurrency: 4,
    watches: [watch({ kind: statefulSetKind })],
    // Nodes too: a pod created before they are known would be pending without a reason.
    reads: [podKind, nodeKind],
    start: followPods(member, statefulSetKind),
    reconcile: (key) => reconcile(member, key),
  }
}

async function reconcile(member: MemberContext, key: ObjectKey): Promise<ReconcileResult> {
  const set = member.informers.of(statefulSetKind).get(key)
  if (!set || set.metadata.deletionTimestamp) return
  const revision = `${set.metadata.name}-${templateHash(set.spec.template)}`
  const pods = ownedObjects(member.informers.of(podKind), set)
  const { create, remove } = planOrdinals({
    replicas: boundedReplicas(set.spec.replicas ?? 1),
    start: set.spec.ordinals?.start ?? 0,
    parallel: set.spec.podManagementPolicy === 'Parallel',
    updateFrom:
      set.spec.updateStrategy?.type === 'OnDelete'
        ? undefined
        : (set.spec.updateStrategy?.rollingUpdate?.partition ?? 0),
    pods: [...pods.map((pod) => numbered(member, pod, revision)), ...unseen(member, set)],
  })
  for (const ordinal of create) await addPod(member, set, { ordinal, revision })
  for (const pod of pods) if (remove.includes(ordinalOf(pod.metadata.name))) await removePod(member, pod)
  return writeStatus(member, set, { pods, revision })
}

function numbered(member: MemberContext, pod: Pod, revision: string): NumberedPod {
  return {
    ordinal: ordinalOf(pod.metadata.name),
    ready: isReady(pod),
    updated: pod.metadata.labels?.[REVISION_LABEL] === revision,
    going: !member.expectations.isActive(pod),
  }
}

/** Recently created pods that the cache does not show yet. */
function unseen({ expectations }: MemberContext, { metadata }: StatefulSet): NumberedPod[] {
  return expectations
    .unseen(metadata.uid)
    .map((key) => ({ ordinal: ordinalOf(key), ready: false, updated: true, going: false }))
}

const ordinalOf = (name: string): number => Number(name.slice(name.lastIndexOf('-') + 1))

async function addPod(
  member: MemberContext,
  set: StatefulSet,
  { ordinal, revision }: { ordinal: number; revision: string },
): Promise<void> {
  const name = `${set.metadata.name}-${ordinal}`
  const claims = claimsOf(set, ordinal)
  for (const claim of claims) await ensureClaim(member, claim)
  await createPod(member, {
    owner: set,
    reference: ownedBy(statefulSetKind, set),
    template: withClaims(set.spec.template, claims),
    identity: { name },
    labels: { [REVISION_LABEL]: revision, [NAME_LABEL]: name, [INDEX_LABEL]: String(ordinal) },
  })
}

async function writeStatus(
  member: MemberContext,
  set: StatefulSet,
  { pods, revision }: { pods: readonly Pod[]; revision: string },
): Promise<ReconcileResult> {
  const { client, expectations } = member
  const active = pods.filter((pod) => expectations.isActive(pod))
  const { ready, available, nextMs } = reportedCounts(member, active, set.spec.minReadySeconds ?? 0)
  const ofRevision = (name: string): number =>
    active.filter(({ metadata }) => metadata.labels?.[REVISION_LABEL] === name).length
  const replicas = set.spec.replicas ?? 1
  const complete = ofRevision(revision) === replicas && active.length === replicas && ready === replicas
  const conditions = limitConditions(member, { owner: set, kind: statefulSetKind, asked: replicas })
  const currentRevision = complete ? revision : (set.status?.currentRevision ?? revision)
  const status = {
    observedGeneration: set.metadata.generation,
    replicas: active.length,
    readyReplicas: ready,
    availableReplicas: available,
    currentReplicas: ofRevision(currentRevision),
    updatedReplicas: ofRevision(revision),
    currentRevision,
    updateRevision: revision,
    ...(conditions && { conditions }),
  }
  if (!isSameStatus(set.status, status)) {
    const { namespace, name } = set.metadata
    await client.patch(
      statefulSetKind,
      { namespace, name },
      { type: 'merge', value: { status } },
      { subresource: 'status' },
    )
  }
  if (nextMs !== undefined) return { requeueAfterMs: nextMs }
}
