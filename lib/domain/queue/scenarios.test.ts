/** Whole runs, stored as text beside this file, one reconcile at a time. */
import { expect, test } from 'vitest'
import { formatTime } from '@/lib/std/clock'
import { Tenants } from './testing/tenants'

async function tell(tenants: Tenants, scenario: string): Promise<void> {
  await expect([...tenants.lines, ''].join('\n')).toMatchFileSnapshot(`testing/scenarios/${scenario}.txt`)
}

const placed = (tenants: Tenants, namespace: string): string[] =>
  [...tenants.bindings]
    .filter(([key, { spec }]) => key.startsWith(`${namespace}/`) && spec.clusters?.length)
    .map(([key]) => key)
    .sort()

test('scenario 1: tenants of different weight share a small fleet, and inside each the important ones go first', async () => {
  const tenants = new Tenants().fleet('6').queue('red', { weight: 2 }).queue('blue', { weight: 1 })
  for (const name of ['a', 'b', 'c', 'd']) tenants.wait(1).submit('red', `red-${name}`).submit('blue', `blue-${name}`)
  tenants.wait(1).submit('red', 'red-urgent', { priority: 100 })
  tenants.pass()
  tenants.schedule()
  expect(placed(tenants, 'red')).toEqual(['red/red-a', 'red/red-b', 'red/red-c', 'red/red-urgent'])
  expect(placed(tenants, 'blue')).toEqual(['blue/blue-a', 'blue/blue-b'])
  tenants.wait(60).pass()
  tenants.finish('blue/blue-a').wait(1).pass()
  tenants.schedule().finish('red/red-urgent').finish('red/red-a').wait(1).pass()
  tenants.schedule()
  expect(placed(tenants, 'red')).toEqual(['red/red-b', 'red/red-c', 'red/red-d'])
  await tell(tenants, 'priority-with-fairness')
})

test('scenario 2: each tenant has a quota, borrows what others leave unused, and gets its own back first', async () => {
  const hard = { cpu: '4' }
  const tenants = new Tenants()
    .queue('red', { quota: { hard, borrowingLimit: { cpu: '2' } } })
    .queue('blue', { quota: { hard } })
  for (const name of ['a', 'b', 'c', 'd']) tenants.wait(1).submit('red', name, { cpu: '2' })
  tenants.pass()
  tenants.schedule()
  expect(placed(tenants, 'red')).toEqual(['red/a', 'red/b', 'red/c'])
  tenants.wait(10).submit('blue', 'x', { cpu: '4' }).pass()
  tenants.submit('red', 'small', { cpu: '500m' }).wait(1).pass()
  tenants.finish('red/a').wait(1).pass()
  tenants.schedule()
  expect(placed(tenants, 'blue')).toEqual(['blue/x'])
  expect(placed(tenants, 'red')).toEqual(['red/b', 'red/c'])
  tenants.finish('red/b').wait(1).pass()
  await tell(tenants, 'quota-of-tenants')
})

test('a hold: what is in flight is suspended again, another client undoes it, and it is resumed in stages', async () => {
  const tenants = new Tenants().queue('red', { maxInFlight: 2 })
  for (const name of ['a', 'b', 'c', 'd', 'e']) tenants.wait(1).submit('red', name)
  tenants.pass()
  tenants.wait(5).change('red', { spec: { hold: { reason: 'migration', by: 'ann', since: formatTime(tenants.now) } } })
  tenants.pass()
  tenants.wait(1).pass()
  tenants
    .wait(10)
    .edit('red/c', {
      metadata: {
        managedFields: [
          {
            manager: 'vc-controller',
            operation: 'Update',
            time: formatTime(tenants.now),
            fieldsV1: { 'f:spec': { 'f:suspension': { 'f:scheduling': {} } } },
          },
        ],
      },
      spec: { suspension: { scheduling: false } },
    })
  tenants.say('vc-controller releases red/c')
  tenants.pass()
  tenants.wait(400).pass()
  tenants.change('red', { spec: { hold: { resume: { step: 2 } } } }).pass()
  tenants.wait(1).pass()
  for (let turn = 0; turn < 3; turn++) {
    tenants.wait(1).schedule()
    tenants.wait(1).pass()
  }
  expect(placed(tenants, 'red')).toHaveLength(5)
  expect(tenants.queues.get('red/line')?.spec?.hold).toBeUndefined()
  expect(tenants.queues.get('red/line')?.status?.lastHold).toMatchObject({ reason: 'migration', by: 'ann' })
  await tell(tenants, 'hold-and-resume')
})

test('a queue is deleted: pending workloads are admitted in order, and only then it is deleted', async () => {
  const tenants = new Tenants().queue(
    'red',
    { quota: { hard: { cpu: '1' } } },
    { finalizers: ['queue.evenkeel.io/line'] },
  )
  for (const name of ['a', 'b', 'c']) tenants.wait(1).submit('red', name)
  tenants.pass()
  tenants.change('red', { metadata: { deletionTimestamp: formatTime(tenants.now) } }).pass()
  expect([...tenants.bindings.values()].map(({ spec }) => spec.suspension?.scheduling)).toEqual([false, false, false])
  tenants.wait(1).pass()
  expect(tenants.queues.size).toBe(0)
  await tell(tenants, 'queue-deleted')
})
