/**
 * The rights that each act takes, as questions of RBAC: of the API server they are asked by the endpoint that carries
 * the act out (before it begins), and by the page for its button. Both ask here, so that no button offers what its
 * endpoint refuses.
 */
import { bindingNameOf } from '@/lib/kube/names'
import { type Message, message } from '@/lib/messages/message'
import type { FailoverOrder } from './actions'
import type { PlanAction } from './rebalance-model'
import { parseWorkloadId } from './workload-id'

/** Something that a user might do, as RBAC asks it. An absent namespace means all of them, or a cluster-scoped kind. */
export interface Question {
  verb: string
  group: string
  resource: string
  subresource?: string
  namespace?: string
  name?: string
}

const CLUSTERS = { group: 'cluster.karmada.io', resource: 'clusters' }
const BINDINGS = { group: 'work.karmada.io', resource: 'resourcebindings' }
const CLUSTER_BINDINGS = { group: 'work.karmada.io', resource: 'clusterresourcebindings' }
const REBALANCERS = { group: 'apps.karmada.io', resource: 'workloadrebalancers' }
const PLANS = { group: 'evenkeel.io', resource: 'rebalanceplans' }
const QUEUES = { group: 'evenkeel.io', resource: 'queues' }

/** What moves everything at once. */
export const createRebalancerNeeds = (): Question[] => [{ verb: 'create', ...REBALANCERS }]

/** What moves in waves, what returns to a cluster, and what undoes a plan. */
export const createPlanNeeds = (): Question[] => [{ verb: 'create', ...PLANS }]

/** Every act on a plan reads it and writes its spec; to discard is to delete it, to undo is to make another one. */
export function planActionNeeds(name: string, action: PlanAction): Question[] {
  if (action === 'undo') return createPlanNeeds()
  return [
    { verb: 'get', ...PLANS, name },
    { verb: action === 'discard' ? 'delete' : 'patch', ...PLANS, name },
  ]
}

const POLICIES = { group: 'policy.karmada.io', resource: 'propagationpolicies' }
const CLUSTER_POLICIES = { group: 'policy.karmada.io', resource: 'clusterpropagationpolicies' }

const ofPolicy = ({ namespace, name }: { namespace?: string | undefined; name?: string }, verb: string): Question => ({
  verb,
  ...(namespace === undefined ? CLUSTER_POLICIES : { ...POLICIES, namespace }),
  ...(name !== undefined && { name }),
})

/** Replaces a policy as a whole; a new one is created. */
export const savePolicyNeeds = (policy: { namespace?: string | undefined; name: string }): Question[] => [
  ofPolicy(policy, 'get'),
  ofPolicy(policy, 'update'),
]
export const createPolicyNeeds = (namespace: string | undefined): Question[] => [ofPolicy({ namespace }, 'create')]
/** In every namespace. */
export const createPolicyAnywhereNeeds = (): Question[] => [{ verb: 'create', ...POLICIES }]

/** A simulated member is shaped by an annotation of its Cluster. */
export const simulateNeeds = (cluster: string): Question[] =>
  ['get', 'patch'].map((verb) => ({ verb, ...CLUSTERS, name: cluster }))

/** A failover action reads and patches one object: the Cluster, or the binding of the workload; for no id, nothing. */
export function failoverNeeds(order: FailoverOrder, binding?: string): Question[] {
  const object = 'workload' in order ? bindingOf(order.workload, binding) : { ...CLUSTERS, name: order.cluster }
  return object
    ? [
        { verb: 'get', ...object },
        { verb: 'patch', ...object },
      ]
    : []
}

/** `name`: that of the binding where it is known; else the one that the detector gives it. */
function bindingOf(workload: string, name?: string): Omit<Question, 'verb'> | undefined {
  const ref = parseWorkloadId(workload)
  if (!ref) return undefined
  const named = { name: name ?? bindingNameOf(ref.kind, ref.name) }
  if (ref.namespace === undefined) return { ...CLUSTER_BINDINGS, ...named }
  return { ...BINDINGS, namespace: ref.namespace, ...named }
}

interface QueueName {
  namespace: string
  name: string
}

const ofQueue = ({ namespace, name }: QueueName, ...verbs: string[]): Question[] =>
  verbs.map((verb) => ({ verb, ...QUEUES, namespace, name }))

/**
 * A queue holds back new workloads in all its namespaces, so its creator needs the right to create queues in each of
 * them. An undefined namespace stands for all namespaces.
 */
export const createQueueNeeds = (namespaces: readonly (string | undefined)[]): Question[] =>
  namespaces.map((namespace) => ({ verb: 'create', ...QUEUES, ...(namespace && { namespace }) }))

/** `namespaces`: those that it is to serve beside its own. */
export const editQueueNeeds = (queue: QueueName, namespaces: readonly string[] = []): Question[] => [
  ...ofQueue(queue, 'get', 'update'),
  ...createQueueNeeds(namespaces),
]

export const deleteQueueNeeds = (queue: QueueName): Question[] => ofQueue(queue, 'get', 'delete')

/** To hold a queue, and to resume it. */
export const holdQueueNeeds = (queue: QueueName): Question[] => ofQueue(queue, 'get', 'patch')

/** Suspends and resumes a binding; without a name: any in the namespace. */
export const steerBindingNeeds = (namespace: string, name?: string): Question[] =>
  ['get', 'patch'].map((verb) => ({ verb, ...BINDINGS, namespace, ...(name !== undefined && { name }) }))

/** Whose turn it is is for who keeps the queue, and written on the binding, in `namespace`; admission asks the same. */
export const reorderNeeds = (queue: QueueName, namespace: string | undefined): Question[] => [
  ...ofQueue(queue, 'get', 'update'),
  ...(namespace === undefined ? [] : steerBindingNeeds(namespace)),
]

/** Receivers are configured, not stored: the API server has no such objects, and rules about them still decide. */
const RECEIVERS = { group: 'evenkeel.io', resource: 'noticereceivers' }

export const noticeReceiversNeeds = (): Question[] => [{ verb: 'list', ...RECEIVERS }]
/** Sends something to a system outside: a right that comes with none to read or to write objects. */
export const testReceiverNeeds = (name: string): Question[] => [
  { verb: 'create', ...RECEIVERS, subresource: 'test', name },
]

/** "You may not update queues.evenkeel.io in namespace lab", with the API server's reason where it gives one. */
export function missingRight(question: Question, reason: string): Message {
  const { verb, group, resource, subresource, namespace, name } = question
  const kind = `${resource}${group && `.${group}`}${subresource ? `/${subresource}` : ''}`
  const right = {
    verb,
    kind: name ? `${kind} "${name}"` : kind,
    namespace: namespace ?? '',
    scope: namespace ? 'namespace' : 'all',
  }
  const why = reason.trim().replace(/\.$/, '')
  return why === '' ? message('access.missing', right) : message('access.missingBecause', { ...right, reason: why })
}
