/** Runs one scenario against a fleet of its own, in accelerated time, and judges it. */
import { judge, type Verdict } from '@/lib/domain/rehearsal/judge'
import { unknownNames } from '@/lib/domain/rehearsal/known-fleet'
import type { WorkloadId } from '@/lib/domain/rehearsal/record'
import type { Scenario } from '@/lib/domain/rehearsal/scenario'
import { type ClusterCourse, type ClusterLoad, loadsOf, type Outage, worstOutage } from '@/lib/domain/rehearsal/course'
import type { Omission, TwinProof } from '@/lib/domain/twin'
import { createSimulatedClock } from '@/lib/std/simulated-clock'
import { createMemoryStore } from '@/server/apiserver'
import { message } from '@/lib/messages/message'
import { BadInput } from './bad-input'
import { type Fleet, knownFleet, settle } from './fleet'
import { type Move, Observer } from './observer'
import { type Plane, type PlaneOptions, startPlane } from './plane'
import { NotQuiescent } from './quiescence'
import { perform } from './steps'
import type { Happening } from './timeline'

export interface RehearsalOptions extends Omit<PlaneOptions, 'seed' | 'clock' | 'store' | 'restore'> {
  scenario: Scenario
  fleet: Fleet
  /** Called after each step of time. */
  onProgress?: (progress: Progress) => void
  signal?: AbortSignal
  /** Called at the end of the scenario, before the control plane is closed. `startedAt`: when the scenario began. */
  onEnd?: (startedAt: number) => Promise<void>
}

export interface Progress {
  phase: 'settling' | 'running'
  /** Time of the rehearsal; while the fleet becomes stable, time since the start. */
  atMs: number
}

export interface Rehearsal {
  scenario: { name: string; description?: string; durationMs: number; seed: number }
  fleet: {
    clusters: number
    workloads: number
    /** Workloads that had fewer ready replicas than they should when the first step came. */
    incompleteBefore: readonly WorkloadId[]
    /** Of a copied federation: whether it decides as the original. */
    proof?: TwinProof
    /** Of a copied federation: what could not be copied. */
    omissions?: readonly Omission[]
  }
  verdict: Verdict
  /** The workload that was hit hardest, if any was. */
  worst?: Outage
  /** Workloads that are elsewhere at the end. */
  moves: readonly Move[]
  /** Replicas in each cluster over time. */
  course: readonly ClusterCourse[]
  /** How full each cluster was. */
  loads: readonly ClusterLoad[]
  timeline: readonly Happening[]
  /** Happenings beyond those that are kept. */
  omitted: number
  /** When the scenario began, in the time of the copy. */
  startedAt: number
  figures: {
    /** Time until the fleet was stable. */
    settledMs: number
    requests: number
    writes: number
  }
}

/** How often progress is told. */
const SLICE_MS = 10_000

/** Throws BadInput for a scenario that does not fit the fleet; nothing outside of this process is touched. */
export async function rehearse(options: RehearsalOptions): Promise<Rehearsal> {
  const { scenario, fleet, ...rest } = options
  const clock = createSimulatedClock(fleet.startsAt)
  const store = createMemoryStore()
  const observer = new Observer(store, clock)
  const plane = await startPlane({ ...rest, clock, store, restore: fleet.restore, seed: scenario.seed })
  try {
    await fleet.populate?.(plane)
    await settle(plane, observer, {
      withinMs: scenario.settleWithinMs,
      onPassed: (atMs) => options.onProgress?.({ phase: 'settling', atMs }),
    })
    const unknown = unknownNames(scenario, knownFleet(plane.informers))
    if (unknown.length > 0) throw new BadInput(unknown)
    return await run(plane, observer, options)
  } catch (error) {
    if (!(error instanceof NotQuiescent)) throw error
    const ms = clock.now() - plane.startedAt
    throw new BadInput([message('rehearsal.input.restless', { time: { ms } })])
  } finally {
    observer.close()
    await plane.close()
  }
}

async function run(plane: Plane, observer: Observer, options: RehearsalOptions): Promise<Rehearsal> {
  const { name, description, durationMs, seed, steps, assertions } = options.scenario
  const startedAt = plane.clock.now()
  const incompleteBefore = observer.incomplete()
  const { proof, omissions } = options.fleet.copied?.() ?? {}
  observer.begin()
  for (const { index, atMs, action } of steps) {
    await passUntil(plane, startedAt, { atMs, options })
    observer.timeline.step(index, await perform(plane, action, index))
  }
  await passUntil(plane, startedAt, { atMs: durationMs, options })
  await options.onEnd?.(startedAt)
  const record = observer.record(durationMs)
  const worst = worstOutage(record)
  const { happenings, omitted } = observer.timeline.list()
  return {
    scenario: { name, ...(description !== undefined && { description }), durationMs, seed },
    fleet: {
      clusters: record.clusters.length,
      workloads: record.workloads.length,
      incompleteBefore,
      ...(proof && { proof }),
      ...(omissions && { omissions }),
    },
    verdict: judge(record, assertions),
    ...(worst && { worst }),
    moves: observer.moves(),
    course: observer.lanes.list(durationMs),
    loads: loadsOf(record),
    timeline: happenings,
    omitted,
    startedAt,
    figures: { settledMs: startedAt - plane.startedAt, requests: plane.requests, writes: plane.store.revision },
  }
}

async function passUntil(
  plane: Plane,
  startedAt: number,
  { atMs, options: { onProgress, signal } }: { atMs: number; options: RehearsalOptions },
): Promise<void> {
  for (;;) {
    signal?.throwIfAborted()
    const now = plane.clock.now() - startedAt
    onProgress?.({ phase: 'running', atMs: now })
    if (now >= atMs) return plane.rest()
    await plane.pass(Math.min(SLICE_MS, atMs - now))
  }
}
