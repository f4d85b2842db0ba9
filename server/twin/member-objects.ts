/** Initial objects of a simulated member: nodes, load unknown to Karmada, and running workloads. */
import { quantities, type MemberShape, type NodeShape } from '@/lib/domain/twin'
import {
  deployment as deploymentKind,
  type Deployment,
  type Pod,
  replicaSet as replicaSetKind,
  type ReplicaSet,
  type Work,
} from '@/lib/kube/kinds'
import { MANAGED_LABEL, MANAGED_LABEL_VALUE } from '@/lib/kube/names'
import type { UnknownObject } from '@/lib/kube/object'
import { interpretHealth, reflectStatus } from '@/lib/domain/interpreter'
import { formatTime, type EpochMs } from '@/lib/std/clock'
import { ownedBy } from '@/server/members/ownership'
import { runningStatus } from '@/server/members/pod-status'
import { deploymentStatus } from '@/server/members/workloads/deployment-status'
import { boundsOf } from '@/server/members/workloads/rollout'
import { templateHash } from '@/server/members/workloads/template-hash'
import type { PlacedWorkload } from './placed-workloads'

const BACKGROUND_NAMESPACE = 'kube-system'
const HASH_LABEL = 'pod-template-hash'

export interface MemberContext {
  now: EpochMs
  uid: () => string
}

/** Nodes without the label of simulated ones, so that the simulation leaves their capacity as it is. */
export function nodeObjects(cluster: string, shape: MemberShape, context: MemberContext): UnknownObject[] {
  return shape.nodes.flatMap((node) => [
    nodeObject(node, context),
    ...(node.background ? [backgroundPod(cluster, node, context)] : []),
  ])
}

function nodeObject({ name, allocatable, ready }: NodeShape, { now }: MemberContext): UnknownObject {
  const time = formatTime(now)
  const capacity = quantities(allocatable)
  const condition = ready
    ? { type: 'Ready', status: 'True', reason: 'KubeletReady', message: 'kubelet is posting ready status' }
    : { type: 'Ready', status: 'False', reason: 'KubeletNotReady', message: 'not ready when the twin was taken' }
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels: { 'kubernetes.io/hostname': name, 'kubernetes.io/os': 'linux' } },
    spec: {},
    status: {
      capacity,
      allocatable: capacity,
      conditions: [{ ...condition, lastHeartbeatTime: time, lastTransitionTime: time }],
    },
  } as unknown as UnknownObject
}

function backgroundPod(cluster: string, { name, background = {} }: NodeShape, context: MemberContext): UnknownObject {
  const { pods: _, ...requests } = background
  const draft = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: `background-${name}`, namespace: BACKGROUND_NAMESPACE, uid: context.uid() },
    spec: {
      nodeName: name,
      containers: [{ name: 'background', image: cluster, resources: { requests: quantities(requests) } }],
    },
  } as unknown as Pod
  return running(draft, true, context)
}

function running(pod: Pod, ready: boolean, { now }: MemberContext): UnknownObject {
  return { ...pod, status: runningStatus(pod, ready, now) } as unknown as UnknownObject
}

/** A namespace that the federation manages in a member. */
export function namespaceObject(name: string): UnknownObject {
  const labels = { [MANAGED_LABEL]: MANAGED_LABEL_VALUE }
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } } as unknown as UnknownObject
}

/** A Deployment that has rolled out, and its Work. */
export interface RunningWorkload {
  work: UnknownObject
  /** Deployment, ReplicaSet and pods. */
  objects: UnknownObject[]
}

/** `nodes`: the node of each replica. */
export function runningWorkload(
  { direct, replicas, healthy }: PlacedWorkload & { direct: NonNullable<PlacedWorkload['direct']> },
  nodes: readonly string[],
  context: MemberContext,
): RunningWorkload {
  const set = replicaSetOf(direct.deployment, { replicas, healthy }, context)
  const pods = nodes.map((node) => podOf(set, node, { healthy, context }))
  const { strategy, replicas: desired = 1 } = direct.deployment.spec
  const bounds = boundsOf(strategy?.rollingUpdate, desired)
  const maxUnavailable = bounds.type === 'RollingUpdate' ? bounds.maxUnavailable : 0
  const deployment = withGeneration(direct.deployment)
  const { status } = deploymentStatus({ deployment, fresh: set, old: [], maxUnavailable, now: context.now })
  const complete = { ...deployment, status } as unknown as UnknownObject
  return {
    work: workObject(direct.work, complete, context.now),
    objects: [complete, set as unknown as UnknownObject, ...pods],
  }
}

const withGeneration = (deployment: Deployment): Deployment => ({
  ...deployment,
  metadata: { ...deployment.metadata, generation: 1 },
})

function replicaSetOf(
  deployment: Deployment,
  { replicas, healthy }: { replicas: number; healthy: boolean },
  { uid }: MemberContext,
): ReplicaSet {
  const { template, selector, minReadySeconds } = deployment.spec
  const hash = templateHash(template)
  const labels = { ...template.metadata?.labels, [HASH_LABEL]: hash }
  const ready = healthy ? replicas : 0
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: `${deployment.metadata.name}-${hash}`,
      namespace: deployment.metadata.namespace,
      uid: uid(),
      generation: 1,
      labels,
      annotations: { 'deployment.kubernetes.io/revision': '1' },
      ownerReferences: [ownedBy(deploymentKind as never, deployment)],
    },
    spec: {
      replicas,
      ...(minReadySeconds !== undefined && { minReadySeconds }),
      selector: { ...selector, matchLabels: { ...selector.matchLabels, [HASH_LABEL]: hash } },
      template: { ...template, metadata: { ...template.metadata, labels } },
    },
    status: {
      replicas,
      fullyLabeledReplicas: replicas,
      readyReplicas: ready,
      availableReplicas: ready,
      observedGeneration: 1,
    },
  } as unknown as ReplicaSet
}

interface PodFacts {
  healthy: boolean
  context: MemberContext
}

function podOf(set: ReplicaSet, nodeName: string, { healthy, context }: PodFacts): UnknownObject {
  const uid = context.uid()
  const { template } = set.spec
  const draft = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: `${set.metadata.name}-${suffixOf(uid)}`,
      generateName: `${set.metadata.name}-`,
      namespace: set.metadata.namespace,
      uid,
      labels: template?.metadata?.labels,
      ...(template?.metadata?.annotations && { annotations: template.metadata.annotations }),
      ownerReferences: [ownedBy(replicaSetKind as never, set)],
    },
    spec: { ...template?.spec, nodeName },
  } as unknown as Pod
  return running(draft, healthy, context)
}

const suffixOf = (uid: string): string => uid.replaceAll('-', '').slice(-10)

/** The Work as the execution and work status controllers report it. */
function workObject(work: Work, deployment: UnknownObject, now: EpochMs): UnknownObject {
  const time = formatTime(now)
  const { namespace, name } = deployment.metadata
  const status = reflectStatus(deployment)
  const identifier = { ordinal: 0, group: 'apps', version: 'v1', kind: 'Deployment', resource: '', namespace, name }
  const suspended = work.spec.suspendDispatching === true
  const conditions = [suspended ? SUSPENDED : DISPATCHING, APPLIED].map((condition) => ({
    ...condition,
    lastTransitionTime: time,
  }))
  return {
    ...work,
    metadata: { ...work.metadata, generation: 1 },
    status: {
      conditions,
      manifestStatuses: [
        { identifier, ...(status && { status }), health: interpretHealth(deployment) ? 'Healthy' : 'Unhealthy' },
      ],
    },
  } as unknown as UnknownObject
}

// upstream: Karmada execution-controller
const DISPATCHING = {
  type: 'Dispatching',
  status: 'True',
  reason: 'Dispatching',
  message: 'Work is being dispatched to member clusters.',
}
const SUSPENDED = {
  type: 'Dispatching',
  status: 'False',
  reason: 'SuspendDispatching',
  message: 'Work dispatching is in a suspended state.',
}
const APPLIED = {
  type: 'Applied',
  status: 'True',
  reason: 'AppliedSuccessful',
  message: 'Manifest has been successfully applied',
}
