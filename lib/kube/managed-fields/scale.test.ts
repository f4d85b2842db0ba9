import { describe, expect, it } from 'vitest'
import { type ManagedFieldsEntry, ownersAfterScale, scaleOwners } from './index'

const NOW = '2026-01-01T00:00:00Z'

describe('owners of a scale', () => {
  const scaled = {
    apiVersion: 'apps/v1',
    replicasIn: (version: string) => (version === 'apps/v1' ? ['f:spec', 'f:replicas'] : undefined),
  }
  const owner = (manager: string, fieldsV1: object, more: object = {}): ManagedFieldsEntry =>
    ({
      manager,
      operation: 'Update',
      apiVersion: 'apps/v1',
      time: NOW,
      fieldsType: 'FieldsV1',
      fieldsV1,
      ...more,
    }) as ManagedFieldsEntry
  const main = owner('c', { 'f:spec': { 'f:replicas': {}, 'f:paused': {} } })
  const inScale = { ...main, apiVersion: 'autoscaling/v1', fieldsV1: { 'f:spec': { 'f:replicas': {} } } }
  const scaler = { ...inScale, manager: 's', subresource: 'scale' }

  it('are those who own the replicas', () => {
    expect(scaleOwners([main, owner('x', { 'f:spec': { 'f:paused': {} } })], scaled)).toEqual([inScale])
  })

  it('lose the replicas to the manager that owns them in the scale, whose entry has no time there', () => {
    const { time: _, ...timeless } = owner('s', { 'f:spec': { 'f:replicas': {} } }, { subresource: 'scale' })
    expect(ownersAfterScale([main], [scaler], scaled)).toEqual([
      { ...main, fieldsV1: { 'f:spec': { 'f:paused': {} } } },
      timeless,
    ])
  })

  it('keep everything when the scale stays theirs', () => {
    expect(ownersAfterScale([main], [inScale], scaled)).toEqual([main])
  })
})
