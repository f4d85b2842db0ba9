/** Reconciles the pods of each CloneSet, replaces those of an older template, and updates its status. */
import { cloneSet as cloneSetKind, node as nodeKind, pod as podKind, type CloneSet, type Pod } from '@/lib/kube/kinds'
import type { ObjectKey } from '@/lib/kube/object'
import { mapBounded } from '@/server/runtime/bounded'
import { type Controller, type ReconcileResult, watch } from '@/server/runtime/controller'
import { createPod, removePod } from '../make-pod'
import { GATHER_MS, type MemberContext } from '../member-context'
import { indexByController, ownedBy, ownedObjects } from '../ownership'
import { limitConditions } from '../pod-limits'
import { isSameStatus } from '../same-status'
import { followPods, reportedCounts } from './reported-counts'
import { type CloneSetPlan, planCloneSet } from './clone-set-plan'
import { templateHash } from './template-hash'

const REVISION_LABEL = 'controller-revision-hash'
const PODS_AT_ONCE = 8

export function cloneSetController(member: MemberContext): Controller {
  indexByController(member.informers.of(podKind))
  return {
    name: 'clone-set',
    concurrency: 4,
    watches: [watch({ kind: cloneSetKind })],
    reads: [podKind, nodeKind],
    start: followPods(member, cloneSetKind),
    reconcile: (key) => reconcile(member, key),
  }
}

async function reconcile(member: MemberContext, key: ObjectKey): Promise<ReconcileResult> {
  const set = member.informers.of(cloneSetKind).get(key)
  if (!set || set.metadata.deletionTimestamp) return
  const revision = revisionOf(set)
  const pods = ownedObjects(member.informers.of(podKind), set).filter((pod) => member.expectations.isActive(pod))
  const unseen = member.expectations.unseen(set.metadata.uid).length
  const isUpdated = (pod: Pod): boolean => pod.metadata.labels?.[REVISION_LABEL] === revision
  const plan = planCloneSet({ set, pods, unseen, isUpdated, now: member.clock.now() })
  if (plan.missing === 0 && plan.leaving.length === 0) return writeStatus(member, set, { plan, pods, unseen, revision })
  await mapBounded(Array.from({ length: plan.missing }), PODS_AT_ONCE, () => addPod(member, set, revision))
  await mapBounded(plan.leaving, PODS_AT_ONCE, (pod) => removePod(member, pod))
  return { requeueAfterMs: GATHER_MS }
}

const revisionOf = ({ metadata, spec }: CloneSet): string =>
  `${metadata.name}-${templateHash(spec?.template ?? { spec: { containers: [] } })}`

function addPod(member: MemberContext, set: CloneSet, revision: string): Promise<void> {
  const template = set.spec?.template
  if (!template) return Promise.resolve()
  return createPod(member, {
    owner: set,
    reference: ownedBy(cloneSetKind, set),
    template,
    identity: { generateName: `${set.metadata.name}-` },
    labels: { [REVISION_LABEL]: revision },
  })
}

interface Count {
  plan: CloneSetPlan
  pods: readonly Pod[]
  /** Recently created pods. */
  unseen: number
  revision: string
}

async function writeStatus(
  member: MemberContext,
  set: CloneSet,
  { plan, pods, unseen, revision }: Count,
): Promise<ReconcileResult> {
  const { client } = member
  const asked = set.spec?.replicas ?? 1
  const conditions = limitConditions(member, { owner: set, kind: cloneSetKind, asked })
  const minReadySeconds = set.spec?.minReadySeconds ?? 0
  const { ready, available, nextMs } = reportedCounts(member, pods, minReadySeconds)
  const updated = reportedCounts(member, plan.updated, minReadySeconds)
  const settled = plan.updated.length === pods.length
  const status = {
    observedGeneration: set.metadata.generation,
    replicas: pods.length + unseen,
    readyReplicas: ready,
    availableReplicas: available,
    updatedReplicas: plan.updated.length + unseen,
    updatedReadyReplicas: updated.ready,
    updatedAvailableReplicas: updated.available,
    expectedUpdatedReplicas: asked,
    updateRevision: revision,
    currentRevision: settled ? revision : (set.status?.currentRevision ?? revision),
    labelSelector: selectorText(set),
    ...(conditions && { conditions }),
  }
  if (!isSameStatus(set.status, status)) {
    const { namespace, name } = set.metadata
    await client.patch(
      cloneSetKind,
      { namespace, name },
      { type: 'merge', value: { status } },
      { subresource: 'status' },
    )
  }
  if (nextMs !== undefined) return { requeueAfterMs: nextMs }
}

/** Returns the selector in the form of `-l`. */
function selectorText({ spec }: CloneSet): string {
  const { matchLabels = {}, matchExpressions = [] } = spec?.selector ?? {}
  const labels = Object.entries(matchLabels).map(([key, value]) => `${key}=${value}`)
  const others = matchExpressions.map(({ key, operator, values = [] }) => {
    if (operator === 'Exists') return key
    if (operator === 'DoesNotExist') return `!${key}`
    return `${key} ${operator === 'In' ? 'in' : 'notin'} (${values.toSorted().join(',')})`
  })
  return [...labels, ...others].toSorted().join(',')
}
