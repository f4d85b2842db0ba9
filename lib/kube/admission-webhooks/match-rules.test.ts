import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RuleWithOperations } from '../kinds'
import { matchesRules, type WriteTarget } from './match-rules'

const pods: RuleWithOperations = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }
const write: WriteTarget = {
  operation: 'CREATE',
  group: '',
  version: 'v1',
  resource: 'pods',
  subresource: '',
  namespaced: true,
}

describe('a rule', () => {
  it.each<[boolean, string, Partial<RuleWithOperations>, Partial<WriteTarget>]>([
    [true, 'names the write exactly', {}, {}],
    [false, 'names another operation', {}, { operation: 'DELETE' }],
    [true, 'names every operation', { operations: ['*'] }, { operation: 'CONNECT' }],
    [false, 'names another group', {}, { group: 'apps' }],
    [true, 'names every group', { apiGroups: ['*'] }, { group: 'apps' }],
    [false, 'names another version', {}, { version: 'v2' }],
    [true, 'names every version', { apiVersions: ['*'] }, { version: 'v2' }],
    [false, 'names the object, and the write is to a part of it', {}, { subresource: 'status' }],
    [true, 'names that part', { resources: ['pods/status'] }, { subresource: 'status' }],
    [false, 'names a part, and the write is to the object', { resources: ['pods/status'] }, {}],
    [true, 'names every part', { resources: ['pods/*'] }, { subresource: 'eviction' }],
    [true, 'names every part, which includes the object', { resources: ['pods/*'] }, {}],
    [false, 'names all resources, which leaves out their parts', { resources: ['*'] }, { subresource: 'status' }],
    [true, 'names all resources', { resources: ['*'] }, { resource: 'anything' }],
    [true, 'names one part of all resources', { resources: ['*/scale'] }, { resource: 'x', subresource: 'scale' }],
    [true, 'names everything', { resources: ['*/*'] }, { resource: 'x', subresource: 'scale' }],
    [true, 'names one of several resources', { resources: ['nodes', 'pods'] }, {}],
    [true, 'is for namespaced objects', { scope: 'Namespaced' }, {}],
    [false, 'is for namespaced objects, and this one is not', { scope: 'Namespaced' }, { namespaced: false }],
    [true, 'is for objects of the cluster', { scope: 'Cluster' }, { namespaced: false }],
    [false, 'is for objects of the cluster, and this one is not', { scope: 'Cluster' }, {}],
    [true, 'is for both', { scope: '*' }, { namespaced: false }],
    [false, 'names nothing', { resources: [] }, {}],
  ])('matches (%s) when it %s', (expected, _sentence, rule, target) => {
    expect(matchesRules([{ ...pods, ...rule }], { ...write, ...target })).toBe(expected)
  })
})

const word = fc.constantFrom('a', 'b', 'c')
const some = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', '*'), { minLength: 1, maxLength: 3 })
const targets = fc.record({
  operation: fc.constantFrom('CREATE', 'UPDATE', 'DELETE', 'CONNECT'),
  group: word,
  version: word,
  resource: word,
  subresource: fc.constantFrom('', 'a', 'b'),
  namespaced: fc.boolean(),
})
const rules = fc.record({
  apiGroups: some,
  apiVersions: some,
  operations: fc.uniqueArray(fc.constantFrom('CREATE', 'UPDATE', 'DELETE', '*'), { minLength: 1 }),
  resources: fc.uniqueArray(fc.constantFrom('a', 'b', '*', 'a/*', '*/a', '*/*', 'a/b', 'c/b'), { minLength: 1 }),
  scope: fc.constantFrom('*', 'Cluster', 'Namespaced'),
})

/** Every write that a rule without wildcards can name, spelled out: the definition by enumeration. */
function spelledOut(rule: RuleWithOperations, target: WriteTarget): boolean {
  const all = (list: readonly string[] = [], every: readonly string[]): readonly string[] =>
    list.flatMap((entry) => (entry === '*' ? every : [entry]))
  const words = ['a', 'b', 'c']
  const parts = (rule.resources ?? []).flatMap((text) => {
    const [name = '', below] = text.split('/')
    return all([name], words).flatMap((resource) =>
      (below === undefined ? [''] : all([below], ['', 'a', 'b'])).map((part) => `${resource}/${part}`),
    )
  })
  const scopes = rule.scope === '*' ? [true, false] : [rule.scope === 'Namespaced']
  return (
    all(rule.apiGroups, words).includes(target.group)
    && all(rule.apiVersions, words).includes(target.version)
    && all(rule.operations, ['CREATE', 'UPDATE', 'DELETE', 'CONNECT']).includes(target.operation)
    && parts.includes(`${target.resource}/${target.subresource}`)
    && scopes.includes(target.namespaced)
  )
}

describe('rules', () => {
  it('match exactly the writes that their wildcards stand for', () => {
    fc.assert(
      fc.property(rules as fc.Arbitrary<RuleWithOperations>, targets, (rule, target) => {
        expect(matchesRules([rule], target)).toBe(spelledOut(rule, target))
      }),
      { seed: 11, numRuns: 2000 },
    )
  })

  it('match when one of them does', () => {
    fc.assert(
      fc.property(fc.array(rules as fc.Arbitrary<RuleWithOperations>), targets, (list, target) => {
        expect(matchesRules(list, target)).toBe(list.some((rule) => matchesRules([rule], target)))
      }),
      { seed: 12 },
    )
  })
})
