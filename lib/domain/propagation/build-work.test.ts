import { describe, expect, test } from 'vitest'
import type { Work } from '../../kube/kinds/work'
import type { UnknownObject } from '../../kube/object'
import { type Binding, buildPlainWork, buildWork } from '.'

const template: UnknownObject = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: {
    name: 'nginx',
    namespace: 'demo',
    uid: 'template-uid',
    resourceVersion: '1053',
    generation: 2,
    creationTimestamp: '2026-01-01T00:00:00Z',
    labels: { app: 'nginx', 'propagationpolicy.karmada.io/permanent-id': 'policy-id' },
    annotations: { 'propagationpolicy.karmada.io/name': 'nginx', 'propagationpolicy.karmada.io/namespace': 'demo' },
  },
  spec: { replicas: 3, template: { spec: { containers: [{ name: 'nginx', image: 'nginx' }] } } },
  status: { replicas: 3 },
}

function aBinding(spec: Partial<Binding['spec']> = {}): Binding {
  return {
    apiVersion: 'work.karmada.io/v1alpha2',
    kind: 'ResourceBinding',
    metadata: {
      name: 'nginx-deployment',
      namespace: 'demo',
      uid: 'binding-uid',
      resourceVersion: '1',
      creationTimestamp: '2026-01-01T00:00:00Z',
      labels: { 'resourcebinding.karmada.io/permanent-id': 'binding-id' },
    },
    spec: {
      resource: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'demo', name: 'nginx', uid: 'template-uid' },
      replicas: 3,
      ...spec,
    },
  }
}

const target = { name: 'member1', replicas: 1 }
const build = (binding = aBinding(), existing?: Work) => buildWork({ binding, template, target, existing })
const manifestOf = (work: Pick<Work, 'spec'>) => work.spec.workload?.manifests?.[0] as unknown as UnknownObject

describe('the Work of a template', () => {
  test('has a hashed name that is the same for every cluster, in the execution namespace', () => {
    expect(build().metadata).toMatchObject({ namespace: 'karmada-es-member1', name: 'nginx-66df4db68f' })
  })

  test('has the marks of the control plane and no server-set fields', () => {
    expect(manifestOf(build())).toEqual({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: {
        name: 'nginx',
        namespace: 'demo',
        labels: {
          app: 'nginx',
          'karmada.io/managed': 'true',
          'propagationpolicy.karmada.io/permanent-id': 'policy-id',
          'resourcebinding.karmada.io/permanent-id': 'binding-id',
        },
        annotations: {
          'propagationpolicy.karmada.io/name': 'nginx',
          'propagationpolicy.karmada.io/namespace': 'demo',
          'resourcebinding.karmada.io/name': 'nginx-deployment',
          'resourcebinding.karmada.io/namespace': 'demo',
          'resourcetemplate.karmada.io/generation': '2',
          'resourcetemplate.karmada.io/managed-annotations': [
            'propagationpolicy.karmada.io/name',
            'propagationpolicy.karmada.io/namespace',
            'resourcebinding.karmada.io/name',
            'resourcebinding.karmada.io/namespace',
            'resourcetemplate.karmada.io/generation',
            'resourcetemplate.karmada.io/managed-annotations',
            'resourcetemplate.karmada.io/managed-labels',
            'resourcetemplate.karmada.io/uid',
            'work.karmada.io/conflict-resolution',
            'work.karmada.io/name',
            'work.karmada.io/namespace',
          ].join(','),
          'resourcetemplate.karmada.io/managed-labels':
            'app,karmada.io/managed,propagationpolicy.karmada.io/permanent-id,resourcebinding.karmada.io/permanent-id',
          'resourcetemplate.karmada.io/uid': 'template-uid',
          'work.karmada.io/conflict-resolution': 'abort',
          'work.karmada.io/name': 'nginx-66df4db68f',
          'work.karmada.io/namespace': 'karmada-es-member1',
        },
      },
      spec: { replicas: 1, template: { spec: { containers: [{ name: 'nginx', image: 'nginx' }] } } },
    })
  })

  test('equals the previous result, so that a second reconcile writes nothing', () => {
    const first = build()
    const admitted = {
      ...first,
      metadata: { ...first.metadata, labels: { ...first.metadata.labels, 'work.karmada.io/permanent-id': 'work-id' } },
    } as Work
    const second = build(aBinding(), admitted) as Work
    expect(manifestOf(second).metadata.labels).toMatchObject({ 'work.karmada.io/permanent-id': 'work-id' })
    expect(build(aBinding(), second)).toEqual(second)
  })

  test('keeps labels, annotations and finalizers of other clients', () => {
    const existing = {
      ...build(),
      metadata: { ...build().metadata, labels: { mine: 'x' }, annotations: { note: 'y' }, finalizers: ['other'] },
    } as Work
    const { labels, annotations, finalizers } = build(aBinding(), existing).metadata
    expect(labels).toMatchObject({ mine: 'x' })
    expect(annotations).toMatchObject({ note: 'y' })
    expect(finalizers).toEqual(['other', 'karmada.io/execution-controller'])
  })

  test('does not change the replicas of a template that is not a workload', () => {
    expect(manifestOf(build(aBinding({ replicas: 0 }))).spec).toMatchObject({ replicas: 3 })
  })

  test.each([
    ['nothing said', {}, false],
    ['everything suspended', { dispatching: true }, true],
    ['this cluster suspended', { dispatchingOnClusters: { clusterNames: ['member1'] } }, true],
    ['another cluster suspended', { dispatchingOnClusters: { clusterNames: ['member2'] } }, false],
    ['only scheduling suspended', { scheduling: true }, false],
  ])('dispatching with %s', (_name, suspension, suspended) => {
    expect(build(aBinding({ suspension })).spec.suspendDispatching).toBe(suspended)
  })

  test.each([
    ['the policy overwrites', 'Overwrite', undefined, 'overwrite'],
    ['the policy aborts', 'Abort', undefined, 'abort'],
    ['the template overrides the policy', 'Abort', 'overwrite', 'overwrite'],
    ['the template says nonsense', 'Overwrite', 'whatever', 'overwrite'],
  ] as const)('conflicts when %s', (_name, conflictResolution, desired, resolution) => {
    const wishing: UnknownObject = {
      ...template,
      metadata: {
        ...template.metadata,
        ...(desired && { annotations: { 'work.karmada.io/conflict-resolution': desired } }),
      },
    }
    const work = buildWork({ binding: aBinding({ conflictResolution }), template: wishing, target })
    expect(work.metadata.annotations?.['work.karmada.io/conflict-resolution']).toBe(resolution)
    expect(manifestOf(work).metadata.annotations?.['work.karmada.io/conflict-resolution']).toBe(resolution)
  })
})

describe('overrides', () => {
  const server = { uid: 'u', resourceVersion: '1', creationTimestamp: '2026-01-01T00:00:00Z' }
  const policy = {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'ClusterOverridePolicy',
    metadata: { name: 'wide', ...server },
    spec: {},
  }
  const overriders = {
    annotationsOverrider: [{ operator: 'add' as const, value: { 'work.karmada.io/conflict-resolution': 'overwrite' } }],
    labelsOverrider: [{ operator: 'add' as const, value: { 'karmada.io/managed': 'never' } }],
    plaintext: [{ operator: 'replace' as const, path: '/spec/replicas', value: 7 }],
  }
  const record = 'policy.karmada.io/applied-cluster-overrides'
  const overridden = buildWork({
    binding: aBinding(),
    template,
    target,
    overrides: { cluster: 'member1', steps: [{ policy, overriders }] },
  })

  test('are applied after the replicas and before the marks, and may decide conflicts', () => {
    expect(manifestOf(overridden).spec).toMatchObject({ replicas: 7 })
    expect(manifestOf(overridden).metadata.labels).toMatchObject({ 'karmada.io/managed': 'true' })
    expect(overridden.metadata.annotations).toMatchObject({ 'work.karmada.io/conflict-resolution': 'overwrite' })
  })

  test('are recorded only on the Work, while they apply', () => {
    expect(overridden.metadata.annotations?.[record]).toContain('"policyName":"wide"')
    expect(manifestOf(overridden).metadata.annotations).not.toHaveProperty([record])
    expect(build(aBinding(), overridden as Work).metadata.annotations).not.toHaveProperty([record])
  })
})

test('the Work of a namespace is owned by the namespace and has no binding', () => {
  const namespace: UnknownObject = {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'bench', uid: 'namespace-uid', resourceVersion: '1', creationTimestamp: '2026-01-01T00:00:00Z' },
  }
  const { metadata, spec } = buildPlainWork({ object: namespace, cluster: 'member1' })
  expect(metadata.name).toBe('bench-77775fcb5f')
  expect(metadata.ownerReferences).toMatchObject([{ kind: 'Namespace', uid: 'namespace-uid' }])
  expect(metadata.annotations).toEqual({})
  expect(Object.keys(spec)).toEqual(['workload'])
})
