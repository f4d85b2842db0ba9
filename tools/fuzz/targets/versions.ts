/** A tenant with a queue, and an editor who writes its bindings in every served version to get ahead of it. */
import type { Rng } from '@/lib/std/rng'
import { chance, mutate, pick } from '../broken/mutate'
import { queue } from '../oracles/queue'
import { PATCH_TYPES, request, setup, type Step, type WaitStep } from '../steps'
import type { Target } from '../target'
import { nativeKeys, times } from '../text'

const VERSIONS = ['v1alpha1', 'v1alpha1', 'v1alpha2'] as const

export const versions: Target = {
  name: 'versions',
  oracles: [queue],
  generate: (rng, name) => ({
    name,
    steps: [...stageOf(name), ...hold(rng, name), ...times(1 + rng.below(6), () => attempt(rng, name))],
    cleanup: [request('DELETE', `/api/v1/namespaces/${name}`)],
  }),
}

export const bindingsIn = (name: string, version: string): string =>
  `/apis/work.karmada.io/${version}/namespaces/${name}/resourcebindings`

export const editorOf = (name: string): string => `${name}-editor`

/** One of the three workloads fits the quota. */
export function stageOf(name: string): (Step & { setup?: true })[] {
  const waitFor = (path: string, text: string): WaitStep => ({ do: 'wait', path, for: { text }, setup: true })
  const deployments = ['w0', 'w1', 'w2'].flatMap((workload) => [
    setup('POST', `/apis/apps/v1/namespaces/${name}/deployments`, deployment(workload)),
    waitFor(`${bindingsIn(name, 'v1alpha2')}/${workload}-deployment`, '"suspension"'),
  ])
  return [
    setup('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }),
    setup('POST', `/apis/evenkeel.io/v1alpha1/namespaces/${name}/queues`, {
      apiVersion: 'evenkeel.io/v1alpha1',
      kind: 'Queue',
      metadata: { name: 'queue' },
      spec: { quota: { hard: { cpu: '1' } } },
    }),
    setup('POST', `/apis/policy.karmada.io/v1alpha1/namespaces/${name}/propagationpolicies`, {
      apiVersion: 'policy.karmada.io/v1alpha1',
      kind: 'PropagationPolicy',
      metadata: { name: 'all' },
      spec: {
        resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment' }],
        placement: { clusterAffinity: { clusterNames: ['member1', 'member2'] } },
      },
    }),
    setup('POST', `/apis/rbac.authorization.k8s.io/v1/namespaces/${name}/rolebindings`, {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'RoleBinding',
      metadata: { name: 'editor' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'fuzz-binding-editor' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: editorOf(name) }],
    }),
    waitFor(`/apis/evenkeel.io/v1alpha1/namespaces/${name}/queues/queue`, '"observedGeneration"'),
    ...deployments,
    waitFor(`${bindingsIn(name, 'v1alpha2')}/w0-deployment`, '"clusters"'),
  ]
}

function deployment(name: string): object {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: {
      replicas: 1,
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name } },
        spec: { containers: [{ name: 'c', image: 'i', resources: { requests: { cpu: '1' } } }] },
      },
    },
  }
}

function hold(rng: Rng, name: string): Step[] {
  if (chance(rng, 0.6)) return []
  const path = `/apis/evenkeel.io/v1alpha1/namespaces/${name}/queues/queue`
  return [setup('PATCH', path, { spec: { hold: { reason: 'fuzz' } } }, { type: PATCH_TYPES.merge })]
}

function attempt(rng: Rng, name: string): Step {
  const as = editorOf(name)
  const version = pick(rng, VERSIONS)
  const collection = bindingsIn(name, version)
  const path = `${collection}/${pick(rng, ['w1', 'w2'])}-deployment${chance(rng, 0.1) ? '/status' : ''}`
  if (chance(rng, 0.15)) return request('POST', collection, byHand(rng, version), { as })
  if (chance(rng, 0.1)) return request('DELETE', path, undefined, { as })
  if (chance(rng, 0.1)) return request('PUT', path, byHand(rng, version), { as })
  const kind = pick(rng, ['json', 'merge', 'merge', 'apply'] as const)
  if (kind === 'json') return request('PATCH', path, operations(rng), { as, type: PATCH_TYPES.json })
  const change = chance(rng, 0.2) ? mutate(rng, changeOf(rng, name)) : changeOf(rng, name)
  const whole =
    kind === 'apply'
      ? { apiVersion: `work.karmada.io/${version}`, kind: 'ResourceBinding', ...(change as object) }
      : change
  const query = kind === 'apply' ? '?fieldManager=f&force=true' : ''
  return request('PATCH', path + query, whole, { as, type: PATCH_TYPES[kind] })
}

const placed = [{ name: 'member1', replicas: 1 }]

/** What gets ahead of a queue, or makes it forget. */
function changeOf(rng: Rng, name: string): object {
  const key = pick(rng, nativeKeys)
  return pick(rng, [
    { spec: { clusters: placed } },
    { spec: { suspension: null } },
    { spec: { suspension: { scheduling: false } } },
    { spec: { suspension: { scheduling: false, dispatching: false }, clusters: placed } },
    { spec: { replicas: 0 } },
    { spec: { resource: { replicas: 0 } } },
    { spec: { resource: { replicas: 0, resourcePerReplicas: {} } } },
    { spec: { replicaRequirements: null } },
    { spec: { placement: null } },
    { spec: null },
    { spec: {} },
    { spec: { requiredBy: [{ namespace: name, name: 'x', clusters: placed }] } },
    { spec: { components: [] } },
    { spec: { schedulePriority: { priority: 1000 } } },
    { spec: { resource: { kind: 'ConfigMap' } } },
    { metadata: { annotations: { a: 'b' } } },
    { metadata: { annotations: null } },
    { metadata: { labels: null } },
    { metadata: { annotations: { 'queue.evenkeel.io/queue': null } } },
    { metadata: { finalizers: null } },
    {
      metadata: {
        annotations: { 'queue.evenkeel.io/released-at': '2026-01-01T00:00:00Z', 'queue.evenkeel.io/released-by': 'x' },
      },
    },
    { metadata: { annotations: { 'queue.evenkeel.io/release-requested': '2026-01-01T00:00:00Z' } } },
    { spec: { [key]: { clusters: placed } } },
    { [key]: { spec: { clusters: placed } } },
    { spec: { gracefulEvictionTasks: [{ fromCluster: 'member1', producer: 'x', reason: 'y' }] } },
    { spec: { failover: { application: {} }, conflictResolution: 'Overwrite' } },
    { spec: { rescheduleTriggeredAt: '2026-01-01T00:00:00Z' } },
  ])
}

function operations(rng: Rng): string {
  return JSON.stringify(
    times(1 + rng.below(3), () =>
      pick(rng, [
        { op: 'add', path: '/spec/clusters', value: placed },
        { op: 'remove', path: '/spec/suspension' },
        { op: 'replace', path: '/spec/suspension/scheduling', value: false },
        { op: 'remove', path: '/spec/replicas' },
        { op: 'move', from: '/spec/suspension', path: '/spec/x' },
        { op: 'remove', path: '/metadata/annotations' },
        { op: 'remove', path: '/spec/placement' },
        { op: 'copy', from: '/spec/resource', path: `/spec/${pick(rng, nativeKeys)}` },
        { op: 'replace', path: '/spec/resource/kind', value: 'ConfigMap' },
        { op: 'replace', path: '/spec', value: {} },
        { op: 'add', path: '/metadata/annotations/a', value: 'b' },
        { op: 'remove', path: '/metadata/finalizers' },
      ]),
    ),
  )
}

function byHand(rng: Rng, version: string): object {
  const resource = { apiVersion: 'apps/v1', kind: 'Deployment', name: pick(rng, ['w1', 'w2', 'x']) }
  return {
    apiVersion: `work.karmada.io/${version}`,
    kind: 'ResourceBinding',
    metadata: {
      name: `h${rng.below(3)}`,
      ...(chance(rng, 0.3) && { annotations: { 'queue.evenkeel.io/released-at': 'x' } }),
    },
    spec: { resource, ...(chance(rng, 0.8) && { clusters: placed }), ...(chance(rng, 0.3) && { replicas: 1 }) },
  }
}
