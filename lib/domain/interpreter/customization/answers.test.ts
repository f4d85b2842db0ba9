import { describe, expect, test } from 'vitest'
import type { ResourceInterpreterCustomization } from '../../../kube/kinds/resource-interpreter-customization'
import type { UnknownObject } from '../../../kube/object'
import {
  aggregateIn,
  componentsIn,
  dependenciesIn,
  healthIn,
  manifestIn,
  mergedDependencies,
  replicasIn,
  ScriptCatalog,
  statusIn,
} from '.'

const object = {
  apiVersion: 'v1',
  kind: 'Thing',
  metadata: { name: 't' },
  spec: { list: [], map: {} },
  status: { list: [], map: {} },
} as unknown as UnknownObject

describe('results of scripts', () => {
  test.each<[string, () => unknown, unknown]>([
    ['health', () => healthIn([true]), true],
    ['replicas alone', () => replicasIn([3]), { replicas: 3 }],
    [
      'replicas with amounts as numbers',
      () => replicasIn([3, { resourceRequest: { cpu: 1 } }]),
      { replicas: 3, requirements: { resourceRequest: { cpu: '1' } } },
    ],
    [
      'requirements without empty tables',
      () => replicasIn([1, { nodeClaim: {}, resourceRequest: { cpu: '0.1' } }]),
      { replicas: 1, requirements: { resourceRequest: { cpu: '100m' } } },
    ],
    [
      'empty tables are what they were, wherever they were moved to in a list',
      () =>
        manifestIn(
          'Retain',
          [{ ...object, spec: { rules: [{ from: {} }, {}] } }],
          [{ ...object, spec: { rules: [{ to: [1] }, { from: [] }, {}] } }],
        ),
      { ...object, spec: { rules: [{ from: [] }, {}] } },
    ],
    [
      'empty tables are what they were; those that were not are none',
      () => manifestIn('Retain', [{ ...object, spec: { list: {}, map: [], fresh: {} } }], [object]),
      { ...object, spec: { list: [], map: {} } },
    ],
    ['no status', () => statusIn([undefined]), undefined],
    ['a status without empty tables', () => statusIn([{ list: {}, n: 1 }]), { n: 1 }],
    ['the status of an aggregate', () => aggregateIn([{ status: { map: [], ready: 1 } }]), { ready: 1 }],
    [
      'components',
      () =>
        componentsIn([
          [
            { name: 'head', replicas: 1, replicaRequirements: { resourceRequest: { memory: 0.1 }, nodeClaim: {} } },
            { name: 'worker', replicas: 2, replicaRequirements: {} },
          ],
        ]),
      [
        { name: 'head', replicas: 1, replicaRequirements: { resourceRequest: { memory: '100m' } } },
        { name: 'worker', replicas: 2 },
      ],
    ],
    ['no components', () => componentsIn([{}]), []],
    ['no dependencies', () => dependenciesIn([{}]), []],
    [
      'dependencies',
      () => dependenciesIn([[{ apiVersion: 'v1', kind: 'Secret', namespace: '', name: 's' }]]),
      [{ apiVersion: 'v1', kind: 'Secret', name: 's' }],
    ],
    [
      'dependencies by label',
      () => dependenciesIn([[{ apiVersion: 'v1', kind: 'Secret', labelSelector: { matchLabels: { a: 'b' } } }]]),
      [{ apiVersion: 'v1', kind: 'Secret', labelSelector: { matchLabels: { a: 'b' } } }],
    ],
  ])('%s', (...row) => {
    const [, read, expected] = row
    expect(read()).toEqual(expected)
  })

  test.each<[string, () => unknown, string]>([
    ['health that is a text', () => healthIn(['yes']), 'InterpretHealth answered a string instead of a boolean'],
    ['no health', () => healthIn([]), 'InterpretHealth answered nothing instead of a boolean'],
    ['half a replica', () => replicasIn([1.5]), 'GetReplicas answered a number instead of a whole number'],
    [
      'an amount that is none',
      () => replicasIn([1, { resourceRequest: { cpu: 'much' } }]),
      'GetReplicas answered "much" as an amount',
    ],
    [
      'half a component',
      () => componentsIn([[{ name: 'head', replicas: 0.5 }]]),
      'every component needs a name and a whole number of replicas',
    ],
    ['too many replicas', () => replicasIn([2 ** 31]), '2147483648 replicas do not fit into 32 bits'],
    [
      'a list instead of an object',
      () => manifestIn('ReviseReplica', [[1]], []),
      'ReviseReplica answered a list instead of a table',
    ],
    [
      'an object of no kind',
      () => manifestIn('Retain', [{ spec: {} }], []),
      'Retain answered something that is no object of the API',
    ],
    [
      'dependencies that are a table',
      () => dependenciesIn([{ a: 1 }]),
      'GetDependencies answered something that is no list',
    ],
    [
      'a dependency without a name',
      () => dependenciesIn([[{ apiVersion: 'v1', kind: 'Secret' }]]),
      'every reference needs apiVersion, kind and a name or labelSelector',
    ],
  ])('%s is an error', (...row) => {
    const [, read, expected] = row
    expect(read).toThrow(expected)
  })
})

test('of several scripts for one operation, the first by name counts', () => {
  const customization = (name: string, luaScript: string) =>
    ({
      metadata: { name },
      spec: { target: { apiVersion: 'v1', kind: 'Thing' }, customizations: { healthInterpretation: { luaScript } } },
    }) as unknown as ResourceInterpreterCustomization
  const catalog = new ScriptCatalog([customization('b', 'second'), customization('a', 'first')])
  expect(catalog.find(object, 'health')).toMatchObject({
    customization: 'a',
    source: 'first',
    entry: 'InterpretHealth',
  })
  expect([catalog.find(object, 'retain'), catalog.find({ apiVersion: 'v2', kind: 'Thing' }, 'health')]).toEqual([
    undefined,
    undefined,
  ])
})

test('dependencies of several scripts are merged without duplicates, sorted by kind and name', () => {
  const secret = { apiVersion: 'v1', kind: 'Secret', namespace: 'shop', name: 's' }
  const config = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'shop', name: 'z' }
  expect(mergedDependencies([[secret, config], [{ ...secret }]])).toEqual([config, secret])
})
