import { expect, test } from 'vitest'
import type { Cluster, ResourceModel, Taint } from '../kinds'
import type { UnknownObject } from '../object'
import { clusterRules } from './cluster'

const problemsOf = (spec: Partial<Cluster['spec']>): string[] =>
  (
    clusterRules.validate?.({
      apiVersion: 'cluster.karmada.io/v1alpha1',
      kind: 'Cluster',
      metadata: { name: 'm1', uid: 'u', resourceVersion: '1', creationTimestamp: '2026-01-01T00:00:00Z' },
      spec: { syncMode: 'Push', ...spec },
    } as unknown as UnknownObject) ?? []
  ).map(({ field, message }) => `${field}: ${message}`)

test.each<[string, Taint[], string[]]>([
  [
    'a taint of each effect',
    ['NoSchedule', 'PreferNoSchedule', 'NoExecute'].map((effect) => ({ key: 'a', effect })),
    [],
  ],
  ['no effect', [{ key: 'a', effect: '' }], ['spec.taints[0].effect: Required value']],
  [
    'an unknown effect',
    [{ key: 'a', effect: 'Never' }],
    [
      'spec.taints[0].effect: Unsupported value: "Never": supported values: "NoExecute", "NoSchedule", "PreferNoSchedule"',
    ],
  ],
  [
    'the same taint twice',
    [
      { key: 'a', effect: 'NoSchedule' },
      { key: 'a', value: 'x', effect: 'NoSchedule' },
    ],
    [expect.stringMatching(/^spec\.taints\[1\]: Duplicate value: .*: taints must be unique by key and effect pair$/)],
  ],
  [
    'a key that is none',
    [{ key: 'a b', effect: 'NoSchedule' }],
    [expect.stringMatching(/^spec\.taints\[0\]\.key: Invalid value: "a b": name part must consist of/)],
  ],
  [
    'a value that is none',
    [{ key: 'a', value: '-', effect: 'NoSchedule' }],
    [expect.stringMatching(/^spec\.taints\[0\]\.value: Invalid value: "-"/)],
  ],
])('%s', (_what, taints, expected) => {
  expect(problemsOf({ taints })).toEqual(expected)
})

const grade = (number: number, min: string, max: string, name = 'cpu'): ResourceModel => ({
  grade: number,
  ranges: [{ name, min, max }],
})

test.each<[string, ResourceModel[], string[]]>([
  ['grades that follow each other', [grade(0, '0', '2'), grade(1, '2', '4')], []],
  ['the same border written differently', [grade(0, '0', '2'), grade(1, '2000m', '4')], []],
  [
    'a gap in the numbers',
    [grade(0, '0', '2'), grade(2, '2', '4')],
    [expect.stringMatching(/^spec\.resourceModels\[1\]\.grade: .*start from 0$/)],
  ],
  ['an empty grade', [grade(0, '2', '2')], [expect.stringMatching(/must be greater than the min value$/)]],
  [
    'a gap between grades',
    [grade(0, '0', '2'), grade(1, '3', '4')],
    [expect.stringMatching(/must be contiguous and non-overlapping$/)],
  ],
  [
    'other resources',
    [grade(0, '0', '2'), grade(1, '2', '4', 'memory')],
    [expect.stringMatching(/^spec\.resourceModels\[1\]: .*should be the same$/)],
  ],
])('%s', (_what, resourceModels, expected) => {
  expect(problemsOf({ resourceModels })).toEqual(expected)
})
