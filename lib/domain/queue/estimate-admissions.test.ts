import { describe, expect, test } from 'vitest'
import { parseTime } from '@/lib/std/clock'
import type { QueueSpec } from '@/lib/kube/kinds/queue'
import fc from '@/lib/testing/properties'
import { RELEASED_AT_ANNOTATION } from '.'
import { type AdmissionEstimate, estimateAdmissions, MIN_STAYS } from './estimate-admissions'
import { LINE } from './testing/shorthands'
import { START, Tenants } from './testing/tenants'

const STAY = 600
const strict = (spec: QueueSpec = {}) =>
  new Tenants().queue('red', { strategy: 'StrictFIFO', quota: { hard: { cpu: '2' } }, ...spec })
const equal = (seconds: number, count = MIN_STAYS): number[] => Array.from({ length: count }, () => seconds)

/** By the name of the workload; run times in seconds. */
function estimates(tenants: Tenants, stays: readonly number[]): Map<string, AdmissionEstimate> {
  const plan = tenants.plan().queues.find(({ queue }) => queue.key === LINE)!
  const found = estimateAdmissions(plan, { now: tenants.now, stays: stays.map((stay) => stay * 1000) })
  return new Map([...found].map(([key, estimate]) => [key.split('/')[1]!, estimate]))
}

/** `a 10-20`, in seconds after the start. */
const inWords = (tenants: Tenants, stays: readonly number[]): string[] =>
  [...estimates(tenants, stays)].map(([name, estimate]) =>
    estimate.kind === 'between'
      ? `${name} ${(estimate.from - START) / 1000}-${(estimate.to - START) / 1000}`
      : `${name} ${estimate.kind}`,
  )

/** Submits a workload and runs the queue and the scheduler. */
function submit(tenants: Tenants, name: string, cpu: string): Tenants {
  tenants.submit('red', name, { cpu }).pass()
  return tenants.schedule()
}

describe('when a workload is likely to be admitted', () => {
  test('follows from the ends of running workloads, in the order of the queue', () => {
    const tenants = submit(strict(), 'r1', '1').wait(100)
    for (const [name, cpu] of [
      ['r2', '1'],
      ['a', '1'],
      ['b', '2'],
      ['c', '1'],
    ] as const)
      submit(tenants, name, cpu)
    // a: when r1 ends; b needs the end of a; c that of b.
    expect(inWords(tenants, equal(STAY))).toEqual(['a 600-600', 'b 1200-1200', 'c 1800-1800'])
  })

  test('is a range if workloads ran for different times', () => {
    const tenants = submit(submit(strict(), 'r1', '2'), 'a', '1')
    const stays = [60, 100, 200, 300, 400, 500, 600, 700, 800, 900, 3600]
    expect(inWords(tenants, stays)).toEqual(['a 100-900'])
    // For a workload that already runs for long, only longer run times count.
    tenants.wait(650)
    expect(inWords(tenants, stays)).toEqual(['a 700-3600'])
    tenants.wait(300)
    expect(inWords(tenants, stays)).toEqual(['a unknown'])
  })

  test('a smaller workload may overtake if the queue allows it', () => {
    const fill = (strategy: 'StrictFIFO' | 'BestEffortFIFO') => {
      const tenants = submit(strict({ strategy }), 'r1', '1').wait(100)
      return submit(submit(submit(tenants, 'r2', '1'), 'large', '2'), 'small', '1')
    }
    expect(inWords(fill('StrictFIFO'), equal(STAY))).toEqual(['large 700-700', 'small 1300-1300'])
    expect(inWords(fill('BestEffortFIFO'), equal(STAY))).toEqual(['large 1200-1200', 'small 600-600'])
  })

  test('waits for one that was queued much earlier, as the queue does', () => {
    const tenants = submit(strict({ strategy: 'BestEffortFIFO' }), 'r1', '1').wait(100)
    submit(submit(tenants, 'r2', '1'), 'large', '2').wait(601)
    submit(tenants, 'small', '1')
    expect(inWords(tenants, equal(2 * STAY))).toEqual(['large 1300-1300', 'small 2500-2500'])
  })

  test.each<[string, (tenants: Tenants) => Tenants, string[]]>([
    ['held', (tenants) => tenants.change('red', { spec: { hold: { reason: 'audit' } } }), ['a held']],
    [
      'larger than the quota',
      (tenants) => tenants.change('red', { spec: { quota: { hard: { cpu: '500m' } } } }),
      ['a never'],
    ],
    [
      'suspended by a user',
      (tenants) =>
        tenants.edit('red/a', {
          metadata: { annotations: { 'queue.evenkeel.io/suspended-by': 'ann 2026-01-02T00:00:00Z' } },
        }),
      ['a suspended'],
    ],
    ['admitted in this pass', (tenants) => tenants.finish('red/r1'), ['a now']],
    [
      'in a queue that may borrow',
      (tenants) => tenants.change('red', { spec: { quota: { borrowingLimit: {} } } }),
      ['a unknown'],
    ],
    [
      'in need of capacity',
      (tenants) => tenants.change('red', { spec: { quota: { hard: { cpu: '9' } } } }).fleet('2'),
      ['a unknown'],
    ],
  ])('says so of one that is %s', (_, change, expected) => {
    const tenants = submit(submit(strict(), 'r1', '2'), 'a', '1')
    expect(inWords(change(tenants), equal(STAY))).toEqual(expected)
  })

  test('is unknown without enough ended workloads, and behind one that is never admitted', () => {
    const tenants = submit(submit(strict(), 'r1', '2'), 'a', '1')
    expect(inWords(tenants, equal(STAY, MIN_STAYS - 1))).toEqual(['a unknown'])
    const blocked = submit(submit(submit(strict(), 'r1', '2'), 'huge', '3'), 'late', '1')
    expect(inWords(blocked, equal(STAY))).toEqual(['huge never', 'late unknown'])
  })
})

const request = fc.record({ cpu: fc.integer({ min: 1, max: 3 }), waited: fc.integer({ min: 0, max: 90 }) })
const requests = fc.array(request, { minLength: 2, maxLength: 12 })
const strategy = fc.constantFrom<QueueSpec['strategy']>('StrictFIFO', 'BestEffortFIFO')

function filled(list: readonly { cpu: number; waited: number }[], spec: QueueSpec): Tenants {
  const tenants = strict({ quota: { hard: { cpu: '4' } }, ...spec })
  list.forEach(({ cpu, waited }, at) => submit(tenants.wait(waited), `w${at}`, String(cpu)))
  return tenants
}

/** Admission times in milliseconds, if every workload runs for the same time. */
function comeTrue(tenants: Tenants, seconds: number): Map<string, number> {
  const admitted = new Map<string, number>()
  for (;;) {
    for (const [key, { metadata }] of tenants.bindings) {
      const at = metadata.annotations?.[RELEASED_AT_ANNOTATION]
      if (at) admitted.set(key.split('/')[1]!, parseTime(at))
    }
    const running = [...tenants.bindings.keys()].filter((key) => admitted.has(key.split('/')[1]!))
    if (running.length === 0) return admitted
    const endOf = (key: string): number => admitted.get(key.split('/')[1]!)! + seconds * 1000
    tenants.now = Math.min(...running.map(endOf))
    for (const key of running.filter((each) => endOf(each) <= tenants.now)) tenants.finish(key)
    tenants.pass()
    tenants.schedule()
  }
}

describe('for any pending workloads', () => {
  test('the estimate is correct if workloads run as long as before', () => {
    fc.assert(
      fc.property(requests, strategy, (list, chosen) => {
        const seconds = 1200
        const tenants = filled(list, { strategy: chosen })
        const prediction = estimates(tenants, equal(seconds))
        const happened = comeTrue(tenants, seconds)
        for (const [name, estimate] of prediction) {
          const at = happened.get(name)
          expect(estimate).toEqual({ kind: 'between', from: at, to: at })
        }
      }),
      { numRuns: 60 },
    )
  })

  test('a later position is never estimated earlier, unless a smaller request may overtake', () => {
    const stays = fc.array(fc.integer({ min: 1, max: 3000 }), { minLength: 3, maxLength: 20 })
    fc.assert(
      fc.property(requests, strategy, stays, (list, chosen, durations) => {
        const tenants = filled(list, { strategy: chosen })
        const known = [...estimates(tenants, durations)]
        const cpuOf = (name: string): number => list[Number(name.slice(1))]!.cpu
        known.forEach(([name, estimate], at) => {
          for (const [behind, later] of known.slice(at + 1)) {
            const mayPass = chosen !== 'StrictFIFO' && cpuOf(behind) < cpuOf(name)
            if (mayPass || later.kind !== 'between') continue
            expect(estimate.kind).toBe('between')
            if (estimate.kind !== 'between') continue
            expect(later.from).toBeGreaterThanOrEqual(estimate.from)
            expect(later.to).toBeGreaterThanOrEqual(estimate.to)
          }
        })
      }),
    )
  })
})
