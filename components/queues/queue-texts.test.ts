import { describe, expect, it } from 'vitest'
import { english } from '@/lib/messages/english'
import {
  amountSentence,
  demandWords,
  formatAmount,
  HOLD_STATES,
  holdMark,
  resourceWord,
  shareSentence,
} from './queue-texts'

describe('the mark of a hold', () => {
  it('has a word and a shape of its own for each state, and never that of a healthy object', () => {
    const marks = HOLD_STATES.map((state) => holdMark(english, { state }))
    expect(new Set(marks.map(({ word }) => word)).size).toBe(5)
    expect(new Set(marks.map(({ state }) => state)).size).toBe(5)
    expect(marks.map(({ state }) => state)).not.toContain('ok')
  })

  it('names the client that undoes it', () => {
    const undoneBy = { who: 'volcano-global', times: 3, released: [] }
    expect(holdMark(english, { state: 'undone', undoneBy }).word).toBe('Undone by volcano-global')
    expect(holdMark(english, { state: 'undone' }).word).toBe('Undone')
    expect(holdMark(english, { state: 'leaking', undoneBy }).word).toBe('Leaking')
  })
})

describe('amounts', () => {
  it.each([
    ['cpu', 1500, '1.5'],
    ['requests.cpu', 250, '0.25'],
    ['memory', 2 ** 30, '1 GiB'],
    ['limits.memory', 512 * 2 ** 20, '512 MiB'],
    ['hugepages-2Mi', 2 ** 21, '2 MiB'],
    ['replicas', 1200, '1,200'],
    ['nvidia.com/gpu', 3, '3'],
    ['example.com/memory', 1024, '1,024'],
  ])('of %s: %d reads %s', (resource, amount, words) => {
    expect(formatAmount(english, resource, amount)).toBe(words)
  })

  it('have the names of their resources', () => {
    const names = ['cpu', 'requests.cpu', 'limits.memory', 'nvidia.com/gpu'].map((name) => resourceWord(english, name))
    expect(names).toEqual(['CPU', 'CPU', 'memory', 'nvidia.com/gpu'])
  })

  it.each([
    [
      [
        { resource: 'cpu', amount: 4000 },
        { resource: 'memory', amount: 2 ** 31 },
      ],
      '4 CPU · 2 GiB memory',
    ],
    [[{ resource: 'replicas', amount: 1 }], '1 replica'],
    [[{ resource: 'replicas', amount: 2 }], '2 replicas'],
    [[], 'none'],
  ])('of the request %j read %s', (demand, words) => {
    expect(demandWords(english, demand)).toBe(words)
  })

  it.each([
    [{ resource: 'cpu', used: 3000, quota: 4000, borrowed: 0 }, '3 of 4 CPU used'],
    [{ resource: 'cpu', used: 5000, quota: 4000, borrowed: 1000 }, '5 of 4 CPU used, 1 CPU borrowed'],
    [{ resource: 'memory', used: 2 ** 30, borrowed: 0 }, '1 GiB memory used'],
  ])('of the quota %j read %s', (amount, words) => {
    expect(amountSentence(english, amount)).toBe(words)
  })
})

it.each([
  [{ resource: 'cpu', part: 0.12 }, 'Uses 12% of the shared CPU.'],
  [{ resource: 'cpu', part: 0.12, fair: 0.5 }, 'Uses 12% of the shared CPU; fair share 50%.'],
  [{ resource: 'memory', part: 0.7, fair: 0.5 }, 'Uses 70% of the shared memory; fair share 50%, exceeded by 20%.'],
])('the share %j reads %s', (share, words) => {
  expect(shareSentence(english, share)).toBe(words)
})
