import { expect, test } from 'vitest'
import { parseTime } from '../../std/clock'
import { type CronHistory, type CronRule, planCronRules, withExecution } from './cron-rules'

const rule = (fields: Partial<CronRule> = {}): CronRule => ({ name: 'up', schedule: '*/5 * * * *', ...fields })
const plan = (rules: CronRule[], executionHistories: CronHistory[], now: string) =>
  planCronRules(
    { spec: { rules, scaleTargetRef: { kind: 'Deployment', name: 'web' } }, status: { executionHistories } },
    parseTime(now),
  )

test('a new rule is due at its next time, not at once', () => {
  const { due, histories, next } = plan([rule()], [], '2026-01-01T00:02:00Z')
  expect(due).toEqual([])
  expect(histories).toEqual([{ ruleName: 'up', nextExecutionTime: '2026-01-01T00:05:00Z' }])
  expect(next).toBe(parseTime('2026-01-01T00:05:00Z'))
})

test('a rule is due once its time has come, and then at the next', () => {
  const history = { ruleName: 'up', nextExecutionTime: '2026-01-01T00:05:00Z' }
  const { due, histories } = plan([rule()], [history], '2026-01-01T00:05:01Z')
  expect(due).toEqual([{ rule: rule(), at: parseTime('2026-01-01T00:05:00Z') }])
  expect(histories[0]?.nextExecutionTime).toBe('2026-01-01T00:10:00Z')
})

test('a time that was missed long ago is not made up for', () => {
  const history = { ruleName: 'up', nextExecutionTime: '2026-01-01T00:05:00Z' }
  expect(plan([rule()], [history], '2026-01-01T00:07:00Z').due).toEqual([])
})

test.each([
  ['suspended', rule({ suspend: true })],
  ['unreadable', rule({ schedule: 'sometimes' })],
])('a rule that is %s has no next time and is never due', (_, one) => {
  const history = { ruleName: 'up', nextExecutionTime: '2026-01-01T00:05:00Z' }
  expect(plan([one], [history], '2026-01-01T00:05:00Z')).toEqual({
    due: [],
    histories: [{ ruleName: 'up' }],
    next: undefined,
  })
})

test('a changed schedule replaces the time, and a rule that went leaves no history', () => {
  const histories = [
    { ruleName: 'gone', nextExecutionTime: '2026-01-01T00:05:00Z' },
    { ruleName: 'up', nextExecutionTime: '2026-01-01T00:05:00Z' },
  ]
  const planned = plan([rule({ schedule: '0 * * * *' })], histories, '2026-01-01T00:01:00Z')
  expect(planned.histories).toEqual([{ ruleName: 'up', nextExecutionTime: '2026-01-01T01:00:00Z' }])
})

test.each([
  ['Asia/Shanghai', '2026-06-01T00:00:00Z', '2026-06-01T01:00:00Z'],
  ['Europe/Berlin', '2026-03-28T12:00:00Z', '2026-03-29T07:00:00Z'],
  ['Not/AZone', '2026-06-01T00:00:00Z', '2026-06-01T09:00:00Z'],
])('nine in the morning in %s', (timeZone, now, expected) => {
  expect(plan([rule({ schedule: '0 9 * * *', timeZone })], [], now).histories[0]?.nextExecutionTime).toBe(expected)
})

test('executions are kept newest first, within the limits of the rule', () => {
  const one = rule({ targetReplicas: 4, successfulHistoryLimit: 2, failedHistoryLimit: 1 })
  const at = parseTime('2026-01-01T00:05:00Z')
  let histories: CronHistory[] = [{ ruleName: 'up' }]
  for (const failure of [undefined, 'first', 'second', undefined, undefined]) {
    histories = withExecution(histories, { rule: one, at, failure }, at + histories.length * 1000)
  }
  const time = { scheduleTime: '2026-01-01T00:05:00Z', executionTime: '2026-01-01T00:05:01Z' }
  expect(histories).toEqual([
    {
      ruleName: 'up',
      successfulExecutions: [
        { ...time, appliedReplicas: 4 },
        { ...time, appliedReplicas: 4 },
      ],
      failedExecutions: [{ ...time, message: 'second' }],
    },
  ])
})
