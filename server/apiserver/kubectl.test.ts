import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type KubectlServer, startKubectlServer } from './testing/kubectl'

let running: KubectlServer
let kubectl: KubectlServer['kubectl']

beforeAll(async () => {
  running = await startKubectlServer()
  ;({ kubectl } = running)
})
afterAll(() => running.close())

const selector = { matchLabels: { app: 'x' } }
const template = { metadata: { labels: { app: 'x' } }, spec: { containers: [{ name: 'c', image: 'nginx' }] } }
const reference = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'x', namespace: 'default' }
const placement = { clusterAffinity: { clusterNames: ['m'] } }

/** One object of every kind: the word kubectl takes, the object without metadata, whether it lives in a namespace. */
const kinds: [
  word: string,
  object: { apiVersion: string; kind: string; [field: string]: unknown },
  namespaced: boolean,
][] = [
  ['cluster', { apiVersion: 'cluster.karmada.io/v1alpha1', kind: 'Cluster', spec: { syncMode: 'Push' } }, false],
  [
    'propagationpolicy',
    {
      apiVersion: 'policy.karmada.io/v1alpha1',
      kind: 'PropagationPolicy',
      spec: { resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment' }], placement },
    },
    true,
  ],
  [
    'clusterpropagationpolicy',
    {
      apiVersion: 'policy.karmada.io/v1alpha1',
      kind: 'ClusterPropagationPolicy',
      spec: { resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment' }], placement },
    },
    false,
  ],
  [
    'resourcebinding',
    { apiVersion: 'work.karmada.io/v1alpha2', kind: 'ResourceBinding', spec: { resource: reference, replicas: 2 } },
    true,
  ],
  [
    'clusterresourcebinding',
    {
      apiVersion: 'work.karmada.io/v1alpha2',
      kind: 'ClusterResourceBinding',
      spec: { resource: { apiVersion: 'v1', kind: 'Namespace', name: 'x' } },
    },
    false,
  ],
  [
    'work',
    {
      apiVersion: 'work.karmada.io/v1alpha1',
      kind: 'Work',
      spec: {
        workload: { manifests: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'b' } }] },
      },
    },
    true,
  ],
  [
    'workloadrebalancer',
    { apiVersion: 'apps.karmada.io/v1alpha1', kind: 'WorkloadRebalancer', spec: { workloads: [reference] } },
    false,
  ],
  [
    'federatedresourcequota',
    {
      apiVersion: 'policy.karmada.io/v1alpha1',
      kind: 'FederatedResourceQuota',
      spec: { overall: { cpu: '4', memory: '8Gi' } },
    },
    true,
  ],
  ['deployment', { apiVersion: 'apps/v1', kind: 'Deployment', spec: { selector, template } }, true],
  ['statefulset', { apiVersion: 'apps/v1', kind: 'StatefulSet', spec: { selector, template, serviceName: 'x' } }, true],
  ['replicaset', { apiVersion: 'apps/v1', kind: 'ReplicaSet', spec: { selector, template } }, true],
  ['configmap', { apiVersion: 'v1', kind: 'ConfigMap', data: { k: 'v' } }, true],
  [
    'clusterrole',
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }],
    },
    false,
  ],
  ['namespace', { apiVersion: 'v1', kind: 'Namespace' }, false],
  ['node', { apiVersion: 'v1', kind: 'Node', spec: {} }, false],
  ['pod', { apiVersion: 'v1', kind: 'Pod', spec: template.spec }, true],
  [
    'event',
    {
      apiVersion: 'v1',
      kind: 'Event',
      involvedObject: { kind: 'Pod', name: 'x', namespace: 'default' },
      reason: 'R',
      message: 'm',
      type: 'Normal',
    },
    true,
  ],
  ['lease', { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', spec: { holderIdentity: 'me' } }, true],
]

describe.each(kinds)('kubectl on a %s', (word, object, namespaced) => {
  const name = `test-${word}`
  const manifest = (metadata: object): string =>
    JSON.stringify({ ...object, metadata: { name, ...(namespaced && { namespace: 'default' }), ...metadata } })

  test('creates, gets, applies, patches, watches, waits and deletes', async () => {
    expect(await kubectl(['create', '-f', '-', '--save-config'], manifest({}))).toContain(`${name} created`)
    expect(await kubectl(['get', word, name, '-o', 'wide'])).toContain(name)
    expect(await kubectl(['get', word, name, '-o', 'jsonpath={.kind}'])).toBe(object.kind)
    expect(await kubectl(['apply', '-f', '-'], manifest({ labels: { applied: 'yes' } }))).toContain(
      `${name} configured`,
    )
    const version = await kubectl(['get', word, name, '-o', 'jsonpath={.metadata.resourceVersion}'])
    await kubectl(['apply', '-f', '-'], manifest({ labels: { applied: 'yes' } }))
    expect(await kubectl(['get', word, name, '-o', 'jsonpath={.metadata.resourceVersion}'])).toBe(version)
    expect(await kubectl(['get', word, '-l', 'applied=yes', '-o', 'name'])).toContain(name)
    const waiting = kubectl(['wait', word, name, '--for=jsonpath={.metadata.labels.patched}=yes', '--timeout=20s'])
    await kubectl(['patch', word, name, '--type=merge', '-p', '{"metadata":{"labels":{"patched":"yes"}}}'])
    expect(await waiting).toContain('condition met')
    const gone = kubectl(['wait', word, name, '--for=delete', '--timeout=20s'])
    await kubectl([
      'patch',
      word,
      name,
      '--type=json',
      '-p',
      '[{"op":"add","path":"/metadata/finalizers","value":null}]',
    ])
    await kubectl(['delete', word, name, '--wait=true'])
    await gone
    await expect(kubectl(['get', word, name])).rejects.toThrow('not found')
  }, 60_000)
})

describe('kubectl', () => {
  test('knows override policies by their short names', async () => {
    const policy = { apiVersion: 'policy.karmada.io/v1alpha1', metadata: { name: 'short' }, spec: {} }
    for (const kind of ['OverridePolicy', 'ClusterOverridePolicy']) {
      await kubectl(['create', '-f', '-'], JSON.stringify({ ...policy, kind }))
    }
    expect(await kubectl(['get', 'op,cop', '-o', 'name'])).toBe(
      'overridepolicy.policy.karmada.io/short\nclusteroverridepolicy.policy.karmada.io/short\n',
    )
    await kubectl(['delete', 'op/short', 'cop/short'])
  }, 60_000)

  test('shows limits and usage of a quota, and why a binding is refused', async () => {
    const quota = {
      apiVersion: 'policy.karmada.io/v1alpha1',
      kind: 'FederatedResourceQuota',
      metadata: { name: 'team' },
      spec: { overall: { cpu: '4' } },
    }
    const clusters = [{ name: 'member1', replicas: 3 }]
    const binding = {
      apiVersion: 'work.karmada.io/v1alpha2',
      kind: 'ResourceBinding',
      metadata: { name: 'web-deployment' },
      spec: { resource: reference, replicaRequirements: { resourceRequest: { cpu: '1' } }, clusters },
    }
    await kubectl(['create', '-f', '-'], JSON.stringify(quota))
    await kubectl(['create', '-f', '-'], JSON.stringify(binding))
    expect(await kubectl(['get', 'federatedresourcequota'])).toMatch(
      /^NAME +OVERALL +OVERALL_USED\nteam +\{"cpu":"3"\}\n$/,
    )
    expect(await kubectl(['describe', 'federatedresourcequota', 'team'])).toMatch(/Overall Used:\n +Cpu: +3\n/)
    const grow = JSON.stringify({ spec: { clusters: [{ name: 'member1', replicas: 5 }] } })
    await expect(kubectl(['patch', 'rb', 'web-deployment', '--type=merge', '-p', grow])).rejects.toThrow(
      'FederatedResourceQuota(default/team) exceeded for resource cpu: requested sum 5, limit 4.',
    )
    await kubectl(['delete', 'federatedresourcequota/team', 'rb/web-deployment'])
  }, 60_000)

  test('makes objects with its own generators, which send protobuf', async () => {
    expect(await kubectl(['create', 'configmap', 'made', '--from-literal=a=1'])).toContain('configmap/made created')
    expect(await kubectl(['create', 'deployment', 'made', '--image=nginx', '--replicas=3', '--port=80'])).toContain(
      'deployment.apps/made created',
    )
    expect(
      await kubectl([
        'get',
        'deployment',
        'made',
        '-o',
        'jsonpath={.spec.replicas} {.spec.template.spec.containers[0].ports[0].containerPort}',
      ]),
    ).toBe('3 80')
    expect(await kubectl(['scale', 'deployment', 'made', '--replicas=5'])).toContain('scaled')
    expect(await kubectl(['get', 'deployment', 'made', '-o', 'wide'])).toMatch(
      /NAME +READY +UP-TO-DATE +AVAILABLE +AGE +CONTAINERS +IMAGES +SELECTOR\nmade +0\/5 /,
    )
  }, 60_000)

  test('explains fields, lists kinds and refuses unknown fields', async () => {
    expect(await kubectl(['explain', 'propagationpolicy.spec.placement'])).toContain('clusterAffinity')
    expect(await kubectl(['api-resources', '-o', 'name'])).toContain('workloadrebalancers.apps.karmada.io')
    const wrong = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'wrong' }, datta: {} })
    await expect(kubectl(['apply', '-f', '-'], wrong)).rejects.toThrow('unknown field "datta"')
  }, 60_000)

  test('reaches a member and reports one that is down', async () => {
    const cluster = JSON.stringify({
      apiVersion: 'cluster.karmada.io/v1alpha1',
      kind: 'Cluster',
      spec: { syncMode: 'Push' },
      metadata: { name: 'm1', annotations: { 'sim.evenkeel.io/nodes': '1' } },
    })
    await kubectl(['create', '-f', '-'], cluster)
    const path = '/apis/cluster.karmada.io/v1alpha1/clusters/m1/proxy/api/v1/namespaces'
    expect(await kubectl(['get', '--raw', path])).toContain('"kube-system"')
    await kubectl(['annotate', 'cluster', 'm1', 'sim.evenkeel.io/state=down'])
    await expect(kubectl(['get', '--raw', path])).rejects.toThrow('connection refused')
  }, 60_000)
})
