import { describe, expect, it } from 'vitest'
import type { FailoverEntryView } from '@/lib/view/failover-model'
import { takeovers } from './blocks'
import { cutAlike, cutTo } from './cut-to'

const entry = (before?: { cluster: string; replicas: number }[]): FailoverEntryView[] => [
  {
    id: 'web',
    failovers: [{ workload: 'web', successors: [{ cluster: 'm2', replicas: 3 }], ...(before && { before }) }],
  } as FailoverEntryView,
]

describe('replicas that a cluster took over', () => {
  it.each([
    ['counted from what it had before', [{ cluster: 'm2', replicas: 2 }], [['web m2', 2]]],
    ['all where it had none', [{ cluster: 'm1', replicas: 3 }], [['web m2', 0]]],
    ['not told without a record of before', undefined, []],
  ])('are %s', (_, before, expected) => {
    expect([...takeovers(entry(before))]).toEqual(expected)
  })
})

describe('a name in a width', () => {
  it.each([
    ['member1', 60, 'member1'],
    ['member-with-a-long-name', 60, 'member-wi…'],
    ['未就绪：没有心跳', 60, '未就绪：…'],
    ['web', 0, '…'],
  ])('%s in %i px is %s', (name, width, expected) => {
    expect(cutTo(name, width)).toBe(expected)
  })
})

describe('names side by side in a width', () => {
  it.each([
    ['whole where all fit', ['member1', 'member2'], 60, ['member1', 'member2']],
    ['their numbers', ['member1', 'member12'], 40, ['…1', '…12']],
    ['what follows the words that they share', ['prod-eu-a7', 'prod-eu-b'], 40, ['…a7', '…b']],
    ['as much of the rest as fits', ['prod-eu-frankfurt', 'prod-eu-paris'], 50, ['…frankf…', '…paris']],
    ['cut at the end where they share no word', ['frankfurt', 'paris', 'london-1'], 40, ['frank…', 'paris', 'londo…']],
    ['never nothing', ['member', 'member1', 'member2'], 24, ['mem…', 'mem…', 'mem…']],
    ['cut at the end where there is one', ['frankfurt-1'], 40, ['frank…']],
  ])('are %s', (_, names, width, expected) => {
    expect(cutAlike(names, width)).toEqual(expected)
  })
})
