import { describe, expect, it } from 'vitest'
import type { PolicyRule } from '../kinds/cluster-role'
import { describeRules, uncovered } from './covers'

const rule = (verbs: string[], resources: string[], more: Partial<PolicyRule> = {}): PolicyRule => ({
  verbs,
  apiGroups: [''],
  resources,
  ...more,
})
const EVERYTHING: PolicyRule = { verbs: ['*'], apiGroups: ['*'], resources: ['*'] }

describe('what a user may grant', () => {
  it.each<[text: string, held: PolicyRule[], wanted: PolicyRule[], missing: string[]]>([
    ['is what they hold', [rule(['get'], ['pods'])], [rule(['get'], ['pods'])], []],
    ['is everything for who holds everything', [EVERYTHING], [rule(['*'], ['*'])], []],
    [
      'may be held in pieces',
      [rule(['get'], ['pods']), rule(['list'], ['pods'])],
      [rule(['get', 'list'], ['pods'])],
      [],
    ],
    [
      'is not another verb',
      [rule(['get'], ['pods'])],
      [rule(['get', 'list', 'watch'], ['pods'])],
      ['{APIGroups:[""], Resources:["pods"], Verbs:["list" "watch"]}'],
    ],
    [
      'is not all verbs for who holds each by its name',
      [rule(['get', 'list'], ['pods'])],
      [rule(['*'], ['pods'])],
      ['{APIGroups:[""], Resources:["pods"], Verbs:["*"]}'],
    ],
    ['is a subresource of everything', [rule(['get'], ['*/scale'])], [rule(['get'], ['deployments/scale'])], []],
    [
      'is not everything for who holds some names',
      [rule(['get'], ['pods'], { resourceNames: ['a'] })],
      [rule(['get'], ['pods'])],
      ['{APIGroups:[""], Resources:["pods"], Verbs:["get"]}'],
    ],
    [
      'is not another name',
      [rule(['get'], ['pods'], { resourceNames: ['a'] })],
      [rule(['get'], ['pods'], { resourceNames: ['a', 'b'] })],
      ['{APIGroups:[""], Resources:["pods"], ResourceNames:["b"], Verbs:["get"]}'],
    ],
    [
      'is not another path',
      [{ verbs: ['get'], nonResourceURLs: ['/apis/*'] }],
      [{ verbs: ['get', 'post'], nonResourceURLs: ['/apis/apps', '/metrics'] }],
      [
        '{NonResourceURLs:["/apis/apps"], Verbs:["post"]}',
        '{NonResourceURLs:["/metrics"], Verbs:["get"]}',
        '{NonResourceURLs:["/metrics"], Verbs:["post"]}',
      ],
    ],
  ])('%s', (_text, held, wanted, missing) => {
    expect(describeRules(uncovered(held, wanted))).toEqual(missing)
  })
})
