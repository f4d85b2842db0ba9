import { describe, expect, it } from 'vitest'
import { taintsInShort, taintText } from './cluster-words'

const taint = (effect: string) => ({ key: 'cluster.karmada.io/not-ready', effect })

describe('taints in short', () => {
  const cases: [name: string, effects: string[], words: string][] = [
    ['are a dash when there are none', [], '—'],
    ['are the effect of the only one', ['NoSchedule'], 'NoSchedule'],
    [
      'are the strongest effect and the number of the others',
      ['NoSchedule', 'NoExecute', 'PreferNoSchedule'],
      'NoExecute +2',
    ],
    ['keep an unknown effect', ['Sometimes'], 'Sometimes'],
  ]
  it.each(cases)('%s', (_name, effects, words) => {
    expect(taintsInShort(effects.map(taint))).toBe(words)
  })
})

describe('one taint', () => {
  it('reads as kubectl writes it', () => {
    expect(taintText({ key: 'team', value: 'a', effect: 'NoSchedule' })).toBe('team=a:NoSchedule')
    expect(taintText(taint('NoExecute'))).toBe('cluster.karmada.io/not-ready:NoExecute')
  })
})
