import { describe, expect, it } from 'vitest'
import { english } from '@/lib/messages/english'
import type { State } from '@/lib/view/model'
import type { RebalanceStage, RebalanceTargetView } from '@/lib/view/rebalance-model'
import { reached, resultWord, STAGES, stepState } from './stages'

const target = (stage: RebalanceStage, state: State = 'active'): RebalanceTargetView => ({
  id: stage,
  ref: { apiVersion: 'apps/v1', kind: 'Deployment', name: stage },
  stage,
  state: { state, reason: '' },
})
const steps = (each: RebalanceTargetView) => STAGES.map((step) => stepState(each, step))

describe('the steps of a target', () => {
  const cases: [name: string, target: RebalanceTargetView, steps: (State | 'none')[]][] = [
    ['wait for the trigger', target('pending'), ['active', 'none', 'none', 'none']],
    ['wait for the scheduler', target('triggered'), ['ok', 'active', 'none', 'none']],
    ['say that they are held', target('triggered', 'held'), ['ok', 'held', 'none', 'none']],
    ['wait for replicas', target('applied'), ['ok', 'ok', 'ok', 'active']],
    ['are all done', target('healthy', 'ok'), ['ok', 'ok', 'ok', 'ok']],
    ['end with a failure', target('failed', 'fail'), ['fail', 'none', 'none', 'none']],
  ]
  it.each(cases)('%s', (_name, each, expected) => {
    expect(steps(each)).toEqual(expected)
  })
})

describe('counting stages', () => {
  it('counts a target in every stage that it has passed', () => {
    const counts = { pending: 9, triggered: 4, scheduled: 0, applied: 2, healthy: 1, failed: 9 }
    expect(STAGES.map((stage) => reached(counts, stage))).toEqual([7, 3, 3, 1])
  })
})

describe('from the API', () => {
  it.each([
    ['Successful', 'Trigger written'],
    ['Failed', 'Failed'],
    [undefined, 'Not reported'],
  ])('%s is "%s"', (result, word) => {
    expect(resultWord(english, result)).toBe(word)
  })
})
