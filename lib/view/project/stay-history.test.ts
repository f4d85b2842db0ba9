import { expect, test } from 'vitest'
import type { CauseCode } from '@/lib/domain/cause'
import type { JournalEntry } from '../journal'
import { StayHistory } from './stay-history'

const START = Date.UTC(2026, 10, 21)
const here = [{ cluster: 'm1', replicas: 1 }]

interface Told {
  second: number
  name?: string
  namespace?: string
  late?: true
}

const placement = (
  { second, name = 'web', namespace = 'demo', late }: Told,
  trigger: CauseCode,
  isHere: boolean,
): JournalEntry => ({
  seq: second,
  at: new Date(START + second * 1000).toISOString(),
  what: 'placement',
  workload: `apps~v1/Deployment/${namespace}/${name}`,
  trigger,
  before: isHere ? [] : here,
  after: isHere ? here : [],
  ...(late && { late }),
})
const placed = (told: Told) => placement(told, 'first placement', true)
const deleted = (told: Told) => placement(told, 'deletion', false)

function staysAfter(entries: readonly JournalEntry[], namespaces = ['demo']): number[] {
  const history = new StayHistory()
  for (const entry of entries) history.note(entry)
  return history.staysIn(namespaces).map((stay) => stay / 1000)
}

test('a stay lasts from the first placement to the deletion, by namespace', () => {
  const entries = [
    placed({ second: 10 }),
    placed({ second: 20, namespace: 'other' }),
    placed({ second: 30, name: 'api' }),
    deleted({ second: 70 }),
    deleted({ second: 80, namespace: 'other' }),
  ]
  expect(staysAfter(entries)).toEqual([60])
  expect(staysAfter(entries, ['demo', 'other', 'none'])).toEqual([60, 60])
})

test('losing all clusters for a time ends no stay, and a new workload of the same name begins anew', () => {
  const lost = placement({ second: 20 }, 'cluster failover', false)
  expect(staysAfter([placed({ second: 10 }), lost, placed({ second: 30 }), deleted({ second: 40 })])).toEqual([30])
  expect(
    staysAfter([placed({ second: 10 }), deleted({ second: 20 }), placed({ second: 50 }), deleted({ second: 55 })]),
  ).toEqual([10, 5])
})

test('what began or ended unobserved does not count', () => {
  expect(staysAfter([deleted({ second: 20 })])).toEqual([])
  expect(staysAfter([placed({ second: 10, late: true }), deleted({ second: 20 })])).toEqual([])
  expect(staysAfter([placed({ second: 10 }), deleted({ second: 20, late: true }), deleted({ second: 30 })])).toEqual([])
})

test('memory is bounded: the latest stays of a namespace remain', () => {
  const many = Array.from({ length: 300 }, (_, at) => [
    placed({ second: at * 1000 }),
    deleted({ second: at * 1000 + at }),
  ])
  const stays = staysAfter(many.flat())
  expect(stays).toHaveLength(200)
  expect(stays.at(-1)).toBe(299)
})
