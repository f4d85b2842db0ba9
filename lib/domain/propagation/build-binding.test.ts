import { describe, expect, test } from 'vitest'
import type { KubeObject } from '../../kube/object'
import { type Binding, type BindingRequest, buildBinding, type Policy } from '.'

const meta = { uid: 'u', resourceVersion: '7', creationTimestamp: '2026-01-01T00:00:00Z' }
const selector = { apiVersion: 'apps/v1', kind: 'Deployment' }

const template: KubeObject = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { ...meta, name: 'web:blue', namespace: 'shop' },
}
const clusterRole: KubeObject = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRole',
  metadata: { ...meta, name: 'reader' },
}

const policy: Policy = {
  apiVersion: 'policy.karmada.io/v1alpha1',
  kind: 'PropagationPolicy',
  metadata: {
    ...meta,
    name: 'all',
    namespace: 'shop',
    labels: { 'propagationpolicy.karmada.io/permanent-id': 'policy-id' },
  },
  spec: {
    resourceSelectors: [selector],
    schedulerName: 'default-scheduler',
    conflictResolution: 'Abort',
    propagateDeps: true,
  },
}
const clusterPolicy: Policy = {
  ...policy,
  kind: 'ClusterPropagationPolicy',
  metadata: {
    ...meta,
    name: 'everything',
    labels: { 'clusterpropagationpolicy.karmada.io/permanent-id': 'cluster-policy-id' },
  },
}

/** Fills in what the server sets on a draft. */
function stored(request: BindingRequest): Binding {
  const draft = buildBinding(request)
  return { ...draft, metadata: { ...draft.metadata, ...meta } } as Binding
}

describe('a new binding', () => {
  test('is named after its template, owned by it, and labeled by its policy', () => {
    const { kind, metadata, spec } = buildBinding({ template, policy, replicas: { replicas: 3 } })
    expect(kind).toBe('ResourceBinding')
    expect(metadata).toEqual({
      name: 'web.blue-deployment',
      namespace: 'shop',
      labels: { 'propagationpolicy.karmada.io/permanent-id': 'policy-id' },
      annotations: { 'propagationpolicy.karmada.io/name': 'all', 'propagationpolicy.karmada.io/namespace': 'shop' },
      finalizers: ['karmada.io/binding-controller'],
      ownerReferences: [
        {
          apiVersion: 'apps/v1',
          kind: 'Deployment',
          name: 'web:blue',
          uid: 'u',
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
    })
    expect(spec).toEqual({
      resource: {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        namespace: 'shop',
        name: 'web:blue',
        uid: 'u',
        resourceVersion: '7',
      },
      replicas: 3,
      schedulerName: 'default-scheduler',
      conflictResolution: 'Abort',
      propagateDeps: true,
    })
  })

  test('of a cluster-scoped template is cluster-scoped', () => {
    const { kind, metadata } = buildBinding({ template: clusterRole, policy: clusterPolicy })
    expect(kind).toBe('ClusterResourceBinding')
    expect(metadata).toMatchObject({
      name: 'reader-clusterrole',
      finalizers: ['karmada.io/cluster-resource-binding-controller'],
    })
    expect(metadata.namespace).toBeUndefined()
  })

  test('of a namespaced template with a cluster policy is namespaced', () => {
    const { kind, metadata } = buildBinding({ template, policy: clusterPolicy })
    expect(kind).toBe('ResourceBinding')
    expect(metadata.labels).toEqual({ 'clusterpropagationpolicy.karmada.io/permanent-id': 'cluster-policy-id' })
  })
})

describe('an existing binding', () => {
  const owned = {
    clusters: [{ name: 'member1', replicas: 3 }],
    rescheduleTriggeredAt: '2026-01-01T00:00:00Z',
    gracefulEvictionTasks: [{ fromCluster: 'member2', producer: 'TaintManager', reason: 'TaintUntolerated' }],
    requiredBy: [{ namespace: 'shop', name: 'other', clusters: [] }],
  }
  const existing: Binding = { ...stored({ template, policy, replicas: { replicas: 3 } }) }
  existing.spec = { ...existing.spec, ...owned, schedulePriority: { priority: 5 } }

  test('keeps fields of the scheduler and other controllers', () => {
    expect(buildBinding({ template, policy, replicas: { replicas: 3 }, existing }).spec).toMatchObject(owned)
  })

  test('loses what its policy no longer contains', () => {
    expect(buildBinding({ template, policy, existing }).spec.schedulePriority).toBeUndefined()
  })

  test('is unchanged if nothing changed', () => {
    const settled = stored({ template, policy, replicas: { replicas: 3 }, existing })
    expect(buildBinding({ template, policy, replicas: { replicas: 3 }, existing: settled })).toEqual(settled)
  })

  test('passes from a cluster policy to a policy of its namespace without a trace', () => {
    const before = stored({ template, policy: clusterPolicy })
    const { labels, annotations } = buildBinding({ template, policy, existing: before }).metadata
    expect(Object.keys(labels ?? {})).toEqual(['propagationpolicy.karmada.io/permanent-id'])
    expect(Object.keys(annotations ?? {}).toSorted()).toEqual([
      'propagationpolicy.karmada.io/name',
      'propagationpolicy.karmada.io/namespace',
    ])
  })

  test('of a cluster-scoped template keeps its initial propagateDeps', () => {
    const before = stored({ template: clusterRole, policy: clusterPolicy })
    const changed = { ...clusterPolicy, spec: { ...clusterPolicy.spec, propagateDeps: false } }
    expect(buildBinding({ template: clusterRole, policy: changed, existing: before }).spec.propagateDeps).toBe(true)
  })

  test.each([
    ['nothing', undefined, undefined, undefined],
    ['the policy only', { dispatching: true }, undefined, { dispatching: true }],
    ['a paused binding only', undefined, true, { scheduling: true }],
    ['both', { dispatching: true }, true, { dispatching: true, scheduling: true }],
    ['a policy that no longer suspends', undefined, false, { scheduling: false }],
  ])('is suspended by %s', (_name, fromPolicy, scheduling, expected) => {
    const suspending = { ...policy, spec: { ...policy.spec, ...(fromPolicy && { suspension: fromPolicy }) } }
    const suspension = { dispatching: true, ...(scheduling !== undefined && { scheduling }) }
    const paused = { ...existing, spec: { ...existing.spec, suspension } }
    expect(buildBinding({ template, policy: suspending, existing: paused }).spec.suspension).toEqual(expected)
  })

  test.each([
    [
      'beside what the policy suspends',
      ['far'],
      ['near'],
      ['near', 'far', 'gone'],
      { dispatchingOnClusters: { clusterNames: ['near', 'far'] } },
    ],
    ['without a wish of the policy', ['far'], undefined, ['far'], { dispatchingOnClusters: { clusterNames: ['far'] } }],
    ['and nothing that others let go meanwhile', ['far'], undefined, ['near'], undefined],
  ])('keeps what is held back %s', (...[, held, fromPolicy, present, expected]) => {
    const dispatchingOn = (clusterNames: string[] | undefined) =>
      clusterNames && { dispatchingOnClusters: { clusterNames } }
    const suspending = { ...policy, spec: { ...policy.spec, suspension: dispatchingOn(fromPolicy) } }
    const before = { ...existing, spec: { ...existing.spec, suspension: dispatchingOn(present) } } as typeof existing
    expect(buildBinding({ template, policy: suspending, existing: before, held }).spec.suspension).toEqual(expected)
  })
})

describe('workload affinity groups', () => {
  const grouping: Policy = {
    ...policy,
    spec: {
      ...policy.spec,
      placement: {
        workloadAffinity: { affinity: { groupByLabelKey: 'app' }, antiAffinity: { groupByLabelKey: 'team' } },
      },
    },
  }
  const labelled = (labels: Record<string, string>): KubeObject => ({
    ...template,
    metadata: { ...template.metadata, labels },
  })
  const groupsOf = (request: Partial<BindingRequest>) =>
    buildBinding({ template, policy: grouping, workloadAffinity: true, ...request }).spec.workloadAffinityGroups

  test.each([
    [
      { app: 'web', team: 'a' },
      { affinityGroup: 'app=web', antiAffinityGroup: 'team=a' },
    ],
    [{ app: 'web' }, { affinityGroup: 'app=web' }],
    [{ team: '' }, { antiAffinityGroup: 'team=' }],
    [{ other: 'x' }, undefined],
  ])('of a template with labels %j are %j', (labels, expected) => {
    expect(groupsOf({ template: labelled(labels) })).toEqual(expected)
  })

  test('are recorded only with the feature gate, and removed when the template loses its label', () => {
    expect(groupsOf({ template: labelled({ app: 'web' }), workloadAffinity: false })).toBeUndefined()
    const existing = stored({ template: labelled({ app: 'web' }), policy: grouping, workloadAffinity: true })
    expect(groupsOf({ existing })).toBeUndefined()
  })
})
