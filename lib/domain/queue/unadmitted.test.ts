/** Compares running workloads with the admissions of the queue. */
import { english } from '@/lib/messages/english'
import { expect, test } from 'vitest'
import { planReleases } from './plan-releases'
import { queueSnapshotOf } from './snapshot'
import { queueStatusOf } from './status'
import { Tenants } from './testing/tenants'

const KEY = 'red/line'
const conditionOf = (tenants: Tenants) => {
  const plan = planReleases(
    queueSnapshotOf({
      queues: [...tenants.queues.values()],
      bindings: [...tenants.bindings.values()],
      quotas: [],
      clusters: [],
      priorityClasses: [],
      now: tenants.now,
    }),
  )
  const condition = queueStatusOf(plan, KEY, english.of)?.conditions?.find(({ type }) => type === 'AdmissionBypassed')
  return { condition, steps: plan.steps.map(({ act }) => act) }
}

test('a pending workload with clusters that was not admitted is an alarm, and is not resumed as if it had been admitted', () => {
  const { condition, steps } = conditionOf(
    new Tenants().queue('red', { quota: { hard: { cpu: '0' } } }).submit('red', 'web', { cluster: 'member1' }),
  )
  expect(condition).toMatchObject({
    status: 'True',
    reason: 'PlacedWithoutAdmission',
    message: expect.stringContaining('1 pending workload was scheduled without admission: red/web'),
  })
  expect(steps).not.toContain('Resume')
})

test('one that fits into the quota is admitted in its clusters', () => {
  const { steps } = conditionOf(
    new Tenants().queue('red', { quota: { hard: { cpu: '1' } } }).submit('red', 'web', { cluster: 'member1' }),
  )
  expect(steps).toContain('Resume')
})

test('pending, admitted and scheduled workloads are none', () => {
  const { condition } = conditionOf(
    new Tenants().queue('red').submit('red', 'waits').submit('red', 'runs', { suspended: false, cluster: 'member1' }),
  )
  expect(condition).toBeUndefined()
})
