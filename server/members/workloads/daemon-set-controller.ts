/** Reconciles one pod of each DaemonSet on every eligible node, and its status. */
import {
  daemonSet as daemonSetKind,
  node as nodeKind,
  pod as podKind,
  type DaemonSet,
  type Pod,
  type PodSpec,
  type PodTemplate,
} from '@/lib/kube/kinds'
import { objectKey, type ObjectKey } from '@/lib/kube/object'
import { mapBounded } from '@/server/runtime/bounded'
import { type Controller, type ReconcileResult, watch } from '@/server/runtime/controller'
import { createPod, removePod } from '../make-pod'
import { GATHER_MS, type MemberContext } from '../member-context'
import { indexByController, ownedBy, ownedObjects, ownerKey } from '../ownership'
import { availableAt, countPods, isReady } from '../pod-state'
import { isSameStatus } from '../same-status'
import { admits } from '../scheduling/choose-node'
import { needsOf, nodeTraits } from '../scheduling/node-ledger'
import { countDaemons, type DaemonNode, type DaemonUpdate, planDaemons } from './daemon-plan'
import { portion } from './rollout'
import { templateHash } from './template-hash'

const REVISION_LABEL = 'controller-revision-hash'
const PODS_AT_ONCE = 8

export function daemonSetController(member: MemberContext): Controller {
  const pods = member.informers.of(podKind)
  indexByController(pods)
  const all = (): ObjectKey[] => member.informers.of(daemonSetKind).list().map(objectKey)
  return {
    name: 'daemon-set',
    concurrency: 2,
    watches: [watch({ kind: daemonSetKind }), watch({ kind: nodeKind, keys: all })],
    reads: [podKind],
    start: (queue) =>
      pods.onChange((change) => {
        const key = ownerKey(change.type === 'deleted' ? change.old : change.object, daemonSetKind)
        if (key !== undefined) queue.addAfter(key, GATHER_MS)
      }),
    reconcile: (key) => reconcile(member, key),
  }
}

async function reconcile(member: MemberContext, key: ObjectKey): Promise<ReconcileResult> {
  const set = member.informers.of(daemonSetKind).get(key)
  if (!set || set.metadata.deletionTimestamp) return
  if (member.expectations.unseen(set.metadata.uid).length > 0) return { requeueAfterMs: GATHER_MS }
  const pods = ownedObjects(member.informers.of(podKind), set).filter((pod) => member.expectations.isStaying(pod))
  const revision = templateHash(set.spec.template)
  const nodes = nodesOf(member, set, { pods, revision })
  const { create, remove } = planDaemons(nodes, updateOf(set, nodes))
  await mapBounded(
    pods.filter(({ metadata }) => remove.includes(metadata.name)),
    PODS_AT_ONCE,
    (pod) => removePod(member, pod),
  )
  await mapBounded(create, PODS_AT_ONCE, (node) => addPod(member, set, { node, revision }))
  if (create.length + remove.length > 0) return { requeueAfterMs: GATHER_MS }
  return writeStatus(member, set, { nodes, pods })
}

function nodesOf(
  member: MemberContext,
  set: DaemonSet,
  { pods, revision }: { pods: readonly Pod[]; revision: string },
): DaemonNode[] {
  const { spec } = set.spec.template
  const needs = needsOf({ ...spec, tolerations: tolerationsOf(spec) })
  const { minReadySeconds = 0 } = set.spec
  const byNode = Map.groupBy(pods, nodeOf)
  return member.informers
    .of(nodeKind)
    .list()
    .map((node) => {
      const traits = nodeTraits(node)
      return {
        name: node.metadata.name,
        wanted: admits(traits, needs),
        tolerated: admits(
          { ...traits, unschedulable: false, taints: traits.taints.filter(({ effect }) => effect === 'NoExecute') },
          needs,
        ),
        pods: (byNode.get(node.metadata.name) ?? []).map((pod) => ({
          name: pod.metadata.name,
          updated: pod.metadata.labels?.[REVISION_LABEL] === revision,
          ready: isReady(pod),
          available: (availableAt(pod, minReadySeconds) ?? Infinity) <= member.clock.now(),
          failed: pod.status?.phase === 'Failed' || pod.status?.phase === 'Succeeded',
        })),
      }
    })
}

/** The node of a pod, also of a pending one. */
function nodeOf({ spec }: Pod): string {
  const terms = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms
  return spec.nodeName ?? terms?.[0]?.matchFields?.[0]?.values?.[0] ?? ''
}

function updateOf({ spec }: DaemonSet, nodes: readonly DaemonNode[]): DaemonUpdate {
  if (spec.updateStrategy?.type === 'OnDelete') return undefined
  const wanted = nodes.filter((node) => node.wanted).length
  const { maxUnavailable = 1, maxSurge = 0 } = spec.updateStrategy?.rollingUpdate ?? {}
  return { maxUnavailable: Math.ceil(portion(maxUnavailable, wanted)), maxSurge: Math.ceil(portion(maxSurge, wanted)) }
}

/** Node conditions that DaemonSet pods tolerate. */
const TOLERATED = [
  ['node.kubernetes.io/not-ready', 'NoExecute'],
  ['node.kubernetes.io/unreachable', 'NoExecute'],
  ['node.kubernetes.io/disk-pressure', 'NoSchedule'],
  ['node.kubernetes.io/memory-pressure', 'NoSchedule'],
  ['node.kubernetes.io/pid-pressure', 'NoSchedule'],
  ['node.kubernetes.io/unschedulable', 'NoSchedule'],
].map(([key, effect]) => ({ key, effect, operator: 'Exists' }))
const TOLERATED_ON_HOST = { key: 'node.kubernetes.io/network-unavailable', effect: 'NoSchedule', operator: 'Exists' }

/** The template, bound to one node as a real cluster binds it: by the name of the node in every required term. */
function templateFor({ spec: { template } }: DaemonSet, node: string): PodTemplate {
  const { spec } = template
  const required = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [
    {},
  ]
  const matchFields = [{ key: 'metadata.name', operator: 'In', values: [node] }]
  const nodeAffinity = {
    ...spec.affinity?.nodeAffinity,
    requiredDuringSchedulingIgnoredDuringExecution: {
      nodeSelectorTerms: required.map((term) => ({ ...term, matchFields })),
    },
  }
  return {
    ...template,
    spec: { ...spec, affinity: { ...spec.affinity, nodeAffinity }, tolerations: tolerationsOf(spec) },
  }
}

const tolerationsOf = ({ tolerations = [], hostNetwork }: PodSpec): NonNullable<PodSpec['tolerations']> => [
  ...tolerations,
  ...TOLERATED,
  ...(hostNetwork ? [TOLERATED_ON_HOST] : []),
]

function addPod(
  member: MemberContext,
  set: DaemonSet,
  { node, revision }: { node: string; revision: string },
): Promise<void> {
  return createPod(member, {
    owner: set,
    reference: ownedBy(daemonSetKind, set),
    template: templateFor(set, node),
    identity: { generateName: `${set.metadata.name}-` },
    labels: { [REVISION_LABEL]: revision, 'pod-template-generation': String(set.metadata.generation ?? 1) },
  })
}

async function writeStatus(
  { client, clock }: MemberContext,
  set: DaemonSet,
  { nodes, pods }: { nodes: readonly DaemonNode[]; pods: readonly Pod[] },
): Promise<ReconcileResult> {
  const status = { ...countDaemons(nodes), observedGeneration: set.metadata.generation }
  if (!isSameStatus(set.status, status)) {
    const { namespace, name } = set.metadata
    await client.patch(
      daemonSetKind,
      { namespace, name },
      { type: 'merge', value: { status } },
      { subresource: 'status' },
    )
  }
  const { nextMs } = countPods(pods, set.spec.minReadySeconds ?? 0, clock.now())
  if (nextMs !== undefined) return { requeueAfterMs: nextMs }
}
