import { describe, expect, it } from 'vitest'
import type { JournalEntry, JournalFact, ReplicasFact } from '../journal'
import { readyHistory } from './ready-history'

const HOUR = 3_600_000
const NOW = Date.parse('2026-11-23T12:00:00Z')
const SINCE = NOW - 24 * HOUR

function journal(...facts: [at: number, fact: JournalFact][]): JournalEntry[] {
  return facts.map(([at, fact], seq) => ({ seq, at: new Date(at).toISOString(), ...fact }))
}
const replicas = (
  cluster: string,
  before: Partial<ReplicasFact> | undefined,
  after: Partial<ReplicasFact> | undefined,
  workload = 'web',
): JournalFact => {
  const whole = (fact: Partial<ReplicasFact>): ReplicasFact => ({ placed: 4, ready: 0, desired: 4, ...fact })
  return {
    what: 'replicas',
    workload,
    cluster,
    ...(before && { before: whole(before) }),
    ...(after && { after: whole(after) }),
  }
}
const readiness = (cluster: string, after: 'True' | 'False'): JournalFact => {
  const fact = (status: 'True' | 'False') => ({ status, reason: '', message: '' })
  return { what: 'ready', cluster, before: fact(after === 'True' ? 'False' : 'True'), after: fact(after) }
}
const missingAt = (entries: JournalEntry[], at: number): number | undefined =>
  readyHistory(entries, { since: SINCE, now: NOW }).points.findLast((point) => point.at <= at)?.missing

describe('missing replicas of the last 24 hours', () => {
  const lost = NOW - 600_000
  const outage = journal(
    [lost, readiness('m1', 'False')],
    [lost, replicas('m1', undefined, { ready: 4 })],
    [lost + 20_000, replicas('m2', undefined, { ready: 1 })],
    [lost + 40_000, replicas('m2', { ready: 1 }, { ready: 4 })],
    [lost + 60_000, replicas('m1', { ready: 4 }, undefined)],
    [lost + 60_000, replicas('m2', { ready: 4 }, undefined)],
  )

  it('are those of a cluster that does not answer, until others have them', () => {
    expect(missingAt(outage, lost - 10_000)).toBe(0)
    expect(missingAt(outage, lost + 10_000)).toBe(4)
    expect(missingAt(outage, lost + 30_000)).toBe(3)
    expect(missingAt(outage, lost + 50_000)).toBe(0)
    expect(missingAt(outage, NOW)).toBe(0)
  })

  it('were missing before the first entry when that says so', () => {
    const entries = journal([NOW - 2 * HOUR, replicas('m1', { ready: 1 }, { ready: 4 })])
    expect(missingAt(entries, SINCE)).toBe(3)
    expect(missingAt(entries, NOW)).toBe(0)
  })

  it('were missing all the time of what was recorded before, whatever changed of it', () => {
    const fact = (ready: number): ReplicasFact => ({ placed: 2, ready, desired: 4 })
    const record = (workload: string, cluster: string, ready: number) => ({ workload, cluster, after: fact(ready) })
    const recorded = {
      replicas: [record('web', 'm1', 2), record('web', 'm2', 2), record('api', 'm3', 2), record('api', 'm1', 1)],
      silent: ['m3'],
    }
    const entries = journal([NOW - 2 * HOUR, replicas('m1', { placed: 2, ready: 0 }, { placed: 2, ready: 2 })])
    const { points } = readyHistory(entries, { since: SINCE, now: NOW, recorded })
    // Of api, 3 of 4; of web, the other cluster had 2 of 4 all the time.
    expect(points.map(({ missing }) => missing)).toEqual([5, 3])
  })

  it('keep the worst moment of a step, and what it ended with', () => {
    const at = NOW - 5 * HOUR
    const entries = journal(
      [at, replicas('m1', undefined, { ready: 1 })],
      [at + 1000, replicas('m1', { ready: 1 }, { ready: 4 })],
    )
    expect(readyHistory(entries, { since: SINCE, now: NOW }).points.map(({ missing }) => missing)).toEqual([0, 3, 0])
  })

  it('are counted for each workload, and not for copies', () => {
    const entries = journal(
      [lost, replicas('m1', undefined, { ready: 0 })],
      [lost, replicas('m1', undefined, { ready: 2 }, 'other')],
      [lost, replicas('m1', undefined, { ready: 0, copies: true }, 'config')],
    )
    expect(missingAt(entries, NOW)).toBe(6)
  })

  it('are not those that a new workload starts, only those that it had', () => {
    const placed: JournalFact = {
      what: 'placement',
      workload: 'web',
      before: [],
      after: [{ cluster: 'm1', replicas: 4 }],
      trigger: 'first placement',
    }
    const entries = journal(
      [lost, placed],
      [lost + 10_000, replicas('m1', undefined, { ready: 0 })],
      [lost + 20_000, replicas('m1', { ready: 0 }, { ready: 3 })],
      [lost + 30_000, replicas('m1', { ready: 3 }, { ready: 1 })],
      [lost + 40_000, replicas('m1', { ready: 1 }, { ready: 4 })],
      [lost + 50_000, replicas('m1', { ready: 4 }, { ready: 0 })],
    )
    expect([15, 25, 35, 45, 55].map((seconds) => missingAt(entries, lost + seconds * 1000))).toEqual([0, 0, 2, 0, 4])
  })

  it('have gaps where nothing was observed', () => {
    const entries = journal([NOW - HOUR, { what: 'gap', from: new Date(NOW - 2 * HOUR).toISOString(), why: 'stopped' }])
    expect(readyHistory(entries, { since: SINCE, now: NOW }).gaps).toEqual([{ from: NOW - 2 * HOUR, to: NOW - HOUR }])
  })

  it('are not known before the journal began', () => {
    const begunAt = NOW - HOUR
    expect(readyHistory([], { since: SINCE, now: NOW, begunAt }).gaps).toEqual([{ from: SINCE, to: begunAt }])
  })

  it('stay few, however many entries there are', () => {
    const entries = journal(
      ...Array.from({ length: 20_000 }, (_, i): [number, JournalFact] => [
        SINCE + (i * 24 * HOUR) / 20_000,
        replicas('m1', { ready: i % 4 }, { ready: (i + 1) % 4 }),
      ]),
    )
    expect(readyHistory(entries, { since: SINCE, now: NOW }).points.length).toBeLessThan(2000)
  })
})
