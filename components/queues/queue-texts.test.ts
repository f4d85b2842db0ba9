import { describe, expect, it } from 'vitest'
import { demandWords, formatAmount, HOLD_STATES, holdMark, ordinal, resourceWord, shareWords } from './queue-texts'

describe('the mark of a pause', () => {
  it('has a word and a shape of its own for each state', () => {
    const marks = HOLD_STATES.map((state) => holdMark({ state }))
    expect(new Set(marks.map(({ word }) => word)).size).toBe(5)
    expect(new Set(marks.map(({ state }) => state)).size).toBe(5)
  })

  it('is never that of what is well', () => {
    expect(HOLD_STATES.filter((state) => holdMark({ state }).state === 'ok')).toEqual([])
  })

  it('names who undoes it', () => {
    const undoneBy = { who: 'volcano-global', times: 3, released: [] }
    expect(holdMark({ state: 'undone', undoneBy }).word).toBe('Undone by volcano-global')
    expect(holdMark({ state: 'undone' }).word).toBe('Undone')
    expect(holdMark({ state: 'leaking', undoneBy }).word).toBe('Leaking')
  })
})

describe('amounts', () => {
  it.each([
    ['cpu', 1500, '1.5'], ['requests.cpu', 250, '0.25'], ['memory', 2 ** 30, '1 GiB'], ['limits.memory', 512 * 2 ** 20, '512 MiB'],
    ['hugepages-2Mi', 2 ** 21, '2 MiB'], ['replicas', 1200, '1,200'], ['nvidia.com/gpu', 3, '3'], ['example.com/memory', 1024, '1,024'],
  ])('of %s: %d reads %s', (resource, amount, words) => {
    expect(formatAmount(resource, amount)).toBe(words)
  })

  it('are named as people say it', () => {
    expect(['cpu', 'requests.cpu', 'limits.memory', 'nvidia.com/gpu'].map(resourceWord)).toEqual(['CPU', 'CPU', 'memory', 'nvidia.com/gpu'])
  })

  it('of a demand stand in one line', () => {
    expect(demandWords([{ resource: 'cpu', amount: 4000 }, { resource: 'memory', amount: 2 ** 31 }])).toBe('4 CPU · 2 GiB memory')
    expect(demandWords([{ resource: 'replicas', amount: 1 }])).toBe('1 replica')
    expect(demandWords([{ resource: 'replicas', amount: 2 }])).toBe('2 replicas')
    expect(demandWords([])).toBe('nothing')
  })
})

describe('a share', () => {
  it.each([[0, '0%'], [0.0001, '0.1%'], [0.004, '0.4%'], [0.125, '13%'], [1, '100%'], [1.25, '125%']])('of %d reads %s', (part, words) => {
    expect(shareWords(part)).toBe(words)
  })
})

describe('a place in line', () => {
  it.each([[1, '1st'], [2, '2nd'], [3, '3rd'], [4, '4th'], [11, '11th'], [12, '12th'], [113, '113th'], [121, '121st'], [1002, '1,002nd']])('%d reads %s', (position, words) => {
    expect(ordinal(position)).toBe(words)
  })
})
