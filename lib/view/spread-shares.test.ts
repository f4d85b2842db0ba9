import { describe, expect, test } from 'vitest'
import { shareChanges } from './spread-shares'

const at = (replicas: Record<string, number>) =>
  Object.entries(replicas).map(([cluster, count]) => ({ cluster, replicas: count }))
const pools = {
  subsets: [
    { name: 'spot', maxReplicas: '60%', rules: [] },
    { name: 'ondemand', maxReplicas: 3, rules: [] },
    { name: 'rest', rules: [] },
  ],
}

describe('a move changes what shares come to', () => {
  test.each<[sentence: string, before: Record<string, number>, after: Record<string, number>, changes: string[]]>([
    [
      'in the cluster that gains and in the one that loses',
      { m1: 10, m2: 4 },
      { m1: 4, m2: 10 },
      ['m1 10→4: spot 60% 6→3', 'm2 4→10: spot 60% 3→6'],
    ],
    ['not where the size stays', { m1: 10, m2: 4 }, { m1: 10, m2: 5 }, []],
    ['from nothing in a new cluster', { m1: 10 }, { m1: 5, m2: 5 }, ['m1 10→5: spot 60% 6→3', 'm2 0→5: spot 60% 0→3']],
    ['to nothing in a cluster that is left', { m1: 1 }, { m2: 1 }, ['m1 1→0: spot 60% 1→0', 'm2 0→1: spot 60% 0→1']],
    ['not when rounding up gives the same', { m1: 4 }, { m1: 5 }, []],
  ])('%s', (_sentence, before, after, expected) => {
    const told = shareChanges(pools, at(before), at(after)).map(
      ({ cluster, before: from, after: to, subsets }) =>
        `${cluster} ${from}→${to}: ${subsets.map((each) => `${each.name} ${each.share} ${each.before}→${each.after}`).join(', ')}`,
    )
    expect(told).toEqual(expected)
  })

  test('a share that cannot be parsed is left out', () => {
    expect(
      shareChanges({ subsets: [{ name: 'a', maxReplicas: 'half', rules: [] }] }, at({ m1: 2 }), at({ m1: 9 })),
    ).toEqual([])
  })
})
