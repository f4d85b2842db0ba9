/** Broken and oversized requests with bodies, as a tenant and with the bytes in the hands of the fuzzer. */
import type { Rng } from '@/lib/std/rng'
import { chance, pick } from '../broken/mutate'
import { brokenRequest } from '../broken/requests'
import { federated, ordinary, access } from '../broken/seeds'
import { request, type Step, TENANT, TOKEN_PLACEHOLDER } from '../steps'
import type { Target } from '../target'
import { nativeKeys, size, times } from '../text'

/** Where a tenant may write. Cluster-scoped objects are refused with 403 first. */
const seeds = [...ordinary, ...federated, ...access]

export const bodies: Target = {
  name: 'bodies',
  generate: (rng, name) => ({
    name,
    steps: [
      ...times(1 + rng.below(20), (): Step => ({
        do: 'raw',
        bytes: brokenRequest(rng, seeds, TOKEN_PLACEHOLDER).toString('base64'),
      })),
      ...(chance(rng, 0.5) ? [oversized(rng, name)] : []),
    ],
    cleanup: [request('DELETE', `${DEPLOYMENTS}/${name}`), request('DELETE', `${CONFIG_MAPS}/${name}`)],
  }),
}

const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments'
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps'

type Amplify = (rng: Rng, name: string) => Step

const as = TENANT

/** Valid or nearly so, and as large as the seed wants. */
const amplifiers: readonly Amplify[] = [
  (rng, name) => deployment(name, { replicas: pick(rng, [2 ** 31 - 1, 2 ** 31, -1, 1e15, 50_000]) }),
  (rng, name) => deployment(name, { containers: times(size(rng, 2000), (n) => ({ name: `c${n}`, image: 'i' })) }),
  (rng, name) =>
    deployment(name, {
      containers: [{ name: 'c', image: 'i', env: times(size(rng, 30_000), (n) => ({ name: `E${n}`, value: 'v' })) }],
    }),
  (rng, name) =>
    deployment(name, {
      containers: [{ name: 'c', image: 'i', ports: times(size(rng, 8000), (n) => ({ containerPort: 1 + n })) }],
    }),
  (rng, name) =>
    deployment(name, { tolerations: times(size(rng, 20_000), (n) => ({ key: `k${n}`, operator: 'Exists' })) }),
  (rng, name) => deployment(name, { volumes: times(size(rng, 20_000), (n) => ({ name: `v${n}`, emptyDir: {} })) }),
  (rng, name) => configMap(name, { data: Object.fromEntries(times(size(rng, 60_000), (n) => [`k${n}`, 'v'])) }),
  (rng, name) => configMap(name, { metadata: { name, annotations: { a: 'x'.repeat(size(rng, 260_000)) } } }),
  (rng, name) =>
    configMap(name, {
      metadata: { name, labels: Object.fromEntries(times(size(rng, 20_000), (n) => [`l${n}`, 'v'])) },
    }),
  (rng, name) => configMap(name, { metadata: { name, finalizers: times(size(rng, 20_000), (n) => `a.b/f${n}`) } }),
  (rng, name) =>
    configMap(name, {
      metadata: {
        name,
        ownerReferences: times(size(rng, 8000), (n) => ({ apiVersion: 'v1', kind: 'Pod', name: `p${n}`, uid: `${n}` })),
      },
    }),
  (rng, name) =>
    configMap(name, {
      metadata: {
        name,
        managedFields: times(size(rng, 4000), (n) => ({
          manager: `m${n}`,
          operation: 'Update',
          apiVersion: 'v1',
          fieldsType: 'FieldsV1',
          fieldsV1: { 'f:data': { [`f:k${n}`]: {} } },
        })),
      },
    }),
  (rng) =>
    request(
      'POST',
      '/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles',
      {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'Role',
        metadata: { name: 'f' },
        rules: [
          {
            apiGroups: times(size(rng, 500), (n) => `g${n}`),
            resources: times(size(rng, 500), (n) => `r${n}`),
            verbs: times(size(rng, 500), (n) => `v${n}`),
            resourceNames: times(size(rng, 500), (n) => `n${n}`),
          },
        ],
      },
      { as },
    ),
  (rng) =>
    request(
      'POST',
      '/apis/policy.karmada.io/v1alpha1/namespaces/default/propagationpolicies',
      {
        apiVersion: 'policy.karmada.io/v1alpha1',
        kind: 'PropagationPolicy',
        metadata: { name: 'f' },
        spec: {
          resourceSelectors: times(size(rng, 4000), (n) => ({ apiVersion: 'v1', kind: 'ConfigMap', name: `n${n}` })),
          placement: {
            clusterAffinities: times(size(rng, 4000), (n) => ({ affinityName: `a${n}`, clusterNames: ['member1'] })),
          },
        },
      },
      { as },
    ),
  (rng, name) =>
    configMap(name, { data: Object.fromEntries(nativeKeys.map((key) => [key, 'v'.repeat(rng.below(9))])) }),
]

function oversized(rng: Rng, name: string): Step {
  return pick(rng, amplifiers)(rng, name)
}

function configMap(name: string, rest: object): Step {
  return request('POST', CONFIG_MAPS, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, ...rest }, { as })
}

function deployment(name: string, { replicas = 1, ...pod }: { replicas?: number; [field: string]: unknown }): Step {
  return request(
    'POST',
    DEPLOYMENTS,
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name },
      spec: {
        replicas,
        selector: { matchLabels: { app: name } },
        template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: 'c', image: 'i' }], ...pod } },
      },
    },
    { as },
  )
}
