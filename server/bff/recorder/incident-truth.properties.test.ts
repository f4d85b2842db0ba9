/**
 * Clusters and workloads fail and recover at random, and the process that records it crashes in between. Whenever an
 * incident is opened, and however long it has been read on, its replay ends with what the bindings say.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isConditionTrue } from '@/lib/kube/conditions'
import { cluster as clusterKind, resourceBinding, type ResourceBinding } from '@/lib/kube/kinds'
import { continued } from '@/lib/view/incident/reading'
import { type Replay, replayOf } from '@/lib/view/incident/replay'
import type { IncidentRecord } from '@/lib/view/failover-model'
import type { FailingFleet } from '@/server/testing/failing-fleet'
import {
  CLUSTERS,
  DETECTED_AFTER_S,
  eventsOf,
  type Outage,
  outages,
  recoverAll,
  startOutage,
} from '@/server/testing/random-outages'
import { EVERYTHING } from '../access/scope'
import { readIncident, type RecordDeps } from '../actions/incident-record'
import { ControlPlaneCache, idOf } from '../cache/control-plane-cache'
import { Journal } from './journal'
import type { JournalStorage } from './journal-files'
import { Observer } from './observer'

/** Evictions, graces and blocks, one after the other; shorter than an incident is followed after its end. */
const SETTLES_AFTER_S = 180
const runs = Number(process.env.EVENKEEL_PROPERTY_RUNS ?? 3)

interface Crash {
  /** After this many events. */
  after: number
  /** Lines that were not written yet. */
  lost: number
}

const crashes = fc.array(fc.record({ after: fc.nat(5), lost: fc.nat(4) }), { maxLength: 2 })

/** The recording process with its pages, which may crash and lose what it had not written. */
class Recorder {
  readonly #fleet: FailingFleet
  #lines: string[] = []
  #running: { journal: Journal; observer: Observer; cache: ControlPlaneCache } | undefined
  /** The pages of all clusters, open since the last start. */
  #pages = new Map<string, IncidentRecord>()

  constructor(fleet: FailingFleet) {
    this.#fleet = fleet
  }

  async start(): Promise<void> {
    const { clock, informers } = this.#fleet.env
    const lines = this.#lines
    const storage: JournalStorage = {
      lastAlive: lines.length > 0 ? clock.now() : undefined,
      begunAt: () => undefined,
      append: (line) => void lines.push(line),
      async *read() {
        yield* lines.slice()
      },
      close: () => Promise.resolve(),
    }
    const journal = new Journal({ clock, storage })
    await journal.recall()
    const cache = new ControlPlaneCache(informers)
    const observer = new Observer(journal)
    observer.start(cache)
    await cache.whenSynced()
    this.#running = { journal, observer, cache }
  }

  async crash(lost: number): Promise<void> {
    this.stop()
    this.#lines = this.#lines.slice(0, Math.max(1, this.#lines.length - lost))
    this.#pages = new Map()
    await this.start()
  }

  stop(): void {
    this.#running?.observer.stop()
  }

  /** Whether the replicas of a workload are recorded; after that, only whether it recovered is known. */
  isRecording(id: string): boolean {
    return this.#running!.journal.recordedReplicas().some(({ workload }) => workload === id)
  }

  /** Reads on what is open, and opens what is not; returns the replays of both. */
  async replays(cluster: string): Promise<Replay[]> {
    const whole = await this.#read(cluster)
    if (!whole) return []
    const known = this.#pages.get(cluster)
    const isSame = known?.since === whole.since
    const after = String(known?.entries.at(-1)?.seq ?? 0)
    const on = isSame ? continued(known, (await this.#read(cluster, after))!) : whole
    this.#pages.set(cluster, on)
    return [replayOf(whole), replayOf(on)]
  }

  async #read(cluster: string, after?: string): Promise<IncidentRecord | undefined> {
    const { journal } = this.#running!
    const isKnown =
      journal.outageSince(cluster) !== undefined
      || journal.pastFailovers(0).some((each) => each.kind === 'cluster' && each.cluster === cluster)
    if (!isKnown) return undefined
    const deps: RecordDeps = { journal, clock: this.#fleet.env.clock, views: { plans: { page: () => undefined } } }
    return readIncident(deps, { cluster, ...(after !== undefined && { after }) }, EVERYTHING)
  }
}

/** Ready replicas that the answering clusters report, up to what is placed there. */
function readyOf({ spec, status }: ResourceBinding, answers: ReadonlySet<string>): number {
  return (spec.clusters ?? []).reduce((sum, { name, replicas }) => {
    const report = status?.aggregatedStatus?.find(({ clusterName }) => clusterName === name)
    const { readyReplicas = 0 } = (report?.status ?? {}) as { readyReplicas?: number }
    return sum + (answers.has(name) ? Math.min(readyReplicas, replicas ?? spec.replicas ?? 0) : 0)
  }, 0)
}

async function expectTrue(fleet: FailingFleet, recorder: Recorder): Promise<void> {
  const { client } = fleet.env
  const clusters = await client.list(clusterKind)
  const ready = clusters.items.filter(({ status }) => isConditionTrue(status?.conditions, 'Ready'))
  const answers = new Set(ready.map(({ metadata }) => metadata.name))
  const bindings = await client.list(resourceBinding)
  const truth = new Map(bindings.items.map((binding) => [idOf(binding), readyOf(binding, answers)]))
  for (const name of CLUSTERS) {
    for (const { workloads } of await recorder.replays(name)) {
      for (const [id, steps] of workloads) {
        const { ready, phase } = steps.last()!
        const about = `${id} in the incident of ${name}`
        if (recorder.isRecording(id)) expect(ready, `ready of ${about}`).toBe(truth.get(id))
        else expect(phase, about).toBe('recovered')
      }
    }
  }
}

async function expectTrueThroughout(outage: Outage, broken: readonly Crash[]): Promise<void> {
  const fleet = await startOutage(outage)
  const recorder = new Recorder(fleet)
  try {
    await recorder.start()
    const happen = eventsOf(fleet)
    const look = (): Promise<void> => fleet.env.eventually(() => expectTrue(fleet, recorder), { flowMs: 2 })
    for (const [index, { event, thenS }] of outage.events.entries()) {
      await happen(event)
      await fleet.timeline.pass(thenS)
      await look()
      for (const { lost } of broken.filter(({ after }) => after === index)) await recorder.crash(lost)
      await look()
    }
    await recoverAll(fleet)
    await fleet.timeline.pass(SETTLES_AFTER_S)
    await look()
    for (const name of CLUSTERS) {
      for (const { workloads, counts } of await recorder.replays(name)) {
        const phases = [...workloads].map(([id, steps]) => `${id} ${steps.last()!.phase}`)
        expect(phases.filter((each) => !each.endsWith(' recovered'))).toEqual([])
        expect(counts.last()).toMatchObject({ recovered: counts.last()!.affected, waiting: 0, starting: 0 })
      }
    }
  } finally {
    recorder.stop()
    await fleet.close()
  }
}

test(
  'a workload that is still recorded when its cluster fails recovers in the incident, too',
  { timeout: 300_000 },
  () =>
    expectTrueThroughout(
      {
        shapes: ['rooted', 'divided', 'duplicated'],
        events: [
          { event: { kind: 'workload', cluster: 'm2', name: 'a', fails: true }, thenS: 8 },
          { event: { kind: 'workload', cluster: 'm2', name: 'a', fails: false }, thenS: 8 },
          { event: { kind: 'cluster', cluster: 'm1', isUp: false }, thenS: DETECTED_AFTER_S + 15 },
        ],
      },
      [{ after: 2, lost: 2 }],
    ),
)

test(
  'an incident ends with what the bindings say, after every course of failures and crashes',
  { timeout: 900_000 },
  () =>
    fc.assert(fc.asyncProperty(outages, crashes, expectTrueThroughout), {
      numRuns: runs,
      seed: 2711,
      endOnFailure: true,
    }),
)
