/** Valid objects, by the collection that they go to: what mutations begin with. Every one is named `f`. */

export interface Seed {
  collection: string
  object: Record<string, unknown>
}

const template = {
  metadata: { labels: { app: 'w' } },
  spec: { containers: [{ name: 'c', image: 'i', env: [{ name: 'a', value: 'b' }], ports: [{ containerPort: 80 }] }] },
}

const metadata = { name: 'f', labels: { a: 'b' }, annotations: { c: 'd' } }

function seed(collection: string, apiVersion: string, kind: string, rest: object): Seed {
  return { collection, object: { apiVersion, kind, metadata, ...rest } }
}

const CORE = '/api/v1/namespaces/default'
const RBAC = '/apis/rbac.authorization.k8s.io/v1'
const ADMISSION = '/apis/admissionregistration.k8s.io/v1'

export const ordinary: readonly Seed[] = [
  seed(`${CORE}/configmaps`, 'v1', 'ConfigMap', { data: { k: 'v' }, binaryData: { b: 'AA==' } }),
  seed(`${CORE}/secrets`, 'v1', 'Secret', { type: 'Opaque', data: { k: 'AA==' }, stringData: { s: 't' } }),
  seed(`${CORE}/services`, 'v1', 'Service', {
    spec: { selector: { a: 'b' }, ports: [{ port: 80, targetPort: 'web' }] },
  }),
  seed(`${CORE}/pods`, 'v1', 'Pod', {
    spec: { ...template.spec, nodeName: 'n', tolerations: [{ key: 'a', operator: 'Exists' }] },
    status: { phase: 'Running', containerStatuses: [{ name: 'c', ready: true, state: { running: {} } }] },
  }),
  seed(`${CORE}/events`, 'v1', 'Event', {
    involvedObject: { kind: 'Pod', namespace: 'default', name: 'a' },
    count: 1,
    series: { count: 2 },
  }),
  seed(`${CORE}/serviceaccounts`, 'v1', 'ServiceAccount', { secrets: [{ name: 'x' }] }),
  seed('/api/v1/namespaces', 'v1', 'Namespace', { spec: { finalizers: ['kubernetes'] }, status: { phase: 'Active' } }),
  seed('/api/v1/nodes', 'v1', 'Node', {
    spec: { taints: [{ key: 'a', effect: 'NoSchedule' }] },
    status: { conditions: [{ type: 'Ready', status: 'True' }], addresses: [{ type: 'InternalIP', address: '1' }] },
  }),
  seed('/apis/apps/v1/namespaces/default/deployments', 'apps/v1', 'Deployment', {
    spec: { replicas: 1, selector: { matchLabels: { app: 'w' } }, template },
  }),
  seed('/apis/batch/v1/namespaces/default/cronjobs', 'batch/v1', 'CronJob', {
    spec: {
      schedule: '*/5 * * * *',
      jobTemplate: { spec: { template: { spec: { ...template.spec, restartPolicy: 'Never' } } } },
    },
  }),
  seed('/apis/coordination.k8s.io/v1/namespaces/default/leases', 'coordination.k8s.io/v1', 'Lease', {
    spec: { holderIdentity: 'me', renewTime: '2026-01-01T00:00:00.000000Z' },
  }),
]

export const federated: readonly Seed[] = [
  seed(
    '/apis/policy.karmada.io/v1alpha1/namespaces/default/propagationpolicies',
    'policy.karmada.io/v1alpha1',
    'PropagationPolicy',
    {
      spec: {
        resourceSelectors: [{ apiVersion: 'v1', kind: 'ConfigMap' }],
        placement: {
          clusterAffinity: { clusterNames: ['m'] },
          spreadConstraints: [{ spreadByField: 'cluster', minGroups: 1 }],
        },
      },
    },
  ),
  seed(
    '/apis/work.karmada.io/v1alpha2/namespaces/default/resourcebindings',
    'work.karmada.io/v1alpha2',
    'ResourceBinding',
    { spec: { resource: { apiVersion: 'v1', kind: 'x', name: 'y' }, clusters: [{ name: 'a', replicas: 2 }] } },
  ),
  seed('/apis/work.karmada.io/v1alpha1/namespaces/default/works', 'work.karmada.io/v1alpha1', 'Work', {
    spec: { workload: { manifests: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } }] } },
  }),
  seed('/apis/cluster.karmada.io/v1alpha1/clusters', 'cluster.karmada.io/v1alpha1', 'Cluster', {
    metadata: { name: 'f', annotations: { 'sim.evenkeel.io/nodes': '1' } },
    spec: { syncMode: 'Push', taints: [{ key: 'a', effect: 'NoExecute' }] },
  }),
]

export const definitions: readonly Seed[] = [
  seed(
    '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
    'apiextensions.k8s.io/v1',
    'CustomResourceDefinition',
    {
      metadata: { name: 'fs.fuzz.test' },
      spec: {
        group: 'fuzz.test',
        scope: 'Namespaced',
        names: { plural: 'fs', singular: 'f', kind: 'F', listKind: 'FList' },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: {
              openAPIV3Schema: {
                type: 'object',
                properties: {
                  spec: {
                    type: 'object',
                    'x-kubernetes-validations': [{ rule: 'self.n < 5', message: 'too many' }],
                    properties: {
                      n: { type: 'integer', minimum: 0, default: 1 },
                      t: { type: 'string', pattern: '^a+$' },
                      any: { 'x-kubernetes-preserve-unknown-fields': true },
                      list: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
                    },
                  },
                },
              },
            },
            additionalPrinterColumns: [{ name: 'N', type: 'integer', jsonPath: '.spec.n' }],
            subresources: { status: {}, scale: { specReplicasPath: '.spec.n', statusReplicasPath: '.status.n' } },
          },
        ],
      },
    },
  ),
  seed('/apis/fuzz.test/v1/namespaces/default/fs', 'fuzz.test/v1', 'F', {
    spec: { n: 1, t: 'aa', any: { x: [1] }, list: ['a'] },
  }),
  seed(
    `${ADMISSION}/validatingwebhookconfigurations`,
    'admissionregistration.k8s.io/v1',
    'ValidatingWebhookConfiguration',
    {
      webhooks: [
        {
          name: 'a.fuzz.test',
          admissionReviewVersions: ['v1'],
          sideEffects: 'None',
          failurePolicy: 'Ignore',
          timeoutSeconds: 1,
          clientConfig: { url: 'https://127.0.0.1:1/hook' },
          rules: [{ apiGroups: ['fuzz.test'], apiVersions: ['*'], operations: ['CREATE'], resources: ['fs'] }],
          matchConditions: [{ name: 'c', expression: 'object.spec.n > 3' }],
        },
      ],
    },
  ),
]

export const access: readonly Seed[] = [
  seed(`${RBAC}/namespaces/default/roles`, 'rbac.authorization.k8s.io/v1', 'Role', {
    rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'], resourceNames: ['a'] }],
  }),
  seed(`${RBAC}/clusterroles`, 'rbac.authorization.k8s.io/v1', 'ClusterRole', {
    rules: [{ nonResourceURLs: ['/x/*'], verbs: ['get'] }],
    aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] },
  }),
  seed(`${RBAC}/clusterrolebindings`, 'rbac.authorization.k8s.io/v1', 'ClusterRoleBinding', {
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
    subjects: [{ kind: 'ServiceAccount', name: 'x', namespace: 'y' }],
  }),
  seed('/apis/authentication.k8s.io/v1/tokenreviews', 'authentication.k8s.io/v1', 'TokenReview', {
    spec: { token: 'a.b.c' },
  }),
  seed('/apis/authorization.k8s.io/v1/subjectaccessreviews', 'authorization.k8s.io/v1', 'SubjectAccessReview', {
    spec: { user: 'u', groups: ['g'], resourceAttributes: { verb: 'get', resource: 'pods', namespace: 'default' } },
  }),
  seed('/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', 'authorization.k8s.io/v1', 'SelfSubjectAccessReview', {
    spec: { nonResourceAttributes: { path: '/healthz', verb: 'get' } },
  }),
  seed('/apis/authorization.k8s.io/v1/selfsubjectrulesreviews', 'authorization.k8s.io/v1', 'SelfSubjectRulesReview', {
    spec: { namespace: 'default' },
  }),
]
