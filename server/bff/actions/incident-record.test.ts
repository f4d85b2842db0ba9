import { describe, expect, test } from 'vitest'
import { createFakeClock } from '@/lib/testing/fake-clock'
import type { JournalFact, ReplicasFact } from '@/lib/view/journal'
import { EVERYTHING } from '../access/scope'
import { Journal } from '../recorder/journal'
import type { ApiDeps } from './api-deps'
import { readIncident } from './incident-record'

const WEB = 'apps~v1/Deployment/demo/web'
const API = 'apps~v1/Deployment/demo/api'
const START = Date.parse('2026-11-21T09:00:00Z')

function recording() {
  const clock = createFakeClock(START)
  const journal = new Journal({ clock })
  const deps = { journal, clock } as unknown as ApiDeps
  return {
    journal,
    clock,
    note: (seconds: number, ...facts: JournalFact[]) => {
      clock.advance(seconds * 1000)
      journal.note(facts, false)
    },
    read: (query: Parameters<typeof readIncident>[1]) => readIncident(deps, query, EVERYTHING),
  }
}

const ready = (cluster: string, was: 'True' | 'False', is: 'True' | 'False'): JournalFact => ({
  what: 'ready',
  cluster,
  before: { status: was, reason: '', message: '' },
  after: { status: is, reason: '', message: '' },
})
const fact = (placed: number): ReplicasFact => ({ placed, ready: placed, desired: 4 })
const replicas = (
  workload: string,
  cluster: string,
  before: number | undefined,
  after: number | undefined,
): JournalFact => ({
  what: 'replicas',
  workload,
  cluster,
  ...(before !== undefined && { before: fact(before) }),
  ...(after !== undefined && { after: fact(after) }),
})

describe('the record of an outage', () => {
  test('holds its entries in order, its readiness before, and its end', async () => {
    const { note, read } = recording()
    note(0, ready('m1', 'True', 'False'), replicas(WEB, 'm1', undefined, 2), replicas(WEB, 'm2', undefined, 2))
    note(20, ready('m1', 'False', 'True'))
    const record = await read({ cluster: 'm1' })
    expect(record).toMatchObject({ since: '2026-11-21T09:00:00.000Z', endedAt: '2026-11-21T09:00:20.000Z' })
    expect(record.readiness).toMatchObject({ m1: 'True' })
    expect(record.entries.map(({ seq, what }) => `${seq} ${what}`)).toEqual([
      '1 ready',
      '2 replicas',
      '3 replicas',
      '4 ready',
    ])
  })

  test('begins with what was recorded before it, changed since or not', async () => {
    const { note, read } = recording()
    note(0, replicas(WEB, 'm1', undefined, 2), replicas(WEB, 'm2', undefined, 2), replicas(API, 'm1', undefined, 1))
    note(60, ready('m1', 'True', 'False'))
    note(5, replicas(WEB, 'm1', 2, 0))
    const { entries } = await read({ cluster: 'm1' })
    expect(entries.filter(({ seq }) => seq === 0)).toMatchObject([
      { workload: WEB, cluster: 'm1', after: { placed: 2 }, at: '2026-11-21T09:01:00.000Z' },
      { workload: WEB, cluster: 'm2', after: { placed: 2 } },
      { workload: API, cluster: 'm1', after: { placed: 1 } },
    ])
  })

  test('begins with what was recorded before it in every cluster, where the workload comes to another one', async () => {
    const { note, read } = recording()
    note(0, replicas(WEB, 'm1', undefined, 2), replicas(WEB, 'm2', undefined, 1))
    note(60, ready('m1', 'True', 'False'))
    note(5, replicas(WEB, 'm1', 2, 0), replicas(WEB, 'm3', undefined, 2))
    const { entries } = await read({ cluster: 'm1' })
    expect(entries.filter(({ seq }) => seq === 0)).toMatchObject([
      { workload: WEB, cluster: 'm1', after: { placed: 2 } },
      { workload: WEB, cluster: 'm2', after: { placed: 1 } },
    ])
  })

  test('does not begin with what was recorded later', async () => {
    const { note, read } = recording()
    note(0, ready('m1', 'True', 'False'))
    note(5, replicas(WEB, 'm1', undefined, 2), replicas(WEB, 'm2', undefined, 1))
    const { entries } = await read({ cluster: 'm1' })
    expect(entries.map(({ seq }) => seq)).toEqual([1, 2, 3])
  })

  test('is continued after a number', async () => {
    const { note, read } = recording()
    note(0, ready('m1', 'True', 'False'), replicas(WEB, 'm1', undefined, 2))
    note(5, replicas(WEB, 'm1', 2, 0))
    const { entries } = await read({ cluster: 'm1', after: '2' })
    expect(entries.map(({ seq }) => seq)).toEqual([3])
  })

  test('is refused where there was none', async () => {
    await expect(recording().read({ cluster: 'm1' })).rejects.toMatchObject({ status: 404 })
  })
})
