import { expect, test } from 'vitest'
import type { z } from 'zod'
import type { QueueDetailView, QueueView } from '../queue-model'
import { createQueueOrder, holdOrder, queueDetailSchema, queueSchema } from './queues'

const same = <S extends z.ZodType, V>(
  _schema: S,
  ..._proof: z.infer<S> extends V ? (V extends z.infer<S> ? [] : ['the view has more']) : ['the schema has more']
): void => undefined

test('a schema of the document is its view model', () => {
  same<typeof queueSchema, QueueView>(queueSchema)
  same<typeof queueDetailSchema, QueueDetailView>(queueDetailSchema)
})

test.each([
  ['without a reason', {}, 'reason'],
  ['with an empty reason', { reason: '  ' }, 'reason'],
  ['with an end that is no time', { reason: 'audit', until: 'tomorrow' }, 'until'],
  ['with a field that nobody knows', { reason: 'audit', by: 'me' }, ''],
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
