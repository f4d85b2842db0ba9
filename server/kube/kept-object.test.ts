import { describe, expect, test } from 'vitest'
import { keptOf } from './kept-object'

const placement = () => ({ clusterAffinity: { clusterNames: ['a', 'b'] } })
const owner = (manager: string) => ({ manager, operation: 'Update', fieldsV1: { 'f:spec': {} } })
const binding = (name: string, managers: string[] = []) => ({
  apiVersion: 'v1',
  kind: 'Binding',
  metadata: {
    name,
    uid: name,
    resourceVersion: '1',
    creationTimestamp: '2026-01-01T00:00:00Z',
    ...(managers.length > 0 && { managedFields: managers.map(owner) }),
  },
  spec: { resource: { name }, placement: placement() },
})
const keeping = { keepsOwner: (entry: unknown) => (entry as { manager: string }).manager === 'read' }

describe('of a parsed object', () => {
  test('only the owners of fields that are read are kept', () => {
    expect(keptOf(binding('x', ['a', 'read', 'b']), undefined, keeping)).toEqual(binding('x', ['read']))
    expect(keptOf(binding('x', ['a']), undefined, keeping)).toEqual(binding('x'))
  })

  test('parts that a neighbour has are held once, and the neighbour stays as it is', () => {
    const neighbour = binding('x')
    const kept = keptOf(binding('y'), neighbour, keeping)
    expect(kept).toEqual(binding('y'))
    expect(kept.spec.placement).toBe(neighbour.spec.placement)
    expect(neighbour).toEqual(binding('x'))
  })

  test('an earlier version that is the same object stays', () => {
    const before = binding('x')
    expect(keptOf(binding('x', ['a']), before, keeping)).toBe(before)
  })
})
