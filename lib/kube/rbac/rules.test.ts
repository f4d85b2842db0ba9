import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PolicyRule } from '../kinds/cluster-role'
import type { Attributes, ResourceAttributes } from './attributes'
import { uncovered } from './covers'
import { rulesAllow } from './rules'

const request = (parts: Partial<ResourceAttributes>): ResourceAttributes => ({
  verb: 'get',
  group: '',
  version: 'v1',
  resource: 'pods',
  subresource: '',
  namespace: 'x',
  name: 'web',
  ...parts,
})
const path = (url: string, verb = 'get'): Attributes => ({ verb, path: url })
const rule = (parts: Partial<PolicyRule>): PolicyRule => ({
  verbs: ['get'],
  apiGroups: [''],
  resources: ['pods'],
  ...parts,
})
const urls = (...nonResourceURLs: string[]): PolicyRule => ({ verbs: ['get'], nonResourceURLs })

describe('a rule', () => {
  it.each<[text: string, rule: PolicyRule, attributes: Attributes, allowed: boolean]>([
    ['allows its verb on its resource', rule({}), request({}), true],
    ['does not allow another verb', rule({}), request({ verb: 'list' }), false],
    ['does not allow another group', rule({}), request({ group: 'apps' }), false],
    ['does not allow another resource', rule({}), request({ resource: 'secrets' }), false],
    ['with every verb allows any', rule({ verbs: ['*'] }), request({ verb: 'deletecollection' }), true],
    ['with every group allows any', rule({ apiGroups: ['*'] }), request({ group: 'apps' }), true],
    ['without a group allows nothing', rule({ apiGroups: [] }), request({}), false],
    ['without a verb allows nothing', rule({ verbs: [] }), request({}), false],
    ['with every resource allows subresources too', rule({ resources: ['*'] }), request({ subresource: 'log' }), true],
    ['for a resource does not allow its subresources', rule({}), request({ subresource: 'log' }), false],
    ['for a subresource does not allow the resource', rule({ resources: ['pods/log'] }), request({}), false],
    ['for one subresource allows it', rule({ resources: ['pods/log'] }), request({ subresource: 'log' }), true],
    ['for a subresource of everything', rule({ resources: ['*/scale'] }), request({ subresource: 'scale' }), true],
    ['for a subresource, and no other', rule({ resources: ['*/scale'] }), request({ subresource: 'status' }), false],
    ['knows no stars below one resource', rule({ resources: ['pods/*'] }), request({ subresource: 'log' }), false],
    ['for names allows these', rule({ resourceNames: ['web', 'db'] }), request({}), true],
    ['for names allows no others', rule({ resourceNames: ['db'] }), request({}), false],
    ['for names allows nothing without a name', rule({ resourceNames: ['web'] }), request({ name: '' }), false],
    ['about resources says nothing about paths', rule({ verbs: ['*'], resources: ['*'] }), path('/metrics'), false],
    ['about paths says nothing about resources', urls('*'), request({}), false],
    ['allows its path', urls('/metrics'), path('/metrics'), true],
    ['does not allow what is below its path', urls('/metrics'), path('/metrics/cadvisor'), false],
    ['allows what begins like its path', urls('/apis/*'), path('/apis/apps/v1'), true],
    ['allows what begins like its path, and no other', urls('/apis/*'), path('/apis'), false],
    ['for every path allows any', urls('*'), path('/anything'), true],
    ['for a path allows its verbs only', urls('/metrics'), path('/metrics', 'post'), false],
  ])('%s', (_text, one, attributes, allowed) => {
    expect(rulesAllow([one], attributes)).toBe(allowed)
  })
})

const words = (...values: string[]): fc.Arbitrary<string[]> =>
  fc.uniqueArray(fc.constantFrom(...values), { maxLength: 3 })
const verbs = ['get', 'list', 'create', '*']
const resources = ['pods', 'pods/log', 'deployments/scale', '*/scale', '*']
const someRule: fc.Arbitrary<PolicyRule> = fc.oneof(
  fc.record({
    verbs: words(...verbs),
    apiGroups: words('', 'apps', '*'),
    resources: words(...resources),
    resourceNames: words('a', 'b'),
  }),
  fc.record({ verbs: words(...verbs), nonResourceURLs: words('/metrics', '/apis/*', '*') }),
)
const someRules = fc.array(someRule, { maxLength: 5 })
const someRequest: fc.Arbitrary<Attributes> = fc.oneof(
  fc.record({
    verb: fc.constantFrom('get', 'list', 'create', 'delete'),
    group: fc.constantFrom('', 'apps', 'batch'),
    version: fc.constant('v1'),
    resource: fc.constantFrom('pods', 'deployments', 'secrets'),
    subresource: fc.constantFrom('', 'log', 'scale'),
    namespace: fc.constant('x'),
    name: fc.constantFrom('', 'a', 'c'),
  }),
  fc.record({ verb: fc.constantFrom('get', 'list'), path: fc.constantFrom('/metrics', '/apis/apps', '/nope') }),
)
const runs = { seed: 20_260_101, numRuns: 1000 }

describe('rules', () => {
  it('allow nothing that none of them names by its verb, and by its path or its group', () => {
    fc.assert(
      fc.property(someRules, someRequest, (rules, attributes) => {
        const named = rules.some((one) => {
          if (!one.verbs.some((verb) => verb === '*' || verb === attributes.verb)) return false
          if ('path' in attributes) return (one.nonResourceURLs ?? []).length > 0
          return (one.apiGroups ?? []).some((group) => group === '*' || group === attributes.group)
        })
        expect(rulesAllow(rules, attributes) && !named).toBe(false)
      }),
      runs,
    )
  })

  it('allow together what one of them allows, and no more', () => {
    fc.assert(
      fc.property(someRules, someRules, someRequest, (some, others, attributes) => {
        const apart = rulesAllow(some, attributes) || rulesAllow(others, attributes)
        expect(rulesAllow([...some, ...others], attributes)).toBe(apart)
      }),
      runs,
    )
  })

  it('that cover others allow whatever these allow', () => {
    fc.assert(
      fc.property(someRules, someRules, someRequest, (held, wanted, attributes) => {
        fc.pre(rulesAllow(wanted, attributes) && uncovered(held, wanted).length === 0)
        expect(rulesAllow(held, attributes)).toBe(true)
      }),
      { ...runs, numRuns: 200, maxSkipsPerRun: 1000 },
    )
  })

  it('lack the same rights, whether they are split into the smallest parts or compared as sets', () => {
    const word = fc.subarray(['a', 'b', 'c', '*', 'x/s', '*/s'], { minLength: 1 })
    const few = fc.array(
      fc.record({ verbs: word, apiGroups: word, resources: word, resourceNames: fc.subarray(['p', 'q', 'r']) }),
      { minLength: 1, maxLength: 3 },
    )
    const padding = Array.from({ length: 1001 }, (_, index) => `n${index}`)
    fc.assert(
      fc.property(few, few, (held, rules) => {
        const wanted = rules.filter(({ resourceNames }) => resourceNames.length > 0)
        const padded = wanted.map((one) => ({ ...one, resourceNames: [...one.resourceNames, ...padding] }))
        expect(partsWithin('pqr', uncovered(held, padded))).toEqual(partsWithin('pqr', uncovered(held, wanted)))
      }),
      { ...runs, numRuns: 300 },
    )
  })

  /** The combinations of rules for these names, each once. */
  function partsWithin(letters: string, rules: readonly PolicyRule[]): string[] {
    const parts = rules.flatMap(({ verbs, apiGroups = [], resources = [], resourceNames = [] }) =>
      resourceNames
        .filter((name) => letters.includes(name))
        .flatMap((name) =>
          verbs.flatMap((verb) =>
            apiGroups.flatMap((group) => resources.map((resource) => [verb, group, resource, name].join())),
          ),
        ),
    )
    return [...new Set(parts)].sort()
  }

  it('cover themselves', () => {
    fc.assert(
      fc.property(someRules, (rules) => {
        expect(uncovered(rules, rules)).toEqual([])
      }),
      runs,
    )
  })
})
