/** What every product under test starts with: two members, a tenant, and a workload that the tenant must never see. */
import { type RequestStep, setup, type Step, type StepAnswer, TENANT, type WaitStep } from './steps'

/** Name of a workload that only the administrator may see. */
export const HIDDEN = 'hidden-from-tenants'
/** Where it is. Events about a namespace are in `default`, where the tenant reads them, so its name is no secret. */
const HIDDEN_NAMESPACE = 'fuzz-hidden'

/** Where scripts of the interpreter are tried. */
export const LUA_NAMESPACE = 'fuzz-lua'

const RBAC = '/apis/rbac.authorization.k8s.io/v1'

const simulated = {
  'sim.evenkeel.io/nodes': '2',
  'sim.evenkeel.io/node-cpu': '64',
  'sim.evenkeel.io/node-memory': '256Gi',
  'sim.evenkeel.io/ready-after': '100ms',
}

const cluster = (name: string): RequestStep =>
  setup('POST', '/apis/cluster.karmada.io/v1alpha1/clusters', {
    apiVersion: 'cluster.karmada.io/v1alpha1',
    kind: 'Cluster',
    metadata: { name, annotations: simulated },
    spec: { syncMode: 'Push' },
  })

const namespace = (name: string): RequestStep =>
  setup('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } })

const policy = (namespace: string, resourceSelectors: readonly object[]): RequestStep =>
  setup('POST', `/apis/policy.karmada.io/v1alpha1/namespaces/${namespace}/propagationpolicies`, {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'PropagationPolicy',
    metadata: { name: 'fuzz' },
    spec: { resourceSelectors, placement: { clusterAffinity: { clusterNames: ['member1'] } } },
  })

const steps: readonly (RequestStep | WaitStep)[] = [
  namespace('fuzz'),
  namespace(HIDDEN_NAMESPACE),
  namespace(LUA_NAMESPACE),
  cluster('member1'),
  cluster('member2'),
  setup('POST', '/api/v1/namespaces/fuzz/serviceaccounts', {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name: 'tenant' },
  }),
  setup('POST', `${RBAC}/clusterroles`, {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: 'fuzz-editor' },
    rules: [
      { apiGroups: [''], resources: ['*'], verbs: ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'] },
      {
        apiGroups: ['apps', 'batch', 'policy.karmada.io', 'work.karmada.io', 'coordination.k8s.io', 'fuzz.test'],
        resources: ['*'],
        verbs: ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'],
      },
      {
        apiGroups: ['rbac.authorization.k8s.io'],
        resources: ['roles', 'rolebindings'],
        verbs: ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'],
      },
    ],
  }),
  setup('POST', `${RBAC}/clusterroles`, {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: 'fuzz-binding-editor' },
    rules: [{ apiGroups: ['work.karmada.io'], resources: ['*'], verbs: ['*'] }],
  }),
  setup('POST', `${RBAC}/namespaces/default/rolebindings`, {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    metadata: { name: 'fuzz-tenant' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'fuzz-editor' },
    subjects: [{ kind: 'ServiceAccount', namespace: 'fuzz', name: 'tenant' }],
  }),
  policy(HIDDEN_NAMESPACE, [{ apiVersion: 'apps/v1', kind: 'Deployment' }]),
  policy(LUA_NAMESPACE, [
    { apiVersion: 'batch/v1', kind: 'Job' },
    { apiVersion: 'apps/v1', kind: 'StatefulSet' },
  ]),
  setup('POST', '/apis/config.karmada.io/v1alpha1/resourceinterpretercustomizations', {
    apiVersion: 'config.karmada.io/v1alpha1',
    kind: 'ResourceInterpreterCustomization',
    metadata: { name: 'fuzz-reference' },
    spec: {
      target: { apiVersion: 'apps/v1', kind: 'StatefulSet' },
      customizations: { replicaResource: { luaScript: 'function GetReplicas(desiredObj) return 7, {} end' } },
    },
  }),
  setup('POST', `/apis/apps/v1/namespaces/${HIDDEN_NAMESPACE}/deployments`, {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: HIDDEN },
    spec: {
      replicas: 1,
      selector: { matchLabels: { app: HIDDEN } },
      template: { metadata: { labels: { app: HIDDEN } }, spec: { containers: [{ name: 'c', image: HIDDEN }] } },
    },
  }),
  {
    do: 'wait',
    for: { text: '"type":"Ready","status":"True"' },
    setup: true,
    path: '/apis/cluster.karmada.io/v1alpha1/clusters/member1',
  },
]

/** Makes it what it should be, also where it is already, and answers the tenant's token. */
export async function prepareStage(subject: { send(step: Step): Promise<StepAnswer> }): Promise<string> {
  for (const step of steps) {
    const { status, body } = await subject.send(step)
    if (status !== 409 && (status === 0 || status >= 500)) throw new Error(`the stage is not ready: ${status} ${body}`)
  }
  const { status, body } = await subject.send(
    setup('POST', '/api/v1/namespaces/fuzz/serviceaccounts/tenant/token', {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec: { expirationSeconds: 86_400 },
    }),
  )
  if (status >= 300) throw new Error(`no token for ${TENANT}: ${status} ${body}`)
  return (JSON.parse(body) as { status: { token: string } }).status.token
}
