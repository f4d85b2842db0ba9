import { expect, test } from 'vitest'
import type { AmountView, PendingView } from '@/lib/view/queue-model'
import { blocksOf, laneAmount, laneScales, MAX_BLOCKS, NARROWEST } from './lane-model'

const amount = (resource: string, used: number, quota?: number): AmountView => ({
  resource,
  used,
  borrowed: 0,
  ...(quota !== undefined && { quota }),
})
const waits = (position: number, demand: Record<string, number>): PendingView => ({
  id: `w${position}`,
  ref: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'lab', name: `w${position}` },
  position,
  priority: 0,
  since: '2026-01-01T00:00:00Z',
  demand: Object.entries(demand).map(([resource, value]) => ({ resource, amount: value })),
  reason: 'QuotaExceeded',
  message: { code: 'common.never' },
  next: false,
})

test('a lane is drawn in its fullest limited resource, and lanes of one resource share a scale', () => {
  const queues = [
    { amounts: [amount('memory', 1, 100), amount('cpu', 3, 4)] },
    { amounts: [amount('cpu', 9, 8)] },
    { amounts: [] },
  ]
  expect(queues.map((queue) => laneAmount(queue)?.resource)).toEqual(['cpu', 'cpu', undefined])
  expect([...laneScales(queues)]).toEqual([['cpu', 9]])
})

test('the width of a block follows its request, also where the quota names it otherwise', () => {
  const blocks = blocksOf([waits(1, { cpu: 4000 }), waits(2, { cpu: 2000 }), waits(3, { memory: 1 })], 'requests.cpu')
  expect(blocks.map(({ request }) => request)).toEqual([4000, 2000, undefined])
  expect(blocks[0]!.width).toBe(2 * blocks[1]!.width)
  expect(blocks[2]!.width).toBe(NARROWEST)
})

test('a long queue is cut in its order', () => {
  const many = Array.from({ length: 40 }, (_, at) => waits(at + 1, { cpu: 1 }))
  expect(blocksOf(many, 'cpu').map(({ pending }) => pending.position)).toEqual(
    Array.from({ length: MAX_BLOCKS }, (_, at) => at + 1),
  )
})
