/** Reconciles the nodes of a member with its annotations. */
import { isAlreadyExists, isNotFound } from '@/lib/kube/errors'
import { node as nodeKind, pod as podKind, type Node } from '@/lib/kube/kinds'
import { firstUntolerated } from '@/lib/kube/taint'
import { fnv1a32 } from '@/lib/std/fnv'
import { formatTime, type EpochMs } from '@/lib/std/clock'
import { deepEqual } from '@/lib/std/equal'
import { type Controller, type KeyQueue, watch } from '@/server/runtime/controller'
import { removePod } from './make-pod'
import type { MemberContext } from './member-context'
import type { MemberSettings } from './settings'

/** Marks the nodes that this controller created; others are not touched. */
const SIMULATED = 'sim.evenkeel.io/node'
/** All nodes are one key: they are reconciled together. */
const ALL = 'nodes'
export const PODS_PER_NODE = '110'
const EPHEMERAL_STORAGE = '100Gi'

export function nodeController(member: MemberContext): Controller {
  return {
    name: 'node',
    watches: [watch({ kind: nodeKind, keys: () => [ALL] })],
    reads: [podKind],
    start: (queue: KeyQueue) => {
      queue.add(ALL)
      return member.onSettings(() => queue.add(ALL))
    },
    reconcile: () => reconcile(member),
  }
}

async function reconcile(member: MemberContext): Promise<void> {
  const settings = member.settings()
  const present = new Map(
    member.informers
      .of(nodeKind)
      .list()
      .map((node) => [node.metadata.name, node]),
  )
  const wanted = new Set(Array.from({ length: settings.nodes }, (_, index) => `${member.name}-node-${index + 1}`))
  for (const name of wanted) {
    const node = present.get(name)
    if (node) await updateNode(member, node, settings)
    else await join(member, name, settings)
  }
  const leaving = [...present.values()].filter((node) => isSimulatedNode(node) && !wanted.has(node.metadata.name))
  for (const { metadata } of leaving) await ignoreMissing(member.client.delete(nodeKind, { name: metadata.name }))
  const staying = [...present.values()].filter((node) => !leaving.includes(node))
  await deletePodsOfDeletedNodes(member, new Set([...wanted, ...staying.map(({ metadata }) => metadata.name)]))
  await evictUntolerated(member, staying)
}

/** Evicts pods that do not tolerate a NoExecute taint of their node. */
async function evictUntolerated(member: MemberContext, nodes: readonly Node[]): Promise<void> {
  const taints = new Map(nodes.map(({ metadata, spec }) => [metadata.name, spec?.taints]))
  for (const pod of member.informers.of(podKind).list()) {
    const untolerated = firstUntolerated(taints.get(pod.spec.nodeName ?? ''), pod.spec.tolerations, ['NoExecute'])
    if (untolerated && member.expectations.isActive(pod)) await removePod(member, pod)
  }
}

/** Deletes pods of deleted nodes. */
async function deletePodsOfDeletedNodes(
  { client, informers }: MemberContext,
  nodes: ReadonlySet<string>,
): Promise<void> {
  for (const { metadata, spec } of informers.of(podKind).list()) {
    if (!spec.nodeName || nodes.has(spec.nodeName)) continue
    const { namespace, name, uid } = metadata
    await ignoreMissing(client.delete(podKind, { namespace, name }, { gracePeriodSeconds: 0, preconditions: { uid } }))
  }
}

const isSimulatedNode = ({ metadata }: Node): boolean => metadata.labels?.[SIMULATED] !== undefined

/**
 * Creates a node with its capacity in one write, as a kubelet registers it. An existing node is updated in the next
 * step.
 */
async function join({ client, clock }: MemberContext, name: string, settings: MemberSettings): Promise<void> {
  const labels = {
    'kubernetes.io/hostname': name,
    'kubernetes.io/os': 'linux',
    'kubernetes.io/arch': 'amd64',
    [SIMULATED]: '',
  }
  const status = nodeStatus(name, capacityOf(settings), clock.now())
  try {
    await client.create(nodeKind, { apiVersion: 'v1', kind: 'Node', metadata: { name, labels }, spec: {}, status })
  } catch (error) {
    if (!isAlreadyExists(error)) throw error
  }
}

async function updateNode({ client, clock }: MemberContext, node: Node, settings: MemberSettings): Promise<void> {
  if (!isSimulatedNode(node)) return
  const capacity = capacityOf(settings)
  if (deepEqual(node.status?.capacity, capacity)) return
  const { name } = node.metadata
  await client.patch(
    nodeKind,
    { name },
    { type: 'merge', value: { status: nodeStatus(name, capacity, clock.now()) } },
    { subresource: 'status' },
  )
}

const capacityOf = ({ cpu, memory }: MemberSettings): Record<string, string> => ({
  cpu,
  memory,
  pods: PODS_PER_NODE,
  'ephemeral-storage': EPHEMERAL_STORAGE,
})

async function ignoreMissing(deletion: Promise<void>): Promise<void> {
  try {
    await deletion
  } catch (error) {
    if (!isNotFound(error)) throw error
  }
}

function nodeStatus(name: string, capacity: Record<string, string>, now: EpochMs): NonNullable<Node['status']> {
  const time = formatTime(now)
  const bits = fnv1a32(name)
  return {
    capacity,
    allocatable: capacity,
    addresses: [
      { type: 'InternalIP', address: `172.18.${(bits >>> 8) & 255}.${(bits % 254) + 1}` },
      { type: 'Hostname', address: name },
    ],
    conditions: [
      {
        type: 'Ready',
        status: 'True',
        reason: 'KubeletReady',
        message: 'kubelet is posting ready status',
        lastHeartbeatTime: time,
        lastTransitionTime: time,
      },
    ],
    nodeInfo: {
      kubeletVersion: 'v1.36.0',
      osImage: 'simulated',
      kernelVersion: 'simulated',
      containerRuntimeVersion: 'simulated',
      operatingSystem: 'linux',
      architecture: 'amd64',
    },
  }
}
