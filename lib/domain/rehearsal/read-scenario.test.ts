import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { english } from '../../messages/english'
import { unknownNames } from './known-fleet'
import { MAX_SCENARIO_LENGTH, readScenario } from './read-scenario'
import type { Scenario } from './scenario'

const scenario = (steps: string, rest = 'assertions: [{ recoverWithin: { time: 60s } }]'): string =>
  `apiVersion: evenkeel.io/v1alpha1
kind: Scenario
metadata: { name: test }
spec:
  duration: 10m
  ${rest}
  steps:
${steps}`

const problemsOf = (text: string): string[] => {
  const read = readScenario(text)
  return 'problems' in read ? read.problems.map((problem) => english.of(problem)) : []
}

function read(text: string): Scenario {
  const outcome = readScenario(text)
  if ('problems' in outcome) throw new Error(outcome.problems.map((one) => english.of(one)).join('\n'))
  return outcome.scenario
}

test('times, defaults and choices are parsed', () => {
  expect(read(scenario('    - { at: 1m30s, lose: { regions: [eu] } }'))).toMatchObject({
    name: 'test',
    durationMs: 600_000,
    seed: 1,
    timing: {},
    steps: [{ index: 0, atMs: 90_000, action: { kind: 'lose', given: { regions: ['eu'] } } }],
    assertions: [{ name: 'recoverWithin', kind: 'recoverWithin', given: { time: 60_000 } }],
  })
})

test('the example is valid', () => {
  expect(read(readFileSync('examples/rehearse/scenario.yaml', 'utf8')).steps).toHaveLength(2)
})

describe('a problem has its line and field', () => {
  test.each([
    ['an unknown verb', '    - { at: 0s, explode: {} }', /^line 8: spec\.steps\[0\]\.explode: Unknown verb “explode”/],
    ['no verb', '    - { at: 0s }', /^line 8: spec\.steps\[0\]: A step needs a verb/],
    ['two verbs', '    - { at: 0s, hold: { queue: a/b }, resume: { queue: a/b } }', /exactly one verb/],
    [
      'times that run backwards',
      '    - { at: 60s, lose: { clusters: [a] } }\n    - at: 30s\n      lose: { clusters: [b] }',
      /^line 9: spec\.steps\[1\]\.at: Times must not run backwards/,
    ],
    ['a time after the end', '    - { at: 11m, lose: { clusters: [a] } }', /after the end/],
    ['a negative time', '    - { at: -1s, lose: { clusters: [a] } }', /steps\[0\]\.at: Must be a duration/],
    ['a number as time', '    - { at: 5, lose: { clusters: [a] } }', /steps\[0\]\.at: Must be of type string/],
    ['no time', '    - { lose: { clusters: [a] } }', /steps\[0\]\.at: This field is required/],
    ['no clusters', '    - { at: 0s, lose: {} }', /Name clusters, regions or zones/],
    ['an unknown field', '    - { at: 0s, lose: { clusters: [a], slowly: true } }', /lose\.slowly: Unknown field/],
    ['a hostile key', '    - { at: 0s, __proto__: { clusters: [a] } }', /Unknown verb “__proto__”/],
    ['a name of Object', '    - { at: 0s, constructor: {} }', /Unknown verb “constructor”/],
    ['a hostile field', '    - { at: 0s, lose: { clusters: [a], __proto__: {} } }', /Unknown field “__proto__”/],
    ['a step that is text', '    - lose eu-1', /steps\[0\]: Must be of type object/],
    ['a bad address', '    - { at: 0s, hold: { queue: lab } }', /hold\.queue: Must be namespace\/name/],
    ['too many nodes', '    - { at: 0s, loseNodes: { clusters: [a], nodes: 5000 } }', /at most 1,?000/],
    ['a manifest without a name', '    - { at: 0s, apply: { manifests: [{ kind: Pod }] } }', /Kubernetes object/],
    ['a repeated key', '    - { at: 0s, at: 1s, lose: { clusters: [a] } }', /line 8: the map already has this key/],
    ['no YAML', '    - { at: 0s', /not valid YAML/],
  ])('%s', (_what, steps, expected) => {
    expect(problemsOf(scenario(steps)).join('\n')).toMatch(expected)
  })

  test.each([
    ['an unknown assertion', 'assertions: [{ beFast: {} }]', /Unknown assertion “beFast”/],
    ['a share without percent', 'assertions: [{ maxLoad: { share: 0.85 } }]', /type string/],
    ['a share above 100 %', 'assertions: [{ maxLoad: { share: 120% } }]', /percentage/],
    ['both kinds of a minimum', 'assertions: [{ keepReady: { replicas: 1, share: 50% } }]', /either replicas or share/],
    ['no assertion', 'assertions: []', /at least 1/],
  ])('%s', (_what, assertions, expected) => {
    expect(problemsOf(scenario('    - { at: 0s, lose: { clusters: [a] } }', assertions)).join('\n')).toMatch(expected)
  })

  test('all of them at once', () => {
    const steps = '    - { at: 0s, explode: {} }\n    - { at: -1s, lose: {} }'
    expect(problemsOf(scenario(steps))).toHaveLength(3)
  })
})

test.each([
  ['a huge file', 'x'.repeat(MAX_SCENARIO_LENGTH + 1), /exceeds the limit/],
  ['another kind', 'apiVersion: v1\nkind: Pod', /line 1: apiVersion: Must be evenkeel\.io\/v1alpha1/],
  ['nothing', '', /type object/],
  ['a file that grows when read', `a: &a [${'x,'.repeat(2000)}]\nb: [${'*a,'.repeat(2000)}]`, /excessive aliasing/],
])('%s is rejected', (_what, text, expected) => {
  expect(problemsOf(text).join('\n')).toMatch(expected)
})

test('names that the fleet does not have are reported by step and assertion', () => {
  const given = read(
    scenario(
      [
        '    - { at: 0s, lose: { clusters: [eu-1, eu-9], regions: [mars] } }',
        '    - { at: 1s, hold: { queue: lab/lab } }',
        '    - { at: 2s, apply: { manifests: [{ apiVersion: apps/v1, kind: Deployment, metadata: { name: new, namespace: shop } }] } }',
        '    - { at: 3s, scale: { workload: shop/new, replicas: 3 } }',
      ].join('\n'),
      'assertions: [{ keepReady: { workloads: [shop/web, shop/gone], replicas: 1 } }]',
    ),
  )
  const fleet = {
    clusters: [{ name: 'eu-1', region: 'eu', zones: [] }],
    has: (_kind: string, address: string) => address === 'shop/web',
  }
  expect(unknownNames(given, fleet).map((one) => english.of(one))).toEqual([
    'Step 1 (lose): The fleet has no simulated cluster, region or zone “eu-9”.',
    'Step 1 (lose): The fleet has no simulated cluster, region or zone “mars”.',
    'Step 2 (hold): The fleet has no Queue lab/lab.',
    'Assertion “keepReady”: The fleet has no workload shop/gone.',
  ])
})
