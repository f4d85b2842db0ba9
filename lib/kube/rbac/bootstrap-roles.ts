/**
 * The ClusterRoles that every API server has from its first start, as kube-apiserver's policy defines them; roles of
 * components that have no part here (volumes, the controllers of a controller manager) are left out.
 */
import type { PolicyRule } from '../kinds/cluster-role'

/** A ClusterRole of the policy. `aggregates` names the label of the roles whose rules it gathers. */
export interface PolicyRole {
  name: string
  rules: readonly PolicyRule[]
  labels?: Readonly<Record<string, string>>
  aggregates?: string
}

const READ = ['get', 'list', 'watch']
const CHANGE = ['create', 'delete', 'deletecollection', 'patch', 'update']
const READ_AND_CHANGE = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch']
const EVENT_WRITES = ['create', 'patch', 'update']

/** A rule on resources. */
function may(verbs: readonly string[], group: string, ...resources: string[]): PolicyRule {
  return { verbs: [...verbs], apiGroups: [group], resources }
}

/** A rule on paths. */
function mayGet(...nonResourceURLs: string[]): PolicyRule {
  return { verbs: ['get'], nonResourceURLs }
}

const writesEvents: PolicyRule = { verbs: EVENT_WRITES, apiGroups: ['', 'events.k8s.io'], resources: ['events'] }

const AGGREGATE = 'rbac.authorization.k8s.io/aggregate-to-'
/** Returns the labels that aggregate a role to `admin`, `edit` or `view`. */
function aggregatedTo(...roles: string[]): Record<string, string> {
  return Object.fromEntries(roles.map((role) => [AGGREGATE + role, 'true']))
}

const aggregateToView: PolicyRule[] = [
  may(
    READ,
    '',
    'configmaps',
    'endpoints',
    'persistentvolumeclaims',
    'persistentvolumeclaims/status',
    'pods',
    'replicationcontrollers',
    'replicationcontrollers/scale',
    'serviceaccounts',
    'services',
    'services/status',
  ),
  may(
    READ,
    '',
    'bindings',
    'events',
    'limitranges',
    'namespaces/status',
    'pods/log',
    'pods/status',
    'replicationcontrollers/status',
    'resourcequotas',
    'resourcequotas/status',
  ),
  may(READ, '', 'namespaces'),
  may(READ, 'discovery.k8s.io', 'endpointslices'),
  may(
    READ,
    'apps',
    'controllerrevisions',
    'daemonsets',
    'daemonsets/status',
    'deployments',
    'deployments/scale',
    'deployments/status',
    'replicasets',
    'replicasets/scale',
    'replicasets/status',
    'statefulsets',
    'statefulsets/scale',
    'statefulsets/status',
  ),
  may(READ, 'autoscaling', 'horizontalpodautoscalers', 'horizontalpodautoscalers/status'),
  may(READ, 'batch', 'cronjobs', 'cronjobs/status', 'jobs', 'jobs/status'),
  may(READ, 'policy', 'poddisruptionbudgets', 'poddisruptionbudgets/status'),
  may(READ, 'networking.k8s.io', 'ingresses', 'ingresses/status', 'networkpolicies'),
  may(READ, 'events.k8s.io', 'events'),
  may(
    READ,
    'extensions',
    'daemonsets',
    'daemonsets/status',
    'deployments',
    'deployments/scale',
    'deployments/status',
    'ingresses',
    'ingresses/status',
    'networkpolicies',
    'replicasets',
    'replicasets/scale',
    'replicasets/status',
    'replicationcontrollers/scale',
  ),
  may(READ, 'resource.k8s.io', 'resourceclaims', 'resourceclaims/status', 'resourceclaimtemplates'),
]

const aggregateToEdit: PolicyRule[] = [
  may(READ, '', 'pods/attach', 'pods/exec', 'pods/portforward', 'pods/proxy', 'secrets', 'services/proxy'),
  may(['impersonate'], '', 'serviceaccounts'),
  may(CHANGE, '', 'pods', 'pods/attach', 'pods/exec', 'pods/portforward', 'pods/proxy'),
  may(['create'], '', 'pods/eviction'),
  may(
    CHANGE,
    '',
    'configmaps',
    'events',
    'persistentvolumeclaims',
    'replicationcontrollers',
    'replicationcontrollers/scale',
    'secrets',
    'serviceaccounts',
    'services',
    'services/proxy',
  ),
  may(['create'], '', 'serviceaccounts/token'),
  may(
    CHANGE,
    'apps',
    'daemonsets',
    'deployments',
    'deployments/rollback',
    'deployments/scale',
    'replicasets',
    'replicasets/scale',
    'statefulsets',
    'statefulsets/scale',
  ),
  may(CHANGE, 'autoscaling', 'horizontalpodautoscalers'),
  may(CHANGE, 'batch', 'cronjobs', 'jobs'),
  may(CHANGE, 'policy', 'poddisruptionbudgets'),
  may(CHANGE, 'networking.k8s.io', 'ingresses', 'networkpolicies'),
  may(READ_AND_CHANGE, 'coordination.k8s.io', 'leases'),
  may(CHANGE, 'events.k8s.io', 'events'),
  may(
    CHANGE,
    'extensions',
    'daemonsets',
    'deployments',
    'deployments/rollback',
    'deployments/scale',
    'ingresses',
    'networkpolicies',
    'replicasets',
    'replicasets/scale',
    'replicationcontrollers/scale',
  ),
  may(CHANGE, 'resource.k8s.io', 'resourceclaims', 'resourceclaimtemplates'),
]

const aggregateToAdmin: PolicyRule[] = [
  may(['create'], 'authorization.k8s.io', 'localsubjectaccessreviews'),
  may(READ_AND_CHANGE, 'rbac.authorization.k8s.io', 'rolebindings', 'roles'),
]

const forPeople: PolicyRole[] = [
  { name: 'cluster-admin', rules: [may(['*'], '*', '*'), { verbs: ['*'], nonResourceURLs: ['*'] }] },
  { name: 'admin', rules: [], aggregates: `${AGGREGATE}admin` },
  { name: 'edit', rules: [], labels: aggregatedTo('admin'), aggregates: `${AGGREGATE}edit` },
  { name: 'view', rules: [], labels: aggregatedTo('edit'), aggregates: `${AGGREGATE}view` },
  { name: 'system:aggregate-to-admin', rules: aggregateToAdmin, labels: aggregatedTo('admin') },
  { name: 'system:aggregate-to-edit', rules: aggregateToEdit, labels: aggregatedTo('edit') },
  { name: 'system:aggregate-to-view', rules: aggregateToView, labels: aggregatedTo('view') },
]

const forEverybody: PolicyRole[] = [
  {
    name: 'system:discovery',
    rules: [
      mayGet(
        '/api',
        '/api/*',
        '/apis',
        '/apis/*',
        '/healthz',
        '/livez',
        '/openapi',
        '/openapi/*',
        '/readyz',
        '/version',
        '/version/',
      ),
    ],
  },
  {
    name: 'system:basic-user',
    rules: [
      may(['create'], 'authorization.k8s.io', 'selfsubjectaccessreviews', 'selfsubjectrulesreviews'),
      may(['create'], 'authentication.k8s.io', 'selfsubjectreviews'),
    ],
  },
  { name: 'system:public-info-viewer', rules: [mayGet('/healthz', '/livez', '/readyz', '/version', '/version/')] },
  { name: 'system:well-known-viewer', rules: [mayGet('/.well-known', '/.well-known/*')] },
  {
    name: 'system:service-account-issuer-discovery',
    rules: [mayGet('/.well-known/openid-configuration', '/openid/v1/jwks')],
  },
]

const forComponents: PolicyRole[] = [
  {
    name: 'system:auth-delegator',
    rules: [
      may(['create'], 'authentication.k8s.io', 'tokenreviews'),
      may(['create'], 'authorization.k8s.io', 'subjectaccessreviews'),
    ],
  },
  {
    name: 'system:monitoring',
    rules: [
      mayGet('/healthz', '/healthz/*', '/livez', '/livez/*', '/metrics', '/metrics/slis', '/readyz', '/readyz/*'),
    ],
  },
  { name: 'system:kube-dns', rules: [may(['list', 'watch'], '', 'endpoints', 'services')] },
  {
    name: 'system:node-proxier',
    rules: [
      may(['list', 'watch'], '', 'endpoints', 'services'),
      may(READ, '', 'nodes'),
      writesEvents,
      may(['list', 'watch'], 'discovery.k8s.io', 'endpointslices'),
    ],
  },
  {
    name: 'system:node-problem-detector',
    rules: [may(['get'], '', 'nodes'), may(['patch'], '', 'nodes/status'), writesEvents],
  },
  {
    name: 'system:kubelet-api-admin',
    rules: [
      may(READ, '', 'nodes'),
      may(['proxy'], '', 'nodes'),
      may(['*'], '', 'nodes/log', 'nodes/metrics', 'nodes/proxy', 'nodes/stats'),
    ],
  },
]

/** Roles for requesting and approving certificates. */
const forCertificates: PolicyRole[] = [
  ...['nodeclient', 'selfnodeclient'].map((part) => ({
    name: `system:certificates.k8s.io:certificatesigningrequests:${part}`,
    rules: [may(['create'], 'certificates.k8s.io', `certificatesigningrequests/${part}`)],
  })),
  ...['kube-apiserver-client', 'kube-apiserver-client-kubelet', 'kubelet-serving', 'legacy-unknown'].map((signer) => ({
    name: `system:certificates.k8s.io:${signer}-approver`,
    rules: [{ ...may(['approve'], 'certificates.k8s.io', 'signers'), resourceNames: [`kubernetes.io/${signer}`] }],
  })),
  {
    name: 'system:node-bootstrapper',
    rules: [may(['create', ...READ], 'certificates.k8s.io', 'certificatesigningrequests')],
  },
]

/** In the control plane and in every member. */
export const bootstrapRoles: readonly PolicyRole[] = [
  ...forPeople,
  ...forEverybody,
  ...forComponents,
  ...forCertificates,
]

const KARMADA: readonly (readonly [group: string, ...resources: string[]])[] = [
  ['autoscaling.karmada.io', 'cronfederatedhpas', 'cronfederatedhpas/status', 'federatedhpas', 'federatedhpas/status'],
  ['multicluster.x-k8s.io', 'serviceexports', 'serviceexports/status', 'serviceimports', 'serviceimports/status'],
  [
    'networking.karmada.io',
    'multiclusteringresses',
    'multiclusteringresses/status',
    'multiclusterservices',
    'multiclusterservices/status',
  ],
  ['policy.karmada.io', 'overridepolicies', 'propagationpolicies'],
  ['work.karmada.io', 'resourcebindings', 'resourcebindings/status', 'works', 'works/status'],
]

/** Makes the roles of an agent when its cluster registers. */
export const RBAC_GENERATOR = 'system:karmada:agent-rbac-generator'

/** Roles for automatic approval of agents' certificate signing requests, by the kind of check. */
export const AGENT_APPROVERS = {
  clusteragent: 'system:karmada:certificatesigningrequest:autoapprover',
  selfclusteragent: 'system:karmada:certificatesigningrequest:selfautoapprover',
} as const

/** Only where Karmada's kinds are: its resources become part of `view`, `edit` and `admin`. */
export const karmadaRoles: readonly PolicyRole[] = [
  { name: 'karmada-view', labels: aggregatedTo('view'), rules: KARMADA.map((resources) => may(READ, ...resources)) },
  { name: 'karmada-edit', labels: aggregatedTo('edit'), rules: KARMADA.map((resources) => may(CHANGE, ...resources)) },
  { name: 'cluster-proxy-admin', rules: [may(['*'], 'cluster.karmada.io', 'clusters/proxy')] },
  { name: RBAC_GENERATOR, rules: [may(['*'], '*', '*')] },
  ...Object.entries(AGENT_APPROVERS).map(([part, name]) => ({
    name,
    rules: [may(['create'], 'certificates.k8s.io', `certificatesigningrequests/${part}`)],
  })),
]
