/**
 * Permissions that each action requires, as RBAC questions. The endpoint checks them before it acts, and the page for
 * its button. Both use this module, so that no button offers what its endpoint refuses.
 */
import { bindingNameOf } from '@/lib/kube/names'
import { type Message, message } from '@/lib/messages/message'
import type { FailoverOrder } from './actions'
import type { PlanAction } from './rebalance-model'
import { parseWorkloadId } from './workload-id'

/** A permission in terms of RBAC. An absent namespace means all namespaces, or a cluster-scoped kind. */
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

/** For rebalances without waves. */
export const createRebalancerNeeds = (): Question[] => [{ verb: 'create', ...REBALANCERS }]

/** For rebalances in waves, failbacks and undos. */
export const createPlanNeeds = (): Question[] => [{ verb: 'create', ...PLANS }]

/** Actions on a plan read it and write its spec; discarding deletes it, and undoing creates another plan. */
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

/** For replacing a policy; new ones are created. */
export const savePolicyNeeds = (policy: { namespace?: string | undefined; name: string }): Question[] => [
  ofPolicy(policy, 'get'),
  ofPolicy(policy, 'update'),
]
export const createPolicyNeeds = (namespace: string | undefined): Question[] => [ofPolicy({ namespace }, 'create')]
/** In every namespace. */
export const createPolicyAnywhereNeeds = (): Question[] => [{ verb: 'create', ...POLICIES }]

/** Simulated members are configured by an annotation of their Cluster. */
export const simulateNeeds = (cluster: string): Question[] =>
  ['get', 'patch'].map((verb) => ({ verb, ...CLUSTERS, name: cluster }))

/**
 * A failover action reads and patches one object: the Cluster, or the binding of the workload. None for an invalid ID.
 */
export function failoverNeeds(order: FailoverOrder, binding?: string): Question[] {
  const object = 'workload' in order ? bindingOf(order.workload, binding) : { ...CLUSTERS, name: order.cluster }
  return object
    ? [
        { verb: 'get', ...object },
        { verb: 'patch', ...object },
      ]
    : []
}

/** `name`: that of the binding if known, otherwise the one that the detector would give it. */
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
 * A queue suspends new workloads in all its namespaces, so its creator needs permission to create queues in each of
 * them. An undefined namespace stands for all namespaces.
 */
export const createQueueNeeds = (namespaces: readonly (string | undefined)[]): Question[] =>
  namespaces.map((namespace) => ({ verb: 'create', ...QUEUES, ...(namespace && { namespace }) }))

/** `namespaces`: the additional namespaces of the queue. */
export const editQueueNeeds = (queue: QueueName, namespaces: readonly string[] = []): Question[] => [
  ...ofQueue(queue, 'get', 'update'),
  ...createQueueNeeds(namespaces),
]

export const deleteQueueNeeds = (queue: QueueName): Question[] => ofQueue(queue, 'get', 'delete')

/** For holding and resuming a queue. */
export const holdQueueNeeds = (queue: QueueName): Question[] => ofQueue(queue, 'get', 'patch')

/** For suspending and resuming a binding; without a name: any binding in the namespace. */
export const steerBindingNeeds = (namespace: string, name?: string): Question[] =>
  ['get', 'patch'].map((verb) => ({ verb, ...BINDINGS, namespace, ...(name !== undefined && { name }) }))

/**
 * Changing positions requires permission to update the queue and to patch bindings in `namespace`, where positions are
 * stored. Admission checks the same.
 */
export const reorderNeeds = (queue: QueueName, namespace: string | undefined): Question[] => [
  ...ofQueue(queue, 'get', 'update'),
  ...(namespace === undefined ? [] : steerBindingNeeds(namespace)),
]

/** Receivers are configured, not stored: the API server has no such objects, but RBAC rules about them apply. */
const RECEIVERS = { group: 'evenkeel.io', resource: 'noticereceivers' }

export const noticeReceiversNeeds = (): Question[] => [{ verb: 'list', ...RECEIVERS }]
/**
 * Sends a message to an external system, so it needs a separate permission, which none to read or write objects
 * includes.
 */
export const testReceiverNeeds = (name: string): Question[] => [
  { verb: 'create', ...RECEIVERS, subresource: 'test', name },
]

/** Returns "You may not update queues.evenkeel.io in namespace lab", with the API server's reason if it gives one. */
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
