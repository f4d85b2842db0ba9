import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Pod, SubsetStatus, WorkloadSpread } from '../../kube/kinds'
import {
  ANY_VERSION,
  assessSpread,
  recordCreation,
  formatMatched,
  heldBy,
  limitOf,
  MATCHED_ANNOTATION,
  ownRules,
  readMatched,
  RULES_ANNOTATION,
  rulesOf,
  upstreamRules,
} from '.'

const NOW = Date.UTC(2026, 0, 1)

describe('the rules of a spread', () => {
  it.each<[string | undefined, object]>([
    [undefined, ownRules],
    ['', ownRules],
    ['upstream', upstreamRules],
    ['simulation', { ...ownRules, simulation: false }],
    ['simulation, freshShares', { ...ownRules, simulation: false, freshShares: false }],
    ['nonsense', ownRules],
  ])('annotated %j', (text, rules) => {
    const annotations = text === undefined ? {} : { [RULES_ANNOTATION]: text }
    expect(rulesOf({ metadata: { annotations } } as unknown as WorkloadSpread)).toEqual(rules)
  })
})

describe('the annotation of a pod', () => {
  it.each([
    ['{"Name":"ws","SUBSET":"a","Uid":"u"}', { name: 'ws', subset: 'a', uid: 'u' }],
    ['{"name":"ws"}', { name: 'ws', subset: '' }],
    ['{"name":1,"subset":"a"}', undefined],
    ['[]', undefined],
    ['oops', undefined],
  ])('%s is parsed as %j', (text, matched) => {
    expect(readMatched({ [MATCHED_ANNOTATION]: text })).toEqual(matched)
  })

  it('is parsed as it was formatted, for any names', () => {
    const name = fc.string({ minLength: 1 })
    fc.assert(
      fc.property(name, name, fc.option(name, { nil: undefined }), (spread, subset, uid) => {
        const matched = { name: spread, subset, ...(uid !== undefined && { uid }) }
        expect(readMatched({ [MATCHED_ANNOTATION]: formatMatched(matched) })).toEqual(matched)
      }),
      { seed: 9 },
    )
  })
})

const maxReplicas = fc.oneof(fc.integer({ min: 0, max: 8 }), fc.constant(undefined))
const shares = fc.integer({ min: 0, max: 100 }).map((percent) => `${percent}%`)
const subsetsOf = (limit: fc.Arbitrary<number | string | undefined>) =>
  fc
    .array(limit, { minLength: 2, maxLength: 4 })
    .map((limits) =>
      limits.map((max, index) => ({ name: `s${index}`, ...(max !== undefined && { maxReplicas: max }) })),
    )

function spreadOf(subsets: { name: string; maxReplicas?: number | string }[]): WorkloadSpread {
  const targetRef = { apiVersion: 'apps.kruise.io/v1alpha1', kind: 'CloneSet', name: 'web' }
  return {
    apiVersion: 'apps.kruise.io/v1beta1',
    kind: 'WorkloadSpread',
    metadata: { name: 'ws', uid: 'u', resourceVersion: '1', creationTimestamp: '' },
    spec: { targetRef, subsets },
  }
}

const podNamed = (name: string): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, uid: name, resourceVersion: '', creationTimestamp: '' },
  spec: { containers: [] },
})

/** Records pods one after the other, for the given sizes. */
function enterAll(
  spread: WorkloadSpread,
  sizes: readonly number[],
): { rows: SubsetStatus[]; chosen: (string | undefined)[] } {
  let { status } = spread
  const chosen = sizes.map((size, index) => {
    const posting = recordCreation({
      spread: { ...spread, ...(status && { status }) },
      pod: podNamed(`p${index}`),
      size,
      now: NOW,
      uid: () => '',
      rules: ownRules,
    })
    if (posting.changed) ({ status } = posting)
    return posting.row?.name
  })
  return { rows: status?.versionedSubsetStatuses?.[ANY_VERSION] ?? [], chosen }
}

describe('the accounting of the webhook', () => {
  it('never exceeds the limit of a subset, and fills earlier subsets first', () => {
    fc.assert(
      fc.property(subsetsOf(fc.oneof(maxReplicas, shares)), fc.integer({ min: 1, max: 30 }), (subsets, size) => {
        const { rows, chosen } = enterAll(
          spreadOf(subsets),
          Array.from({ length: size }, () => size),
        )
        for (const [index, subset] of subsets.entries()) {
          const limit = limitOf(subset.maxReplicas, size, 'strict')
          const held = chosen.filter((name) => name === subset.name).length
          const most = (limit.ok ? limit.value : 0) ?? Infinity
          expect(held).toBeLessThanOrEqual(most)
          const laterInUse = chosen.some((name) => subsets.findIndex((one) => one.name === name) > index)
          if (laterInUse) expect(held).toBe(most)
        }
        for (const row of rows)
          if (row.missingReplicas >= 0) expect(heldBy(row)).toBe(chosen.filter((name) => name === row.name).length)
      }),
      { seed: 1 },
    )
  })

  it('follows percentages of a growing workload, without a reconcile of the controller', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 5 }), (growth) => {
        const subsets = [
          { name: 'a', maxReplicas: '20%' },
          { name: 'b', maxReplicas: '20%' },
          { name: 'c', maxReplicas: '60%' },
        ]
        let total = 0
        const sizes = growth.flatMap((more) => {
          total += more
          return Array.from({ length: more }, () => total)
        })
        const { chosen } = enterAll(spreadOf(subsets), sizes)
        expect(chosen).not.toContain(undefined)
        for (const { name, maxReplicas: share } of subsets) {
          const limit = limitOf(share, total, 'strict')
          expect(chosen.filter((one) => one === name).length).toBeLessThanOrEqual(limit.ok ? (limit.value ?? 0) : 0)
        }
      }),
      { seed: 2 },
    )
  })

  it('a second reconcile of the controller writes nothing', () => {
    fc.assert(
      fc.property(subsetsOf(maxReplicas), fc.integer({ min: 0, max: 12 }), (subsets, size) => {
        const spread = spreadOf(subsets)
        const { chosen } = enterAll(
          spread,
          Array.from({ length: size }, () => size),
        )
        const pods = chosen.map((subset, index) => [subset ?? '', podNamed(`p${index}`)] as const)
        const byName = Map.groupBy(pods, ([subset]) => subset)
        const groups = new Map([
          [ANY_VERSION, new Map([...byName].map(([subset, list]) => [subset, list.map(([, pod]) => pod)]))],
        ])
        const first = assessSpread({ spread, groups, size, now: NOW, rules: ownRules })
        const second = assessSpread({
          spread: { ...spread, status: first.status },
          groups,
          size,
          now: NOW + 1000,
          rules: ownRules,
        })
        expect(second.changed).toBe(false)
        expect(second.status).toEqual(first.status)
      }),
      { seed: 3 },
    )
  })
})
