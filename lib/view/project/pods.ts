/** Views of pods and nodes of a member. */
import { findCondition, isConditionTrue } from '@/lib/kube/conditions'
import type { ContainerStatus, Node, Pod } from '@/lib/kube/kinds'
import { quantityMilli, quantityValue, tryParseQuantity } from '@/lib/kube/quantity'
import type { ContainerView, NodeView, PodMark, PodView } from '../member-model'

/** Pods in the order in which they were created: new ones come last, and none moves when its state changes. */
export const oldestFirst = (pods: readonly Pod[]): Pod[] =>
  pods.toSorted(({ metadata: a }, { metadata: b }) => compareTexts(a.creationTimestamp, b.creationTimestamp))

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Returns the view of a pod. */
export function projectPod(pod: Pod): PodView {
  const { metadata, spec, status } = pod
  const containers = containersOf(pod)
  const word = statusOf(pod, containers)
  const message = findCondition(status?.conditions, 'PodScheduled')?.message || status?.message
  return {
    namespace: metadata.namespace ?? '',
    name: metadata.name,
    uid: metadata.uid,
    ...(spec.nodeName && { node: spec.nodeName }),
    mark: markOf(pod, word),
    status: word,
    ...(message && { message }),
    containers,
    restarts: containers.reduce((sum, { restarts }) => sum + restarts, 0),
    ...(status?.podIP && { ip: status.podIP }),
    createdAt: metadata.creationTimestamp,
    ...(metadata.deletionTimestamp && { deletingSince: metadata.deletionTimestamp }),
  }
}

function containersOf({ spec, status }: Pod): ContainerView[] {
  const view = (init: boolean, statuses: readonly ContainerStatus[] | undefined) => {
    return ({ name, image = '' }: { name: string; image?: string | undefined }): ContainerView => {
      const found = statuses?.find((one) => one.name === name)
      const startedAt = found?.state?.running?.startedAt
      return {
        name,
        image: found?.image || image,
        init,
        ready: found?.ready ?? false,
        restarts: found?.restartCount ?? 0,
        status: containerStatus(found),
        ...(startedAt && { startedAt }),
        hasPrevious: found?.lastState?.terminated !== undefined,
      }
    }
  }
  return [
    ...(spec.containers ?? []).map(view(false, status?.containerStatuses)),
    ...(spec.initContainers ?? []).map(view(true, status?.initContainerStatuses)),
  ]
}

function containerStatus(found: ContainerStatus | undefined): string {
  const { running, waiting, terminated } = found?.state ?? {}
  if (running) return 'Running'
  return terminated?.reason || (terminated && 'Terminated') || waiting?.reason || 'ContainerCreating'
}

/** Returns the status as `kubectl get pods` prints it. */
function statusOf({ metadata, status, spec }: Pod, containers: readonly ContainerView[]): string {
  if (metadata.deletionTimestamp) return 'Terminating'
  const phase = status?.reason || status?.phase || 'Pending'
  if (phase === 'Pending' && !spec.nodeName) return 'Pending'
  const halted = containers.find(({ status: word, init }) => word !== 'Running' && !(init && word === 'Completed'))
  if (phase === 'Running' || phase === 'Pending') return halted?.status ?? phase
  return phase === 'Succeeded' ? 'Completed' : phase === 'Failed' ? 'Error' : phase
}

const FAILING = /BackOff|Err|Error|Invalid|OOMKilled|Evicted/

function markOf({ metadata, status }: Pod, word: string): PodMark {
  if (metadata.deletionTimestamp) return 'leaving'
  if (status?.phase === 'Succeeded') return 'completed'
  if (status?.phase === 'Failed' || FAILING.test(word)) return 'failed'
  if (status?.phase !== 'Running') return 'starting'
  return isConditionTrue(status.conditions, 'Ready') ? 'ready' : 'notReady'
}

/** Returns the resources of a node, and the requests of its pods. `usage`: from the metrics API. */
export function projectNode(
  node: Node,
  pods: readonly Pod[],
  usage: Readonly<Record<string, unknown>> | undefined,
): NodeView {
  const { metadata, spec, status } = node
  const amounts = (resource: 'cpu' | 'memory') => ({
    allocatable: amountOf(status?.allocatable?.[resource], resource),
    requested: pods.filter(takesRoom).reduce((sum, pod) => sum + requestOf(pod, resource), 0),
    ...(usage && { used: amountOf(usage[resource], resource) }),
  })
  return {
    name: metadata.name,
    ready: isConditionTrue(status?.conditions, 'Ready'),
    unschedulable: spec?.unschedulable === true,
    taints: (spec?.taints ?? []).map(({ key, value, effect, timeAdded }) => ({
      key,
      effect,
      ...(value && { value }),
      ...(timeAdded && { timeAdded }),
    })),
    cpu: amounts('cpu'),
    memory: amounts('memory'),
    pods: oldestFirst(pods).map((pod) => {
      const { namespace, name, mark, createdAt } = projectPod(pod)
      const owner = ownerOf(pod)
      return { namespace, name, mark, createdAt, ...(owner && { owner }) }
    }),
  }
}

/** A Deployment's ReplicaSets have the name of the Deployment and the hash of their pods. */
function ownerOf({ metadata: { ownerReferences = [], labels } }: Pod): { kind: string; name: string } | undefined {
  const owner = ownerReferences.find(({ controller }) => controller)
  if (owner === undefined) return undefined
  const { kind, name } = owner
  const suffix = `-${labels?.['pod-template-hash'] ?? ''}`
  if (kind !== 'ReplicaSet' || suffix === '-' || !name.endsWith(suffix)) return { kind, name }
  return { kind: 'Deployment', name: name.slice(0, -suffix.length) }
}

/** Finished pods keep their object, but their requests do not count. */
const takesRoom = ({ status }: Pod): boolean => status?.phase !== 'Succeeded' && status?.phase !== 'Failed'

function requestOf({ spec }: Pod, resource: 'cpu' | 'memory'): number {
  const of = ({
    resources,
  }: {
    resources?: { requests?: Readonly<Record<string, unknown>> | undefined } | undefined
  }) => amountOf(resources?.requests?.[resource], resource)
  const running = (spec.containers ?? []).reduce((sum, container) => sum + of(container), 0)
  return Math.max(running, ...(spec.initContainers ?? []).map(of))
}

/** Returns millicores or bytes; invalid quantities count as 0. */
function amountOf(value: unknown, resource: 'cpu' | 'memory'): number {
  if (typeof value !== 'string' && typeof value !== 'number') return 0
  const quantity = tryParseQuantity(value)
  if (!quantity) return 0
  return Number(resource === 'cpu' ? quantityMilli(quantity) : quantityValue(quantity))
}
