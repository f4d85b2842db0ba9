import { describe, expect, it } from 'vitest'
import { aDeployment } from '@/lib/testing/builders'
import { deployment, storageClass } from './kinds'
import type { UnknownObject } from './object'
import { strategyOf } from './strategy'

const strategy = strategyOf(deployment)
const context = { namespace: 'default', now: '2026-01-01T00:00:00Z', uid: () => 'u1' }

const created = (): UnknownObject => {
  const { object } = strategy.decode(aDeployment('web', { replicas: 2 }))
  const metadata = { ...object.metadata, uid: 'u1', labels: { app: 'web' }, creationTimestamp: context.now }
  const stored = strategy.admitNew({ ...object, metadata }, context)
  const conditions = [{ type: 'Available', status: 'True', reason: 'R', message: 'm' }]
  return strategy.admitStatus({ ...stored, status: { replicas: 2, conditions } }, stored, {
    part: 'status',
    now: context.now,
  })
}

describe('decoding a change of a stored object', () => {
  it('keeps what the change shares with it, in the order in which it was sent', () => {
    const old = created()
    const sent = { ...old, status: { ...(old.status as object), readyReplicas: 2 } } as UnknownObject
    const { object, unknownFields } = strategy.decode(sent, { old })
    expect(object).toEqual(sent)
    expect(JSON.stringify(object)).toBe(JSON.stringify(sent))
    expect(unknownFields).toEqual([])
  })

  it.each([
    ['an empty list, which is not kept', { collisionCount: 0, conditions: [] }],
    ['a null', { readyReplicas: null }],
    ['an unknown field', { readyReplicas: 1, unknown: { deep: 1 } }],
    ['a field that is left out beside a known one', { observedGeneration: 0 }],
  ])('answers as without it for %s', (_, change) => {
    const old = created()
    const metadata = { ...old.metadata, annotations: { note: null } as never }
    const sent = { ...old, metadata, status: { ...(old.status as object), ...change } } as UnknownObject
    const alone = strategy.decode(JSON.parse(JSON.stringify(sent)))
    const { object, unknownFields } = strategy.decode(sent, { old })
    expect(JSON.stringify(object)).toBe(JSON.stringify(alone.object))
    expect(unknownFields).toEqual(alone.unknownFields)
  })

  it('finds a value of a wrong type beside parts that are known', () => {
    const old = created()
    const sent = { ...old, status: { ...(old.status as object), replicas: 'two' } } as UnknownObject
    const alone = (): unknown => strategy.decode(JSON.parse(JSON.stringify(sent)))
    const message = /status\.replicas of type int32/
    expect(alone).toThrow(message)
    expect(() => strategy.decode(sent, { old })).toThrow(message)
  })

  it('keeps the parts of metadata that the change leaves', () => {
    const old = created()
    const metadata = { ...old.metadata, annotations: { note: null, kept: 'x' } as never }
    const { object } = strategy.decode({ ...old, metadata }, { old })
    expect(object.metadata.labels).toBe(old.metadata.labels)
    expect(object.metadata.annotations).toEqual(strategy.decode({ ...old, metadata }).object.metadata.annotations)
  })

  it('reads metadata again that it shares with an object that is not stored in this form', () => {
    const { metadata, ...rest } = JSON.parse(JSON.stringify(created())) as UnknownObject
    const old = { ...rest, metadata: { ...metadata, labels: { app: null } as never, unknown: 1 } } as UnknownObject
    const sent = { ...old, metadata: { ...old.metadata, annotations: { changed: 'yes' } } }
    const alone = strategy.decode(JSON.parse(JSON.stringify(sent)))
    const { object, unknownFields } = strategy.decode(sent, { old })
    expect(JSON.stringify(object)).toBe(JSON.stringify(alone.object))
    expect(unknownFields).toEqual(['metadata.unknown'])
  })

  it('reads a part again that has moved to another field', () => {
    const old = created()
    const { labels } = old.metadata
    const moved = { ...old, metadata: { ...old.metadata, annotations: labels, finalizers: labels as never } }
    expect(() => strategy.decode(moved, { old })).toThrow(/finalizers/)
  })

  it('knows what was sent empty beside parts that it keeps', () => {
    const classes = strategyOf(storageClass)
    const metadata = { name: 'fast', labels: { tier: 'fast' } }
    const sent = { apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', provisioner: 'example.com/disk', metadata }
    const old = classes.create({ ...sent, parameters: { type: 'ssd' } } as unknown as UnknownObject, context)
    const { object } = classes.decode({ ...old, parameters: {} } as UnknownObject, { old })
    expect(object.metadata.labels).toBe(old.metadata.labels)
    expect(() => classes.admitUpdate(object, old, context)).toThrow('parameters: Invalid value: {}')
  })
})
