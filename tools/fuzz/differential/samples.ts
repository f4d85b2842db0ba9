/** Valid objects of each kind that both servers serve, rich enough that their parts can be spoiled. */
import { richClusterScoped } from './rich-cluster-samples'
import { richNamespaced } from './rich-samples'
import type { Row } from './sample-row'

export interface Sample {
  group: string
  version: string
  plural: string
  kind: string
  namespaced: boolean
  fields: object
  subresources?: readonly string[]
}

const labels = { app: 'web' }
const container = {
  name: 'c',
  image: 'nginx:1.25',
  ports: [{ containerPort: 80, name: 'http' }],
  env: [
    { name: 'A', value: '1' },
    { name: 'B', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
  ],
  resources: { requests: { cpu: '100m', memory: '64Mi' }, limits: { cpu: '1' } },
  readinessProbe: { httpGet: { path: '/', port: 'http' } },
}
const podSpec = {
  containers: [container],
  volumes: [
    { name: 'v', emptyDir: {} },
    { name: 'm', configMap: { name: 'm' } },
  ],
  nodeSelector: { disk: 'ssd' },
  tolerations: [{ key: 'k', operator: 'Exists', effect: 'NoSchedule' }],
}
const template = { metadata: { labels }, spec: { containers: [container] } }
const selector = { matchLabels: labels }
const webhook = {
  name: 'a.example.com',
  admissionReviewVersions: ['v1'],
  sideEffects: 'None',
  clientConfig: { url: 'https://127.0.0.1:1/x' },
  failurePolicy: 'Ignore',
  timeoutSeconds: 1,
  rules: [{ apiGroups: ['none.example.com'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['nones'] }],
}

const namespaced: readonly Row[] = [
  ['', 'v1', 'configmaps', 'ConfigMap', { data: { a: '1', b: 'x' }, binaryData: { c: 'AAEC' } }],
  ['', 'v1', 'secrets', 'Secret', { type: 'Opaque', stringData: { a: '1' }, data: { b: 'AAEC' } }],
  [
    '',
    'v1',
    'services',
    'Service',
    { spec: { selector: labels, ports: [{ name: 'http', port: 80, targetPort: 'http', protocol: 'TCP' }] } },
    'status',
  ],
  ['', 'v1', 'serviceaccounts', 'ServiceAccount', { secrets: [{ name: 's' }], imagePullSecrets: [{ name: 'p' }] }],
  ['', 'v1', 'pods', 'Pod', { spec: podSpec }, 'status'],
  [
    '',
    'v1',
    'endpoints',
    'Endpoints',
    { subsets: [{ addresses: [{ ip: '10.1.2.3' }], ports: [{ name: 'http', port: 80 }] }] },
  ],
  [
    '',
    'v1',
    'events',
    'Event',
    {
      involvedObject: { kind: 'Pod', name: 'p', namespace: '{{ns}}', apiVersion: 'v1' },
      reason: 'Started',
      message: 'started',
      type: 'Normal',
      firstTimestamp: '2020-01-01T00:00:00Z',
      lastTimestamp: '2020-01-01T00:00:00Z',
      count: 1,
      source: { component: 'test' },
    },
  ],
  [
    '',
    'v1',
    'limitranges',
    'LimitRange',
    { spec: { limits: [{ type: 'Container', max: { cpu: '2' }, default: { cpu: '1' } }] } },
  ],
  ['', 'v1', 'resourcequotas', 'ResourceQuota', { spec: { hard: { pods: '100', 'requests.cpu': '100' } } }, 'status'],
  [
    '',
    'v1',
    'persistentvolumeclaims',
    'PersistentVolumeClaim',
    { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, storageClassName: 's' } },
    'status',
  ],
  ['', 'v1', 'podtemplates', 'PodTemplate', { template }],
  [
    '',
    'v1',
    'replicationcontrollers',
    'ReplicationController',
    { spec: { replicas: 1, selector: labels, template } },
    'status scale',
  ],
  ['apps', 'v1', 'deployments', 'Deployment', { spec: { replicas: 2, selector, template } }, 'status scale'],
  ['apps', 'v1', 'replicasets', 'ReplicaSet', { spec: { replicas: 2, selector, template } }, 'status scale'],
  [
    'apps',
    'v1',
    'statefulsets',
    'StatefulSet',
    { spec: { replicas: 2, serviceName: 's', selector, template } },
    'status scale',
  ],
  ['apps', 'v1', 'daemonsets', 'DaemonSet', { spec: { selector, template } }, 'status'],
  ['apps', 'v1', 'controllerrevisions', 'ControllerRevision', { revision: 1, data: { a: 1 } }],
  [
    'batch',
    'v1',
    'jobs',
    'Job',
    { spec: { completions: 2, template: { spec: { restartPolicy: 'Never', containers: [container] } } } },
    'status',
  ],
  [
    'batch',
    'v1',
    'cronjobs',
    'CronJob',
    {
      spec: {
        schedule: '*/5 * * * *',
        jobTemplate: { spec: { template: { spec: { restartPolicy: 'OnFailure', containers: [container] } } } },
      },
    },
    'status',
  ],
  [
    'autoscaling',
    'v2',
    'horizontalpodautoscalers',
    'HorizontalPodAutoscaler',
    {
      spec: {
        maxReplicas: 5,
        minReplicas: 2,
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' },
        metrics: [
          { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 60 } } },
        ],
      },
    },
    'status',
  ],
  [
    'autoscaling',
    'v1',
    'horizontalpodautoscalers',
    'HorizontalPodAutoscaler',
    { spec: { maxReplicas: 5, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' } } },
    'status',
  ],
  [
    'networking.k8s.io',
    'v1',
    'ingresses',
    'Ingress',
    {
      spec: {
        rules: [
          {
            host: 'a.example.com',
            http: {
              paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 's', port: { number: 80 } } } }],
            },
          },
        ],
        tls: [{ hosts: ['a.example.com'], secretName: 't' }],
      },
    },
    'status',
  ],
  [
    'networking.k8s.io',
    'v1',
    'networkpolicies',
    'NetworkPolicy',
    {
      spec: {
        podSelector: selector,
        policyTypes: ['Ingress'],
        ingress: [{ from: [{ ipBlock: { cidr: '10.0.0.0/8' } }], ports: [{ port: 80 }] }],
      },
    },
  ],
  ['policy', 'v1', 'poddisruptionbudgets', 'PodDisruptionBudget', { spec: { minAvailable: 1, selector } }, 'status'],
  [
    'rbac.authorization.k8s.io',
    'v1',
    'roles',
    'Role',
    { rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get'] }] },
  ],
  [
    'rbac.authorization.k8s.io',
    'v1',
    'rolebindings',
    'RoleBinding',
    {
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'r' },
      subjects: [{ kind: 'ServiceAccount', name: 'a', namespace: '{{ns}}' }],
    },
  ],
  [
    'coordination.k8s.io',
    'v1',
    'leases',
    'Lease',
    { spec: { holderIdentity: 'a', leaseDurationSeconds: 15, renewTime: '2020-01-01T00:00:00.000000Z' } },
  ],
  [
    'discovery.k8s.io',
    'v1',
    'endpointslices',
    'EndpointSlice',
    { addressType: 'IPv4', endpoints: [{ addresses: ['10.1.2.3'] }], ports: [{ name: 'http', port: 80 }] },
  ],
  [
    'events.k8s.io',
    'v1',
    'events',
    'Event',
    {
      regarding: { kind: 'Pod', name: 'p', namespace: '{{ns}}' },
      reason: 'Started',
      action: 'Start',
      type: 'Normal',
      note: 'started',
      eventTime: '2020-01-01T00:00:00.000000Z',
      reportingController: 'example.com/c',
      reportingInstance: 'i',
    },
  ],
  [
    'apps.karmada.io',
    'v1alpha1',
    'workloadrebalancers',
    'WorkloadRebalancer',
    { spec: { workloads: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'd', namespace: 'n' }] } },
    'status',
  ],
  ['multicluster.x-k8s.io', 'v1alpha1', 'serviceexports', 'ServiceExport', {}, 'status'],
  [
    'multicluster.x-k8s.io',
    'v1alpha1',
    'serviceimports',
    'ServiceImport',
    { spec: { type: 'ClusterSetIP', ports: [{ port: 80, protocol: 'TCP' }] } },
    'status',
  ],
]

const clusterScoped: readonly Row[] = [
  ['', 'v1', 'namespaces', 'Namespace', {}, 'status'],
  [
    '',
    'v1',
    'nodes',
    'Node',
    { spec: { taints: [{ key: 'k', value: 'v', effect: 'NoSchedule' }], podCIDR: '10.9.0.0/24' } },
    'status',
  ],
  [
    '',
    'v1',
    'persistentvolumes',
    'PersistentVolume',
    { spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/x' } } },
    'status',
  ],
  [
    'rbac.authorization.k8s.io',
    'v1',
    'clusterroles',
    'ClusterRole',
    {
      rules: [
        { apiGroups: [''], resources: ['nodes'], verbs: ['get'] },
        { nonResourceURLs: ['/x'], verbs: ['get'] },
      ],
    },
  ],
  [
    'rbac.authorization.k8s.io',
    'v1',
    'clusterrolebindings',
    'ClusterRoleBinding',
    {
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'r' },
      subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'u' }],
    },
  ],
  ['scheduling.k8s.io', 'v1', 'priorityclasses', 'PriorityClass', { value: 1000, description: 'd' }],
  ['storage.k8s.io', 'v1', 'storageclasses', 'StorageClass', { provisioner: 'example.com/p', parameters: { a: 'b' } }],
  [
    'admissionregistration.k8s.io',
    'v1',
    'validatingwebhookconfigurations',
    'ValidatingWebhookConfiguration',
    { webhooks: [webhook] },
  ],
  [
    'admissionregistration.k8s.io',
    'v1',
    'mutatingwebhookconfigurations',
    'MutatingWebhookConfiguration',
    { webhooks: [{ ...webhook, reinvocationPolicy: 'Never' }] },
  ],
]

const asSample =
  (scoped: boolean) =>
  ([group, version, plural, kind, fields, subs]: Row): Sample => ({
    group,
    version,
    plural,
    kind,
    namespaced: scoped,
    fields,
    subresources: subs?.split(' ') ?? [],
  })

export const namespacedSamples: readonly Sample[] = [...namespaced, ...richNamespaced].map(asSample(true))
export const samples: readonly Sample[] = [
  ...namespacedSamples,
  ...[...clusterScoped, ...richClusterScoped].map(asSample(false)),
]

export const apiVersionOf = ({ group, version }: Sample): string => (group ? `${group}/${version}` : version)

/** The path of a kind's objects in the namespace of the case, or of the cluster. */
export function collectionOf({ group, version, plural, namespaced: scoped }: Sample): string {
  return `/${group ? `apis/${group}` : 'api'}/${version}/${scoped ? 'namespaces/{{ns}}/' : ''}${plural}`
}

/** A name for the n-th object of a case: names of cluster-scoped objects are its own. */
export const nameOf = ({ namespaced: scoped }: Sample, index = 0): string => (scoped ? `o${index}` : `o${index}-{{u}}`)

export function objectOf(sample: Sample, index = 0, metadata: object = {}): Record<string, unknown> {
  return {
    apiVersion: apiVersionOf(sample),
    kind: sample.kind,
    metadata: { name: nameOf(sample, index), ...metadata },
    ...structuredClone(sample.fields),
  }
}
