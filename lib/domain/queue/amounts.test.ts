import { expect, test } from 'vitest'
import type { BindingSpec } from '@/lib/kube/kinds/binding'
import { REPLICAS } from './amount-message'
import { demandOf, usageOf } from './amounts'

const spec = (more: Partial<BindingSpec>): BindingSpec => ({
  resource: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
  replicaRequirements: { resourceRequest: { cpu: '1' } },
  ...more,
})

test('negative replicas in one cluster do not reduce the usage in others', () => {
  const clusters = [
    { name: 'a', replicas: 3 },
    { name: 'b', replicas: -3 },
  ]
  expect(usageOf(spec({ clusters }))).toEqual({ cpu: 3000, [REPLICAS]: 3 })
})

test('negative replicas have no demand, not a negative one', () => {
  expect(demandOf(spec({ replicas: -3 }))).toEqual({})
})
