import { describe, expect, it } from 'vitest'
import type { PlanRunTargetView, PlanStage } from '@/lib/view/rebalance-model'
import { PLAN_STEPS, planStepState } from './plan-words'

const target = (stage: PlanStage): PlanRunTargetView => ({
  id: 'web',
  ref: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
  stage,
  state: { state: 'active', reason: '' },
  before: [],
  predicted: [],
  moved: 0,
  ready: {},
})

describe('the steps of a workload in a plan', () => {
  const rows: [PlanStage, string][] = [
    ['Pending', 'none none none none none'],
    ['Triggered', 'ok active none none none'],
    ['Applied', 'ok ok ok active none'],
    ['Healthy', 'ok ok ok ok active'],
    ['Done', 'ok ok ok ok ok'],
    ['Skipped', 'none none none none none'],
    ['Failed', 'fail none none none none'],
  ]
  it.each(rows)('of one that is %s are %s', (stage, marks) => {
    expect(PLAN_STEPS.map((step) => planStepState(target(stage), step)).join(' ')).toBe(marks)
  })
})
