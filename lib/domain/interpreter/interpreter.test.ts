import { describe, expect, test } from 'vitest'
import type { UnknownObject } from '../../kube/object'
import { aggregateStatus, InterpretError, interpretReplicas, reflectStatus } from '.'

const now = '2026-01-01T00:00:00Z'
const meta = { name: 'db', namespace: 'shop', uid: 'u', resourceVersion: '1', creationTimestamp: now }

function anObject(kind: string, rest: object = {}): UnknownObject {
  return { apiVersion: 'apps/v1', kind, metadata: { ...meta, generation: 2 }, spec: {}, ...rest } as UnknownObject
}

describe('a StatefulSet', () => {
  const member = anObject('StatefulSet', {
    metadata: { ...meta, generation: 5, annotations: { 'resourcetemplate.karmada.io/generation': '2' } },
    status: { observedGeneration: 5, replicas: 1, readyReplicas: 1, availableReplicas: 1 },
  })
  const template = anObject('StatefulSet', { status: { replicas: 0, availableReplicas: 0, observedGeneration: 1 } })
  const aggregate = (likeUpstream: boolean) => {
    const status = reflectStatus(member, { likeUpstream })
    return aggregateStatus(template, [{ clusterName: 'member1', ...(status && { status }) }], { now, likeUpstream })
  }

  test('is observed once every member observed it', () => {
    expect(aggregate(false)).toMatchObject({ observedGeneration: 2, readyReplicas: 1 })
  })

  test('never advances in upstream mode', () => {
    expect(aggregate(true)).toMatchObject({ observedGeneration: 1, readyReplicas: 1 })
  })
})

describe('a number of replicas beyond 32 bits', () => {
  const huge = anObject('Deployment', { spec: { replicas: 3_000_000_000 } })

  test('is rejected', () => {
    expect(() => interpretReplicas(huge)).toThrow(InterpretError)
  })

  test('wraps in upstream mode', () => {
    expect(interpretReplicas(huge, { likeUpstream: true })?.replicas).toBe(-1_294_967_296)
  })
})

describe('an aggregated status', () => {
  const template = anObject('Deployment', { status: { replicas: 3, observedGeneration: 2, conditions: [] } })

  test('is the identical object if nothing changed', () => {
    const status = { replicas: 3, generation: 1, observedGeneration: 1, resourceTemplateGeneration: 2 }
    expect(aggregateStatus(template, [{ clusterName: 'member1', status }], { now })).toBe(template.status)
  })

  test('is unchanged for kinds without a rule', () => {
    const configMap = { ...anObject('ConfigMap'), apiVersion: 'v1', status: { any: 'thing' } }
    expect(aggregateStatus(configMap, [], { now })).toBe(configMap.status)
  })
})

test('requirements contain the priority class only with quota estimates', () => {
  const spec = {
    replicas: 1,
    template: { spec: { priorityClassName: 'high', containers: [{ resources: { requests: { cpu: '1' } } }] } },
  }
  const requirementsOf = (quotaEstimate: boolean) =>
    interpretReplicas(anObject('Deployment', { spec }), { quotaEstimate })?.requirements
  expect(requirementsOf(true)).toEqual({ resourceRequest: { cpu: '1' }, priorityClassName: 'high' })
  expect(requirementsOf(false)).toEqual({ resourceRequest: { cpu: '1' } })
})
