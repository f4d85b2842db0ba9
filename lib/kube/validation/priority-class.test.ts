import { expect, test } from 'vitest'
import type { UnknownObject } from '../object'
import { validatePriorityClass } from './policy'

const aClass = (name: string, value: number, more: object = {}): UnknownObject =>
  ({ apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name }, value, ...more }) as never

test.each([
  ['system-cluster-critical', 2_000_000_000, {}],
  ['system-node-critical', 2_000_001_000, { globalDefault: false }],
  ['mine', 1_000_000_000, { globalDefault: true }],
])('%s is accepted', (name, value, more) => {
  expect(validatePriorityClass(aClass(name, value, more))).toEqual([])
})

test.each([
  ['system-mine', 5, {}, 'system-mine is not a known system priority class'],
  ['system-node-critical', 5, {}, 'value of system-node-critical PriorityClass must be 2000001000'],
  [
    'system-cluster-critical',
    2_000_000_000,
    { globalDefault: true },
    'globalDefault of system-cluster-critical PriorityClass must be false',
  ],
])('%s with another definition is not', (name, value, more, error) => {
  const rule = "Forbidden: priority class names with 'system-' prefix are reserved for system use only"
  expect(validatePriorityClass(aClass(name, value, more)).map(({ field, message }) => `${field}: ${message}`)).toEqual([
    `metadata.name: ${rule}. error: ${error}`,
  ])
})
