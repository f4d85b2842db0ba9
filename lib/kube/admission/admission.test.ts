import { describe, expect, it } from 'vitest'
import {
  cluster,
  clusterOverridePolicy,
  clusterResourceBinding,
  overridePolicy,
  propagationPolicy,
  resourceBinding,
  work,
} from '../kinds'
import { apiVersionOf, type Kind } from '../kind'
import type { UnknownObject } from '../object'
import { strategyOf } from '../strategy'

const context = { namespace: 'ns', now: '2026-01-02T03:04:05Z', uid: () => 'id-1' }

function create(kind: Kind, fields: object, metadata: object = {}): UnknownObject {
  const object = {
    apiVersion: apiVersionOf(kind),
    kind: kind.kind,
    metadata: { name: 'x', namespace: 'ns', ...metadata },
    ...fields,
  }
  return strategyOf(kind).create(object as unknown as UnknownObject, context)
}

describe('an OverridePolicy', () => {
  const rule = (overriders: object, targetCluster?: object) => ({
    overrideRules: [{ overriders, ...(targetCluster && { targetCluster }) }],
  })
  const selector = { apiVersion: 'apps/v1', kind: 'Deployment' }

  it('selects in its own namespace unless it says otherwise', () => {
    const stored = create(overridePolicy, { spec: { resourceSelectors: [selector, { ...selector, namespace: 'b' }] } })
    expect(stored.spec).toEqual({
      resourceSelectors: [
        { ...selector, namespace: 'ns' },
        { ...selector, namespace: 'b' },
      ],
    })
  })

  it('keeps any value of a patch as it was written', () => {
    const plaintext = [
      { path: '/spec/paused', operator: 'add', value: false },
      { path: '/spec/replicas', operator: 'replace', value: 0 },
      { path: '/spec/strategy', operator: 'add', value: { type: '', list: [] } },
      { path: '/spec/template', operator: 'remove' },
    ]
    expect(create(overridePolicy, { spec: rule({ plaintext }) }).spec).toEqual(rule({ plaintext }))
  })

  it.each<[string, object, string]>([
    [
      'rules beside the old pair',
      { ...rule({}), targetCluster: { clusterNames: ['a'] } },
      "overrideRules and (overriders or targetCluster) can't co-exist",
    ],
    [
      'an unknown cluster field',
      rule({}, { fieldSelector: { matchExpressions: [{ key: 'planet', operator: 'In', values: ['x'] }] } }),
      'spec.overrideRules[0].targetCluster.fieldSelector',
    ],
    [
      'a malformed label',
      rule({ labelsOverrider: [{ operator: 'add', value: { 'a b': 'x' } }] }),
      'spec.overrideRules[0].overriders.labelsOverrider[0].value',
    ],
    [
      'a malformed annotation',
      rule({ annotationsOverrider: [{ operator: 'add', value: { 'a b': 'x' } }] }),
      'spec.overrideRules[0].overriders.annotationsOverrider[0].value',
    ],
    [
      'a predicate that is no JSON pointer',
      rule({ imageOverrider: [{ component: 'Tag', operator: 'remove', predicate: { path: 'spec/image' } }] }),
      'JSON pointer must be empty or start with a "/"',
    ],
    [
      'a field as JSON and YAML',
      rule({
        fieldOverrider: [
          {
            fieldPath: '/data/x',
            json: [{ operator: 'remove', subPath: '/a' }],
            yaml: [{ operator: 'remove', subPath: '/a' }],
          },
        ],
      }),
      'FieldOverrider has both YAML and JSON set. Only one is allowed',
    ],
    ['an unknown operator', rule({ plaintext: [{ operator: 'move', path: '/a' }] }), 'Unsupported value: "move"'],
  ])('with %s is refused, and so is a ClusterOverridePolicy', (_, spec, text) => {
    expect(() => create(overridePolicy, { spec })).toThrow(text)
    expect(() => create(clusterOverridePolicy, { spec }, { namespace: undefined })).toThrow(text)
  })
})

describe('a PropagationPolicy', () => {
  const selectors = [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }]

  it('gets defaults, its id, its finalizer and its namespace', () => {
    expect(create(propagationPolicy, { spec: { resourceSelectors: selectors } })).toEqual({
      apiVersion: 'policy.karmada.io/v1alpha1',
      kind: 'PropagationPolicy',
      metadata: {
        name: 'x',
        namespace: 'ns',
        generation: 1,
        finalizers: ['karmada.io/propagation-policy-controller'],
        labels: { 'propagationpolicy.karmada.io/permanent-id': 'id-1' },
      },
      spec: {
        conflictResolution: 'Abort',
        placement: {},
        preemption: 'Never',
        priority: 0,
        schedulerName: 'default-scheduler',
        resourceSelectors: [{ ...selectors[0], namespace: 'ns' }],
      },
    })
  })

  it.each<[string, object, string]>([
    [
      'no selectors',
      {},
      'spec.resourceSelectors: Invalid value: "null": spec.resourceSelectors in body must be of type array: "null"',
    ],
    ['empty selectors', { resourceSelectors: [] }, 'spec.resourceSelectors in body should have at least 1 items'],
    [
      'a fraction as priority',
      { resourceSelectors: selectors, priority: 1.5 },
      'admission webhook "propagationpolicy.karmada.io" denied the request: json: cannot unmarshal number 1.5 into Go struct field',
    ],
    [
      'two kinds of affinity',
      {
        resourceSelectors: selectors,
        placement: {
          clusterAffinity: { clusterNames: ['a'] },
          clusterAffinities: [{ affinityName: 'x', clusterNames: ['b'] }],
        },
      },
      'admission webhook "propagationpolicy.karmada.io" denied the request: spec.placement: Invalid value: {"clusterAffinity":{"clusterNames":["a"]},'
        + '"clusterAffinities":[{"affinityName":"x","clusterNames":["b"]}]}: clusterAffinities cannot co-exist with clusterAffinity',
    ],
  ])('with %s is refused', (_, spec, text) => {
    expect(() => create(propagationPolicy, { spec })).toThrow(text)
  })

  it('keeps its scheduler and its id', () => {
    const stored = create(propagationPolicy, { spec: { resourceSelectors: selectors } })
    const change = (spec: object, labels: object = {}) =>
      strategyOf(propagationPolicy).update(
        {
          ...stored,
          metadata: { ...stored.metadata, labels: { ...stored.metadata.labels, ...labels } },
          spec: { ...(stored.spec as object), ...spec },
        },
        stored,
        context,
      )
    expect(change({ priority: 3 })).toMatchObject({ metadata: { generation: 2 }, spec: { priority: 3 } })
    expect(() => change({ schedulerName: 'other' })).toThrow('the schedulerName should not be updated')
    expect(() => change({}, { 'propagationpolicy.karmada.io/permanent-id': 'mine' })).toThrow(
      'is immutable, it can only be set by the system during creation',
    )
  })
})

describe('a binding', () => {
  const spec = { resource: { apiVersion: 'v1', kind: 'ConfigMap', name: 'a' } }

  it('gets a permanent id once', () => {
    expect(create(resourceBinding, { spec }).metadata.labels).toEqual({
      'resourcebinding.karmada.io/permanent-id': 'id-1',
    })
    expect(create(clusterResourceBinding, { spec }, { namespace: undefined }).metadata.labels).toEqual({
      'clusterresourcebinding.karmada.io/permanent-id': 'id-1',
    })
    const labels = { 'resourcebinding.karmada.io/permanent-id': 'mine' }
    expect(create(resourceBinding, { spec }, { labels }).metadata.labels).toEqual(labels)
  })

  it('keeps a pause and loses zeros, as its webhook does', () => {
    const given = { ...spec, replicas: 0, suspension: { scheduling: false }, clusters: [] }
    expect(create(resourceBinding, { spec: given }).spec).toEqual({
      ...spec,
      conflictResolution: 'Abort',
      suspension: { scheduling: false },
    })
  })

  it('must have readable dependencies', () => {
    const annotations = { 'resourcebinding.karmada.io/dependencies': '{' }
    expect(() => create(resourceBinding, { spec }, { annotations })).toThrow('annotation value must be a valid JSON')
  })
})

describe('a Work', () => {
  it('marks its manifests and frees them of what a server added', () => {
    const manifest = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      status: { replicas: 1 },
      metadata: {
        name: 'web',
        uid: 'u',
        resourceVersion: '1',
        labels: { app: 'web' },
        annotations: { 'deployment.kubernetes.io/revision': '1', keep: 'me' },
      },
      spec: { replicas: 0 },
    }
    const stored = create(work, { spec: { workload: { manifests: [manifest] } } })
    expect(stored.metadata.labels).toEqual({ 'work.karmada.io/permanent-id': 'id-1' })
    expect(stored.spec).toEqual({
      workload: {
        manifests: [
          {
            apiVersion: 'apps/v1',
            kind: 'Deployment',
            spec: { replicas: 0 },
            metadata: {
              name: 'web',
              labels: { app: 'web', 'work.karmada.io/permanent-id': 'id-1' },
              annotations: {
                keep: 'me',
                'resourcetemplate.karmada.io/managed-annotations':
                  'keep,resourcetemplate.karmada.io/managed-annotations,resourcetemplate.karmada.io/managed-labels',
                'resourcetemplate.karmada.io/managed-labels': 'app,work.karmada.io/permanent-id',
              },
            },
          },
        ],
      },
    })
    expect(strategyOf(work).update(stored, stored, context)).toEqual(stored)
  })

  it('may carry nothing, and no nonsense', () => {
    expect(create(work, {}).spec).toEqual({ workload: {} })
    expect(() => create(work, { spec: { workload: { manifests: ['x'] } } })).toThrow(
      expect.objectContaining({ code: 500 }),
    )
  })
})

describe('a Cluster', () => {
  const spec = { syncMode: 'Push' }

  it('gets nine grades of nodes', () => {
    const models = (
      create(cluster, { spec }).spec as {
        resourceModels: { grade: number; ranges: { name: string; min: string; max: string }[] }[]
      }
    ).resourceModels
    expect(models).toHaveLength(9)
    expect(models[0]).toEqual({
      grade: 0,
      ranges: [
        { name: 'cpu', min: '0', max: '1' },
        { name: 'memory', min: '0', max: '4Gi' },
      ],
    })
    expect(models[8]).toEqual({
      grade: 8,
      ranges: [
        { name: 'cpu', min: '128', max: '9223372036854775807' },
        { name: 'memory', min: '1Ti', max: '9223372036854775807' },
      ],
    })
  })

  it('orders given grades and opens their ends', () => {
    const resourceModels = [
      { grade: 1, ranges: [{ name: 'cpu', min: '4', max: '8' }] },
      { grade: 0, ranges: [{ name: 'cpu', min: '1', max: '4' }] },
    ]
    expect(create(cluster, { spec: { ...spec, resourceModels } }).spec).toMatchObject({
      resourceModels: [
        { grade: 0, ranges: [{ name: 'cpu', min: '0', max: '4' }] },
        { grade: 1, ranges: [{ name: 'cpu', min: '4', max: '9223372036854775807' }] },
      ],
    })
  })

  it('remembers when it began to drive workloads out', () => {
    const taints = [
      { key: 'a', effect: 'NoExecute' },
      { key: 'b', effect: 'NoSchedule' },
      { key: 'c', effect: 'NoExecute', timeAdded: '2020-01-01T00:00:00Z' },
    ]
    expect(create(cluster, { spec: { ...spec, taints } }).spec).toMatchObject({
      taints: [{ ...taints[0], timeAdded: context.now }, { key: 'b', effect: 'NoSchedule' }, taints[2]],
    })
  })

  it('moves its zone into its zones, resets its status, and counts changes of its spec', () => {
    const stored = create(cluster, { spec: { ...spec, zone: 'z' }, status: { kubernetesVersion: 'v1' } })
    expect(stored).toMatchObject({ metadata: { generation: 1 }, spec: { zones: ['z'] }, status: {} })
    expect(stored.spec).not.toHaveProperty('zone')
    expect(
      strategyOf(cluster).update(
        { ...stored, metadata: { ...stored.metadata, annotations: { a: 'b' } } },
        stored,
        context,
      ).metadata.generation,
    ).toBe(1)
  })

  it.each<[object, object, string]>([
    [{}, {}, 'spec.syncMode: Required value'],
    [{ syncMode: 'Carry' }, {}, 'spec.syncMode: Unsupported value: "Carry": supported values: "Pull", "Push"'],
    [
      spec,
      { name: 'x'.repeat(49) },
      'metadata.name: Invalid value: "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx": must be no more than 48 characters',
    ],
  ])('%j %j is refused', (given, metadata, text) => {
    expect(() => create(cluster, { spec: given }, metadata)).toThrow(text)
  })
})
