/** The journal of a finished failover, with the entries and times that the recorder would write. */
import { systemClock } from '@/server/runtime/system-clock'
import { openJournalFiles } from '@/server/bff/recorder/journal-files'
import { Journal } from '@/server/bff/recorder/journal'
import { createFakeClock, type FakeClock } from '@/lib/testing/fake-clock'
import { isoTime } from '@/lib/std/clock'
import type { JournalFact, ReplicasFact } from '@/lib/view/journal'
import type { ReplicasInCluster } from '@/lib/view/model'
import { workloadId } from '@/lib/view/workload-id'
import { nameOf, namespaceOf, type Spread } from '../stream/fleet'

export interface IncidentShape {
  directory: string
  workloads: number
  spread: Spread
}

/** Long enough ago to contain no current entry. */
const AGO_MS = 40 * 60_000
const UNTIL_TAINT_MS = 5_000
/** All evictions together. */
const EVICTING_MS = 240_000
const STARTING_MS = 12_000
const STEP_MS = 100

/** Writes it; resolves with the failed cluster and the time that names the incident. */
export async function writePastIncident(shape: IncidentShape): Promise<{ cluster: string; since: string }> {
  const clock = createFakeClock(systemClock.now() - AGO_MS)
  const fail = (error: unknown): void => {
    throw error
  }
  const storage = await openJournalFiles({ directory: shape.directory, clock, onError: fail })
  const journal = new Journal({ clock, storage })
  const cluster = shape.spread.clusters.at(-1)!
  const since = isoTime(clock.now())
  for (const { at, facts } of courseOf(shape, cluster)) {
    advanceTo(clock, at)
    journal.note(facts, false)
  }
  await journal.close()
  return { cluster, since }
}

function advanceTo(clock: FakeClock, at: number): void {
  if (at > clock.elapsed()) clock.advance(at - clock.elapsed())
}

interface Moment {
  /** Milliseconds after the first symptom. */
  at: number
  facts: JournalFact[]
}

function courseOf({ workloads, spread }: IncidentShape, cluster: string): Moment[] {
  const up = { status: 'True', reason: 'ClusterReady', message: '' } as const
  const down = { status: 'False', reason: 'ClusterNotReachable', message: '' } as const
  const taint = { key: 'cluster.karmada.io/not-ready', effect: 'NoExecute' }
  const indexes = Array.from({ length: workloads }, (_, index) => index)
  const evictedAt = (index: number): number =>
    UNTIL_TAINT_MS + Math.floor((index * EVICTING_MS) / workloads / STEP_MS) * STEP_MS
  const readyAt = (index: number): number => evictedAt(index) + STARTING_MS + (index % 40) * STEP_MS
  const failovers = indexes.map((index) => failoverOf(index, spread.placementOf(index), cluster))
  const end = readyAt(workloads - 1) + 2 * STARTING_MS
  return [
    { at: 0, facts: [{ what: 'ready' as const, cluster, before: up, after: down }] },
    ...failovers.map(({ begun }) => ({ at: 0, facts: begun })),
    { at: UNTIL_TAINT_MS, facts: [{ what: 'taint' as const, cluster, after: taint }] },
    ...failovers.map(({ evicted }, index) => ({ at: evictedAt(index), facts: evicted })),
    ...failovers.map(({ ready }, index) => ({ at: readyAt(index), facts: ready })),
    { at: end, facts: [{ what: 'ready' as const, cluster, before: down, after: up }] },
  ].sort((a, b) => a.at - b.at)
}

/** One replica of the workload was in the failed cluster, and moves to the first cluster of its placement. */
function failoverOf(index: number, placement: readonly { name: string; replicas: number }[], cluster: string) {
  const ref = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: namespaceOf(index), name: nameOf(index) }
  const workload = workloadId(ref)
  const [target, ...others] = placement.map(({ name }) => name)
  const desired = placement.length
  const replicas = (name: string, after: Omit<ReplicasFact, 'desired'>, before?: Omit<ReplicasFact, 'desired'>) => ({
    what: 'replicas' as const,
    workload,
    cluster: name,
    ...(before && { before: { ...before, desired } }),
    after: { ...after, desired },
  })
  const inClusters = (names: readonly string[]): ReplicasInCluster[] =>
    names.map((name) => ({ cluster: name, replicas: 1 }))
  const [full, starting, empty] = [
    { placed: 1, ready: 1 },
    { placed: 1, ready: 0 },
    { placed: 0, ready: 0 },
  ]
  const task = { reason: 'TaintUntolerated', producer: 'TaintManager', purgeMode: 'Gracefully', replicas: 1 }
  return {
    begun: [cluster, ...others].map((name) => replicas(name, full)),
    evicted: [
      { what: 'task', workload, cluster, after: { ...task, replaced: false } },
      {
        what: 'placement',
        workload,
        trigger: 'failover',
        before: inClusters([cluster, ...others]),
        after: inClusters([target!, ...others]),
      },
      replicas(cluster, empty, full),
      replicas(target!, starting),
    ] satisfies JournalFact[],
    ready: [
      replicas(target!, full, starting),
      { what: 'task', workload, cluster, before: { ...task, replaced: true } },
    ] satisfies JournalFact[],
  }
}
