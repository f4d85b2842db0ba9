/**
 * One or more requests for each operation of the API, about the objects of the control plane of two tenants. An
 * operation without a request has no test of its permissions: `permission-matrix.test.ts` compares them with the
 * OpenAPI document.
 */
import { CLUSTER_NAMES, idOfWeb, TENANTS, type TenantNamespace } from './plane-of-two'

/** A request below `/api/v1/`. */
export interface Line {
  path: string
  body?: unknown
}

/** By operation, for example `GET /api/v1/clusters`. */
export type Lines = Readonly<Record<string, readonly Line[]>>

const NAMESPACES = Object.keys(TENANTS) as TenantNamespace[]
const [amber, jade] = CLUSTER_NAMES
const lines = (...paths: string[]): Line[] => paths.map((path) => ({ path }))
const ofEach = (line: (namespace: TenantNamespace, word: string) => Line): Line[] =>
  NAMESPACES.map((namespace) => line(namespace, TENANTS[namespace]))
const ofClusters = (line: (name: string) => Line): Line[] => CLUSTER_NAMES.map(line)
const web = (namespace: TenantNamespace) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  namespace,
  name: `${TENANTS[namespace]}-web`,
})
const idOfWait = (namespace: TenantNamespace): string => `apps~v1/Deployment/${namespace}/${TENANTS[namespace]}-wait`
const queueOf = (namespace: TenantNamespace): string => `queues/${namespace}/${TENANTS[namespace]}-queue`
/** An object of a built-in kind, which is replaced without its version. */
const namespaceObject = (namespace: TenantNamespace) => ({
  object: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
})
const evict = (namespace: TenantNamespace) => ({
  action: 'evict',
  workload: idOfWeb(namespace),
  cluster: amber,
  purgeMode: 'Never',
})

const draftOf = (namespace: TenantNamespace) => ({
  policy: { namespace, name: `${TENANTS[namespace]}-policy` },
  resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment' }],
})
const SHARED_DRAFT = {
  path: 'placement-labs',
  body: { policy: { name: 'shared-policy' }, resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment' }] },
}
const policyOf = (namespace: TenantNamespace, name = `${TENANTS[namespace]}-policy`) => ({
  apiVersion: 'policy.karmada.io/v1alpha1',
  kind: 'PropagationPolicy',
  metadata: { namespace, name },
  spec: { resourceSelectors: draftOf(namespace).resourceSelectors, placement: {} },
})

/** Requests that change nothing. */
export const QUERIES: Lines = {
  'GET /api/v1/about': lines('about'),
  'GET /api/v1/activity': lines('activity', 'activity?object=Queue'),
  'GET /api/v1/clusters': lines('clusters'),
  'GET /api/v1/clusters/{cluster}': ofClusters((name) => ({ path: `clusters/${name}` })),
  'GET /api/v1/clusters/{cluster}/blockers': ofClusters((name) => ({ path: `clusters/${name}/blockers` })),
  'GET /api/v1/clusters/{cluster}/nodes': ofClusters((name) => ({ path: `clusters/${name}/nodes` })),
  'GET /api/v1/clusters/{cluster}/pods': ofEach((namespace) => ({
    path: `clusters/${amber}/pods?workload=${encodeURIComponent(idOfWeb(namespace))}`,
  })),
  'GET /api/v1/clusters/{cluster}/pods/{namespace}/{pod}': ofEach((namespace) => ({
    path: `clusters/${amber}/pods/${namespace}/some`,
  })),
  'GET /api/v1/clusters/{cluster}/pods/{namespace}/{pod}/log': ofEach((namespace) => ({
    path: `clusters/${amber}/pods/${namespace}/some/log`,
  })),
  'GET /api/v1/failbacks': lines('failbacks'),
  'GET /api/v1/failovers': lines('failovers'),
  'GET /api/v1/failovers/history': lines('failovers/history'),
  'GET /api/v1/failovers/record': [
    ...ofClusters((name) => ({ path: `failovers/record?cluster=${name}` })),
    ...ofEach((namespace) => ({
      path: `failovers/record?cluster=${amber}&workload=${encodeURIComponent(idOfWeb(namespace))}`,
    })),
    { path: 'failovers/record?plan=shared-plan' },
  ],
  'GET /api/v1/failovers/ready-history': lines('failovers/ready-history'),
  'GET /api/v1/failovers/summary': lines('failovers/summary'),
  'GET /api/v1/journal': [
    { path: 'journal' },
    ...ofEach((namespace) => ({ path: `journal?workload=${encodeURIComponent(idOfWeb(namespace))}` })),
    ...ofClusters((name) => ({ path: `journal?cluster=${name}` })),
  ],
  'GET /api/v1/notice-receivers': lines('notice-receivers'),
  'GET /api/v1/objects': [
    ...ofEach((namespace, word) => ({
      path: `objects?apiVersion=evenkeel.io/v1alpha1&kind=Queue&namespace=${namespace}&name=${word}-queue`,
    })),
    ...ofClusters((name) => ({ path: `objects?apiVersion=cluster.karmada.io/v1alpha1&kind=Cluster&name=${name}` })),
  ],
  'GET /api/v1/openapi.json': lines('openapi.json'),
  'GET /api/v1/policies': lines('policies', 'policies?limit=1'),
  'GET /api/v1/policies/{namespace}/{name}': [
    ...ofEach((namespace, word) => ({ path: `policies/${namespace}/${word}-policy` })),
    { path: 'policies/-/shared-policy' },
  ],
  'GET /api/v1/policies/{namespace}/{name}/document': [
    ...ofEach((namespace, word) => ({ path: `policies/${namespace}/${word}-policy/document` })),
    { path: 'policies/-/shared-policy/document' },
  ],
  'POST /api/v1/placement-labs': [
    ...ofEach((namespace) => ({ path: 'placement-labs', body: draftOf(namespace) })),
    SHARED_DRAFT,
  ],
  'POST /api/v1/placement-previews': ofEach((namespace) => ({
    path: 'placement-previews',
    body: { ...draftOf(namespace), placement: {} },
  })),
  'POST /api/v1/policy-dry-runs': ofEach((namespace) => ({
    path: 'policy-dry-runs',
    body: { manifest: policyOf(namespace) },
  })),
  'GET /api/v1/queues': [{ path: 'queues' }, ...ofEach((namespace) => ({ path: `queues?namespace=${namespace}` }))],
  'GET /api/v1/queues/{namespace}/{name}': ofEach((namespace) => ({ path: queueOf(namespace) })),
  'GET /api/v1/queues/{namespace}/{name}/hold-preview': ofEach((namespace) => ({
    path: `${queueOf(namespace)}/hold-preview`,
  })),
  'GET /api/v1/queues/{namespace}/{name}/resume-preview': ofEach((namespace) => ({
    path: `${queueOf(namespace)}/resume-preview`,
  })),
  'GET /api/v1/rebalance-plans': lines('rebalance-plans'),
  'GET /api/v1/prediction-accuracy': lines('prediction-accuracy'),
  'GET /api/v1/rebalance-plans/{plan}': lines('rebalance-plans/shared-plan'),
  'GET /api/v1/rebalance-plans/{plan}/load': lines('rebalance-plans/shared-plan/load'),
  'GET /api/v1/rebalancers': lines('rebalancers'),
  'GET /api/v1/rebalancers/{rebalancer}': lines('rebalancers/shared-rebalancer'),
  'GET /api/v1/rehearsals': lines('rehearsals'),
  'GET /api/v1/rehearsals/{rehearsal}': lines('rehearsals/some'),
  'GET /api/v1/rehearsals/{rehearsal}/recording': lines('rehearsals/some/recording'),
  'POST /api/v1/rehearsals': [{ path: 'rehearsals', body: { scenario: '{}' } }],
  'DELETE /api/v1/rehearsals/{rehearsal}': lines('rehearsals/some'),
  'GET /api/v1/snapshots/{topic}': lines(
    'snapshots/clusters',
    'snapshots/workloads',
    'snapshots/rebalancers',
    'snapshots/plans',
    'snapshots/policies',
    'snapshots/spreads',
    'snapshots/queues',
    'snapshots/failover',
    'snapshots/summary',
    'snapshots/activity',
    'snapshots/nothing',
  ),
  'GET /api/v1/spreads': [{ path: 'spreads' }, ...ofEach((namespace) => ({ path: `spreads?namespace=${namespace}` }))],
  'GET /api/v1/spreads/{namespace}/{name}': ofEach((namespace, word) => ({
    path: `spreads/${namespace}/${word}-spread`,
  })),
  'GET /api/v1/workloads': [
    { path: 'workloads' },
    ...ofEach((namespace) => ({ path: `workloads?namespace=${namespace}` })),
  ],
  'GET /api/v1/workloads/{apiVersion}/{kind}/{namespace}/{name}': [
    ...ofEach((namespace) => ({ path: `workloads/${idOfWeb(namespace)}` })),
    ...ofEach((namespace) => ({ path: `workloads/${idOfWait(namespace)}` })),
  ],
  'POST /api/v1/access': ofEach((namespace) => ({
    path: 'access',
    body: { questions: [{ verb: 'list', group: 'work.karmada.io', resource: 'resourcebindings', namespace }] },
  })),
  'POST /api/v1/failover-previews': [
    ...ofEach((namespace) => ({ path: 'failover-previews', body: evict(namespace) })),
    ...ofClusters((cluster) => ({ path: 'failover-previews', body: { action: 'drain', cluster } })),
  ],
  'POST /api/v1/object-previews': ofEach((namespace) => ({
    path: 'object-previews',
    body: namespaceObject(namespace),
  })),
  'POST /api/v1/rebalance-previews': [
    ...ofEach((namespace) => ({ path: 'rebalance-previews', body: { targets: [web(namespace)] } })),
    { path: 'rebalance-previews', body: { targets: NAMESPACES.map(web) } },
  ],
  'GET /api/v1/what-ifs/survey': lines('what-ifs/survey'),
  'GET /api/v1/what-ifs/losses': lines('what-ifs/losses', 'what-ifs/losses?compute=pairs'),
  'GET /api/v1/what-ifs/losses/{clusters}': [
    ...ofClusters((cluster) => ({ path: `what-ifs/losses/${cluster}` })),
    { path: `what-ifs/losses/${CLUSTER_NAMES.join(',')}` },
  ],
  'POST /api/v1/what-ifs': CLUSTER_NAMES.flatMap((cluster) =>
    ['fails', 'drained'].map((cause) => ({ path: 'what-ifs', body: { cluster, cause } })),
  ),
}

/** The base that a user saw before acting; another user may have copied it. */
export interface Bases {
  rebalance: string
  evict: string
  drain: string
}

const ROLLOUT = {
  waveSize: 1,
  soakSeconds: 0,
  minReady: '100%',
  makeBeforeBreak: false,
  onRegression: 'Hold',
  allowFewerReplicas: true,
}

/** Requests that change something in that tenant or in shared objects, in an order in which all of them succeed. */
export function actionsOn(namespace: TenantNamespace, bases: Bases): Lines {
  const word = TENANTS[namespace]
  const queue = queueOf(namespace)
  const wait = `bindings/${namespace}/${word}-wait-deployment`
  const spec = { priorityClasses: [{ name: 'high', value: 10 }] }
  return {
    'PUT /api/v1/policies/{namespace}/{name}': [
      { path: `policies/${namespace}/${word}-policy`, body: { manifest: policyOf(namespace) } },
    ],
    'POST /api/v1/policies': [{ path: 'policies', body: { manifest: policyOf(namespace, `${word}-policy-two`) } }],
    'PUT /api/v1/queues/{namespace}/{name}': [{ path: queue, body: { spec } }],
    'POST /api/v1/queues/{namespace}/{name}/priority': [
      { path: `${queue}/priority`, body: { workload: idOfWait(namespace), priorityClass: 'high' } },
    ],
    'POST /api/v1/queues/{namespace}/{name}/hold': [{ path: `${queue}/hold`, body: { reason: 'a test' } }],
    'POST /api/v1/queues/{namespace}/{name}/resume': [{ path: `${queue}/resume`, body: {} }],
    'POST /api/v1/bindings/{namespace}/{name}/resume': [{ path: `${wait}/resume`, body: {} }],
    'POST /api/v1/queues/{namespace}/{name}/release': [
      { path: `${queue}/release`, body: { workload: idOfWait(namespace) } },
    ],
    'POST /api/v1/bindings/{namespace}/{name}/suspend': [{ path: `${wait}/suspend`, body: { reason: 'a test' } }],
    'PUT /api/v1/objects': [{ path: 'objects', body: namespaceObject(namespace) }],
    'DELETE /api/v1/queues/{namespace}/{name}': [{ path: queue }],
    'POST /api/v1/queues': [{ path: 'queues', body: { namespace, name: `${word}-queue`, spec: {} } }],
    'POST /api/v1/rebalancers': [{ path: 'rebalancers', body: { targets: [web(namespace)], base: bases.rebalance } }],
    'POST /api/v1/rebalance-plans': [
      { path: 'rebalance-plans', body: { selection: { namespaces: [namespace] }, rollout: ROLLOUT } },
    ],
    'POST /api/v1/rebalance-plans/{plan}/actions': [
      { path: 'rebalance-plans/shared-plan/actions', body: { action: 'discard' } },
    ],
    'POST /api/v1/clusters/{cluster}/simulation': [{ path: `clusters/${jade}/simulation`, body: { state: 'up' } }],
    'POST /api/v1/notice-receivers/{receiver}/test': [{ path: 'notice-receivers/pager/test' }],
    'POST /api/v1/failover-actions': [
      { path: 'failover-actions', body: { base: bases.evict, order: evict(namespace) } },
      { path: 'failover-actions', body: { base: bases.drain, order: { action: 'drain', cluster: jade } } },
    ],
    'POST /api/v1/clusters/{cluster}/taints': [
      {
        path: `clusters/${jade}/taints`,
        body: { change: 'add', taint: { key: `by-${namespace}`, effect: 'NoSchedule' } },
      },
    ],
  }
}
