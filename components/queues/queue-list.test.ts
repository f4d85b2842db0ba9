import { describe, expect, it } from 'vitest'
import type { AmountView, QueueView } from '@/lib/view/queue-model'
import { selectQueues, shareScale, byFullness, totalsOf } from './queue-list'
import { hold, queue } from './testing/samples'

const lab = queue({
  namespace: 'lab',
  name: 'research',
  pending: 17,
  inFlight: 2,
  hold: hold({ state: 'leaking', by: 'rae' }),
  state: { state: 'warn', reason: '' },
})
const shop = queue({ namespace: 'shop', name: 'line', namespaces: ['shop', 'shop-test'], pending: 4, inFlight: 1 })

const idsOf = (queues: readonly QueueView[]) => queues.map(({ id }) => id)

describe('the list of queues', () => {
  it.each([
    ['', ['lab/research', 'shop/line']],
    ['research', ['lab/research']],
    ['ns=shop-test', ['shop/line']],
    ['hold=yes', ['lab/research']],
    ['hold=leaking', ['lab/research']],
    ['hold=no', ['shop/line']],
    ['by=rae', ['lab/research']],
    ['strategy=strict', []],
    ['-ns=lab', ['shop/line']],
  ])('filtered by “%s” has %j', (filter, ids) => {
    expect(idsOf(selectQueues([lab, shop], { filter, state: undefined }))).toEqual(ids)
  })

  it('keeps one state', () => {
    expect(idsOf(selectQueues([lab, shop], { filter: '', state: 'warn' }))).toEqual(['lab/research'])
  })

  it('adds up', () => {
    expect(totalsOf([lab, shop])).toEqual({ pending: 21, inFlight: 3, onHold: 1 })
  })
})

describe('the scale of shares', () => {
  const share = (part: number, fair: number) => ({ share: { resource: 'cpu', part, fair } })
  it.each([
    [[], 0.05],
    [[{}], 0.05],
    [[share(0.02, 0.04)], 0.05],
    [[share(0.02, 0.33), share(0.1, 0.66)], 1],
    [[share(0.41, 0.5)], 0.5],
    [[share(1.5, 0.5)], 1.5],
  ])('holds every share and every fair share: %j on %d', (queues, scale) => {
    expect(shareScale(queues)).toBe(scale)
  })
})

describe('amounts', () => {
  it('are sorted by relevance', () => {
    const amounts: AmountView[] = [
      { resource: 'replicas', used: 900, borrowed: 0 },
      { resource: 'memory', used: 1, quota: 10, borrowed: 0 },
      { resource: 'cpu', used: 9, quota: 10, borrowed: 0 },
      { resource: 'gpu', used: 3, quota: 2, borrowed: 1 },
      { resource: 'none', used: 0, quota: 0, borrowed: 0 },
    ]
    expect(byFullness(amounts).map(({ resource }) => resource)).toEqual(['gpu', 'none', 'cpu', 'memory', 'replicas'])
  })
})
