/**
 * A control plane of two tenants in which every object has a distinctive name, so that a name in an answer shows whose
 * object it came from; and users with arbitrary permissions.
 */
import { onTestFinished } from 'vitest'
import { apiVersionOf, type Kind } from '@/lib/kube/kind'
import { cluster } from '@/lib/kube/kinds/cluster'
import { clusterResourceBinding } from '@/lib/kube/kinds/cluster-resource-binding'
import { clusterRole } from '@/lib/kube/kinds/cluster-role'
import { clusterRoleBinding } from '@/lib/kube/kinds/cluster-role-binding'
import { event } from '@/lib/kube/kinds/event'
import { SIM_NODES } from '@/lib/kube/simulation'
import { clusterPropagationPolicy } from '@/lib/kube/kinds/cluster-propagation-policy'
import { propagationPolicy } from '@/lib/kube/kinds/propagation-policy'
import { queue } from '@/lib/kube/kinds/queue'
import { rebalancePlan } from '@/lib/kube/kinds/rebalance-plan'
import { resourceBinding } from '@/lib/kube/kinds/resource-binding'
import { role } from '@/lib/kube/kinds/role'
import { roleBinding } from '@/lib/kube/kinds/role-binding'
import { work } from '@/lib/kube/kinds/work'
import { workloadRebalancer } from '@/lib/kube/kinds/workload-rebalancer'
import { workloadSpread } from '@/lib/kube/kinds/workload-spread'
import { executionSpaceOf, POLICY_NAME_ANNOTATION, POLICY_NAMESPACE_ANNOTATION } from '@/lib/kube/names'
import type { KubeObject, ObjectMeta } from '@/lib/kube/object'
import {
  placed,
  ready,
  reportOf,
  sampleBinding,
  sampleCluster,
  sampleWork,
  T1,
} from '@/lib/view/project/testing/samples'
import type { KubeClient } from '@/server/kube/client'
import { type Env, startEnv } from '@/server/testing/start-env'
import type { Authenticator } from '../auth/authenticator'
import { KINDS_READ } from '../cache/control-plane-cache'

/** Namespaces, and the word that starts the names of everything in them. */
export const TENANTS = { 'ns-red': 'crimson', 'ns-blue': 'azure' } as const
export type TenantNamespace = keyof typeof TENANTS
export const CLUSTER_NAMES = ['member-amber', 'member-jade'] as const
/**
 * A cluster that no binding names: only users who may list clusters may see it, even if a preview would place workloads
 * there.
 */
export const SPARE_CLUSTER = 'member-opal'
/** Every name that belongs to a tenant or to the fleet. */
export const MARKERS = [
  ...CLUSTER_NAMES,
  SPARE_CLUSTER,
  'plain-role',
  'shared-rebalancer',
  'shared-plan',
  'shared-policy',
  ...Object.keys(TENANTS),
  ...Object.values(TENANTS).flatMap((word) =>
    ['web', 'wait', 'policy', 'spread', 'queue', 'event', 'report', 'work'].map((what) => `${word}-${what}`),
  ),
]

export const idOfWeb = (namespace: TenantNamespace): string =>
  `apps~v1/Deployment/${namespace}/${TENANTS[namespace]}-web`

const [amber, jade] = CLUSTER_NAMES
const rbac = 'rbac.authorization.k8s.io'

/** Starts it until the test ends. */
export async function startPlaneOfTwo(): Promise<Env> {
  const env = await startEnv()
  onTestFinished(() => env.close())
  for (const name of [...Object.keys(TENANTS), ...CLUSTER_NAMES.map(executionSpaceOf)]) await env.createNamespace(name)
  await create(env, cluster, sampleCluster(amber))
  await create(
    env,
    cluster,
    sampleCluster(jade, {
      metadata: { annotations: { [SIM_NODES]: '3' } },
      status: ready('False'),
      spec: { taints: [{ key: 'gone', effect: 'NoExecute', timeAdded: T1 }] },
    }),
  )
  await create(env, cluster, sampleCluster(SPARE_CLUSTER))
  for (const namespace of Object.keys(TENANTS) as TenantNamespace[]) await createTenant(env, namespace)
  await createShared(env)
  return env
}

async function createTenant(env: Env, namespace: TenantNamespace): Promise<void> {
  const word = TENANTS[namespace]
  await create(env, propagationPolicy, {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'PropagationPolicy',
    metadata: { name: `${word}-policy`, namespace },
    spec: { resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: `${word}-web` }], placement: {} },
  })
  await create(env, queue, {
    apiVersion: apiVersionOf(queue),
    kind: 'Queue',
    metadata: { name: `${word}-queue`, namespace },
    spec: {},
  })
  await create(env, resourceBinding, failingBinding(namespace))
  await create(env, resourceBinding, {
    ...bindingOf(namespace, `${word}-wait`),
    spec: { ...bindingOf(namespace, `${word}-wait`).spec, clusters: [], suspension: { scheduling: true } },
    status: {},
  })
  await create(env, work, namedWork(amber, word))
  await create(env, workloadSpread, {
    apiVersion: apiVersionOf(workloadSpread),
    kind: 'WorkloadSpread',
    metadata: { name: `${word}-spread`, namespace },
    spec: {
      targetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: `${word}-web` },
      subsets: [{ name: 'first', maxReplicas: 1 }],
    },
  })
  await create(env, event, {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: `${word}-event`, namespace },
    reason: 'Seen',
    message: `${word}-event was seen`,
    type: 'Normal',
    involvedObject: { apiVersion: 'apps/v1', kind: 'Deployment', namespace, name: `${word}-web` },
    source: { component: 'test' },
  })
}

function bindingOf(namespace: TenantNamespace, name: string): ReturnType<typeof sampleBinding> {
  const resource = { apiVersion: 'apps/v1', kind: 'Deployment', namespace, name }
  const annotations = {
    [POLICY_NAMESPACE_ANNOTATION]: namespace,
    [POLICY_NAME_ANNOTATION]: `${TENANTS[namespace]}-policy`,
  }
  return sampleBinding({
    name,
    clusters: { [amber]: 2, [jade]: 1 },
    spec: { resource },
    metadata: { namespace, annotations },
  })
}

/** Returns a binding that is unhealthy in the lost cluster, with a report that names its owner. */
function failingBinding(namespace: TenantNamespace): ReturnType<typeof sampleBinding> {
  const word = TENANTS[namespace]
  const binding = bindingOf(namespace, `${word}-web`)
  const aggregatedStatus = [
    reportOf(amber, 2),
    reportOf(jade, 1, { health: 'Unhealthy', appliedMessage: `${word}-report` }),
  ]
  return { ...binding, status: { ...binding.status, aggregatedStatus } }
}

function namedWork(clusterName: string, word: string): ReturnType<typeof sampleWork> {
  const condition = {
    type: 'Applied',
    status: 'True',
    reason: 'AppliedSuccessful',
    message: `${word}-work is applied`,
    lastTransitionTime: T1,
  } as const
  const sample = sampleWork(clusterName, { name: `${word}-web`, status: { conditions: [condition] } })
  return { ...sample, metadata: { ...sample.metadata, name: `${word}-work` }, spec: { workload: { manifests: [] } } }
}

async function createShared(env: Env): Promise<void> {
  const workloads = (Object.keys(TENANTS) as TenantNamespace[]).map((namespace) => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    namespace,
    name: `${TENANTS[namespace]}-web`,
  }))
  await create(env, workloadRebalancer, {
    apiVersion: apiVersionOf(workloadRebalancer),
    kind: 'WorkloadRebalancer',
    metadata: { name: 'shared-rebalancer' },
    spec: { workloads },
  })
  await create(env, rebalancePlan, {
    apiVersion: apiVersionOf(rebalancePlan),
    kind: 'RebalancePlan',
    metadata: { name: 'shared-plan' },
    spec: { workloads },
  })
  await create(env, clusterPropagationPolicy, {
    apiVersion: apiVersionOf(clusterPropagationPolicy),
    kind: 'ClusterPropagationPolicy',
    metadata: { name: 'shared-policy' },
    spec: { resourceSelectors: [{ apiVersion: `${rbac}/v1`, kind: 'ClusterRole', name: 'plain-role' }], placement: {} },
  })
  const { spec, status } = sampleBinding({ name: 'plain-role', clusters: {} })
  await create(env, clusterResourceBinding, {
    apiVersion: 'work.karmada.io/v1alpha2',
    kind: 'ClusterResourceBinding',
    metadata: { name: 'plain-role-clusterrole' },
    status: { ...status, aggregatedStatus: [] },
    spec: {
      placement: spec.placement,
      clusters: placed({ [amber]: 0 }),
      resource: { apiVersion: `${rbac}/v1`, kind: 'ClusterRole', name: 'plain-role' },
    },
  })
}

interface Written {
  apiVersion: string
  kind: string
  metadata: Partial<ObjectMeta>
}

/** Creates the object as a client would: without fields that only the server sets. */
async function create<T extends Written>(env: Env, kind: unknown, object: T): Promise<void> {
  const {
    uid: _uid,
    resourceVersion: _version,
    generation: _generation,
    creationTimestamp: _time,
    ...metadata
  } = object.metadata
  await env.create(kind as Kind, { ...object, metadata } as KubeObject)
}

/** Permissions of a user. `namespaces` absent: cluster-wide. */
export interface Grant {
  resources: readonly string[]
  verbs: readonly string[]
  namespaces?: readonly TenantNamespace[]
  resourceNames?: readonly string[]
}

/** Grants these permissions with roles and bindings, as an administrator would. */
export async function grant(env: Env, user: string, grants: readonly Grant[]): Promise<void> {
  for (const [index, { resources, verbs, namespaces, resourceNames }] of grants.entries()) {
    const name = `${user}-${index}`
    const rules = [
      {
        apiGroups: ['*'],
        resources: [...resources],
        verbs: [...verbs],
        ...(resourceNames && { resourceNames: [...resourceNames] }),
      },
    ]
    const subjects = [{ apiGroup: rbac, kind: 'User', name: user }]
    if (!namespaces) {
      await env.create(clusterRole, { apiVersion: `${rbac}/v1`, kind: 'ClusterRole', metadata: { name }, rules })
      await env.create(clusterRoleBinding, {
        apiVersion: `${rbac}/v1`,
        kind: 'ClusterRoleBinding',
        metadata: { name },
        roleRef: { apiGroup: rbac, kind: 'ClusterRole', name },
        subjects,
      })
    }
    for (const namespace of namespaces ?? []) {
      await env.create(role, { apiVersion: `${rbac}/v1`, kind: 'Role', metadata: { name, namespace }, rules })
      await env.create(roleBinding, {
        apiVersion: `${rbac}/v1`,
        kind: 'RoleBinding',
        metadata: { name, namespace },
        roleRef: { apiGroup: rbac, kind: 'Role', name },
        subjects,
      })
    }
  }
}

export const clientOf = (env: Env, user: string): KubeClient =>
  env.client.as({ user, groups: ['system:authenticated'] })

/** Returns the objects that a user may list, read from the API server itself by kind and namespace. */
export async function listedBy(env: Env, user: string): Promise<KubeObject[]> {
  const client = clientOf(env, user)
  const found: KubeObject[] = []
  for (const kind of KINDS_READ) {
    const everywhere = await listOrNothing(client, kind)
    if (everywhere || kind.scope === 'Cluster') {
      found.push(...(everywhere ?? []))
      continue
    }
    for (const namespace of [...Object.keys(TENANTS), ...CLUSTER_NAMES.map(executionSpaceOf)]) {
      found.push(...((await listOrNothing(client, kind, namespace)) ?? []))
    }
  }
  return found
}

async function listOrNothing(client: KubeClient, kind: Kind, namespace?: string): Promise<KubeObject[] | undefined> {
  try {
    return (await client.list(kind, namespace === undefined ? {} : { namespace })).items
  } catch {
    // The request was refused, which is the result.
    return undefined
  }
}

/** Accepts the user name of the request: these tests are about permissions, not identity. */
export function trustingAuthenticator(env: Env): Authenticator & { end: Parameters<Authenticator['onEnded']>[0] } {
  const handlers = new Set<Parameters<Authenticator['onEnded']>[0]>()
  return {
    authenticate: async ({ headers }) => {
      const user = String(headers['x-test-user'])
      const session = { id: `session-${user}`, expiresAt: Number.MAX_SAFE_INTEGER }
      return {
        identity: { user, groups: ['system:authenticated'] },
        key: user,
        via: 'token',
        session,
        client: clientOf(env, user),
      }
    },
    onEnded: (handler) => {
      handlers.add(handler)
      return () => void handlers.delete(handler)
    },
    end: (ended) => {
      for (const handler of handlers) handler(ended)
    },
    addressOf: () => '',
    readOnly: false,
    close: () => undefined,
  }
}
