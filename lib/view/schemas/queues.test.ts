import { expect, test } from 'vitest'
import { createQueueOrder, holdOrder } from './queues'

test.each([
  ['without a reason', {}, 'reason'],
  ['with an empty reason', { reason: '  ' }, 'reason'],
  ['with an end that is no time', { reason: 'audit', until: 'tomorrow' }, 'until'],
  ['with an unknown field', { reason: 'audit', by: 'me' }, ''],
])('a hold %s is refused', (_, body, field) => {
  expect(holdOrder.safeParse(body).error?.issues[0]?.path.join('.')).toBe(field)
})

test.each([
  ['a negative quota', { quota: { hard: { cpu: '-1' } } }, 'spec.quota.hard.cpu'],
  [
    'a quota that is no quantity',
    { quota: { borrowingLimit: { memory: 'much' } } },
    'spec.quota.borrowingLimit.memory',
  ],
  ['no weight', { weight: 0 }, 'spec.weight'],
  ['a name that is none', { namespaces: ['A_B'] }, 'spec.namespaces.0'],
  ['nothing in flight', { maxInFlight: 0 }, 'spec.maxInFlight'],
])('a queue with %s is refused', (_, spec, field) => {
  expect(createQueueOrder.safeParse({ namespace: 'red', name: 'line', spec }).error?.issues[0]?.path.join('.')).toBe(
    field,
  )
})
