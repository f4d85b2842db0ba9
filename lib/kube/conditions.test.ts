import { describe, expect, it } from 'vitest'
import { findCondition, isConditionTrue, removeCondition, setCondition } from './conditions'
import type { Condition } from './object'
import { firstUntolerated, formatTaint, tolerates } from './taint'

const at = (minute: number) => `2026-01-01T00:0${minute}:00Z`
const ready: Condition = { type: 'Ready', status: 'True', reason: 'Fine', message: 'm', lastTransitionTime: at(0) }
const other: Condition = { ...ready, type: 'Other' }

describe('setCondition', () => {
  it.each<[string, Condition[], Partial<Condition>, Condition[]]>([
    ['appends a new one', [other], {}, [other, { ...ready, lastTransitionTime: at(1) }]],
    [
      'keeps the time while the status stays',
      [ready, other],
      { reason: 'Better' },
      [{ ...ready, reason: 'Better' }, other],
    ],
    [
      'moves the time with the status',
      [other, ready],
      { status: 'False' },
      [other, { ...ready, status: 'False', lastTransitionTime: at(1) }],
    ],
  ])('%s', (_, before, change, after) => {
    const { lastTransitionTime: _time, ...update } = { ...ready, ...change }
    expect(setCondition(before, update, at(1))).toEqual(after)
  })

  it('gives back the same list when nothing changes', () => {
    const list = [ready]
    const { lastTransitionTime: _time, ...update } = ready
    expect(setCondition(list, update, at(1))).toBe(list)
  })

  it('is undone by removeCondition', () => {
    expect(removeCondition([ready, other], 'Ready')).toEqual([other])
    expect(findCondition([ready], 'Gone')).toBeUndefined()
    expect(isConditionTrue([ready], 'Ready')).toBe(true)
    expect(isConditionTrue(undefined, 'Ready')).toBe(false)
  })
})

describe('a toleration', () => {
  const taint = { key: 'k', value: 'v', effect: 'NoExecute' }
  it.each([
    [{}, false],
    [{ operator: 'Exists' }, true],
    [{ key: 'k', value: 'v' }, true],
    [{ key: 'k', operator: 'Equal', value: 'x' }, false],
    [{ key: 'k', operator: 'Exists', effect: 'NoSchedule' }, false],
    [{ value: 'v' }, true],
    [{ key: 'k', operator: 'Gt', value: 'v' }, false],
  ])('%j covers the taint: %s', (toleration, covers) => {
    expect(tolerates(toleration, taint)).toBe(covers)
  })

  it('of a taint without value needs no value', () => {
    expect(tolerates({ value: '' }, { key: 'k', effect: 'NoSchedule' })).toBe(true)
  })

  it('leaves the first taint of the asked effects that none covers', () => {
    const taints = [{ key: 'a', effect: 'PreferNoSchedule' }, { key: 'b', effect: 'NoSchedule' }, taint]
    expect(firstUntolerated(taints, [{ key: 'b', operator: 'Exists' }], ['NoSchedule', 'NoExecute'])).toBe(taint)
    expect(formatTaint(taint)).toBe('k=v:NoExecute')
    expect(formatTaint(taints[0]!)).toBe('a:PreferNoSchedule')
  })
})
