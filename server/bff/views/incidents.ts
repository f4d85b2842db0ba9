/**
 * The impact of the loss of each cluster and the progress of the recovery: while the cluster is lost, and for an hour
 * after.
 */
import { recoverySecondsLeft, type RecoverySample } from '@/lib/domain/failover'
import { type Clock, parseTime } from '@/lib/std/clock'
import type { FailoverView, IncidentView, PastFailoverView } from '@/lib/view/failover-model'
import type { WorkloadView } from '@/lib/view/model'
import { isStuck } from '@/lib/view/notices/incidents'
import { EVERYTHING } from '../access/scope'
import type { Journal } from '../recorder/journal'
import { idOf, type ControlPlaneCache } from '../cache/control-plane-cache'
import type { ReadModel } from '../read-model/read-model'
import type { WorkloadRows } from './workloads'

/** How long an incident is shown after its end. */
export const SHOWN_AFTER_MS = 3_600_000
/** Window and sampling interval of the recovery rate. */
const WINDOW_MS = 30_000
const SAMPLE_MS = 1_000

export interface IncidentSources {
  cache: ControlPlaneCache
  journal: Journal
  clock: Clock
  rows: WorkloadRows
  evictionsPerSecond?: number | undefined
}

/** The outage of a cluster. */
export interface Outage {
  cluster: string
  /** RFC 3339. */
  since: string
  /** When the cluster was ready again; absent while it is lost. */
  endedAt?: string
  /** Running failovers of workloads there. */
  failovers: readonly FailoverView[]
}

/** `gone`: without a row, because it was deleted. */
type Recovery = 'recovered' | 'waiting' | 'gone'

interface Progress {
  since: string
  /** By workload id: those placed there, and those evicted before the first read. */
  affected: Map<string, Recovery>
  /** Those of `affected` whose row may have changed since it was read. */
  changed: Set<string>
  samples: RecoverySample[]
}

export class Incidents {
  readonly #sources: IncidentSources
  readonly #progress = new Map<string, Progress>()
  /** The latest ended outage of each cluster; searching the journal for each change would be too slow. */
  readonly #ended = new Map<string, PastFailoverView>()

  constructor(sources: IncidentSources) {
    this.#sources = sources
  }

  /**
   * Notes an ended failover. Call it once for the failovers in the journal, latest first, and then with every failover
   * that ends.
   */
  noteEnd(failover: PastFailoverView): void {
    const { kind, cluster, workload, endedAt } = failover
    const known = this.#ended.get(cluster)
    if (kind === 'cluster' && (known === undefined || known.endedAt <= endedAt)) this.#ended.set(cluster, failover)
    const progress = this.#progress.get(cluster)
    if (workload !== undefined && progress) affect(progress, workload)
  }

  /** Returns the latest outage of a cluster that ended within the last hour. */
  endedLately(cluster: string): PastFailoverView | undefined {
    const failover = this.#ended.get(cluster)
    return failover && parseTime(failover.endedAt) >= this.#sources.clock.now() - SHOWN_AFTER_MS ? failover : undefined
  }

  /** Returns the progress of the workloads of an outage that are in the scope. */
  of(outage: Outage, reader: ReadModel): IncidentView {
    const progress = this.#follow(outage)
    const counts = { affected: 0, recovered: 0 }
    for (const [id, recovery] of progress.affected) {
      if (recovery === 'gone' || !reader.seesWorkload(id)) continue
      counts.affected += 1
      if (recovery === 'recovered') counts.recovered += 1
    }
    const left = reader.seesAllWorkloads ? this.#secondsLeft(outage, progress, counts) : undefined
    return {
      ...counts,
      ...(left !== undefined && left > 0 && { secondsLeft: left }),
      ...(outage.endedAt !== undefined && { endedAt: outage.endedAt }),
    }
  }

  /** Notes that the row of a workload may have changed; returns the clusters whose incident may change by that. */
  noteRow(id: string): string[] {
    const among = [...this.#progress].filter(([, { affected }]) => affected.has(id))
    for (const [, { changed }] of among) changed.add(id)
    return among.map(([cluster]) => cluster)
  }

  /** Call this when the incident is no longer shown. */
  forget(cluster: string): void {
    this.#progress.delete(cluster)
  }

  #follow({ cluster, since, endedAt, failovers }: Outage): Progress {
    const known = this.#progress.get(cluster)
    // A cluster that is lost again has a new incident.
    const progress = known?.since === since ? known : this.#begin(cluster, since)
    for (const { workload } of failovers) if (workload !== undefined) affect(progress, workload)
    const here = endedAt === undefined ? this.#sources.cache.bindingsIn(cluster) : []
    for (const binding of here)
      if (binding.spec.clusters?.some(({ name }) => name === cluster)) affect(progress, idOf(binding))
    for (const id of progress.changed) progress.affected.set(id, this.#recoveryOf(id))
    progress.changed.clear()
    return progress
  }

  #recoveryOf(id: string): Recovery {
    const row = this.#sources.rows.row(id, EVERYTHING)
    if (!row) return 'gone'
    return isRecovered(row) ? 'recovered' : 'waiting'
  }

  #begin(cluster: string, since: string): Progress {
    const left = this.#sources.journal
      .pastFailovers(parseTime(since))
      .filter((failover) => failover.cluster === cluster)
    const progress: Progress = { since, affected: new Map(), changed: new Set(), samples: [] }
    for (const { workload } of left) if (workload !== undefined) affect(progress, workload)
    this.#progress.set(cluster, progress)
    return progress
  }

  #secondsLeft(
    { failovers, endedAt }: Outage,
    { samples }: Progress,
    counts: { affected: number; recovered: number },
  ): number | undefined {
    const { clock, evictionsPerSecond } = this.#sources
    const now = clock.now()
    // The clock was set back.
    while (samples.length > 0 && samples.at(-1)!.at > now) samples.pop()
    const last = samples.at(-1)
    if (last === undefined || now - last.at >= SAMPLE_MS) samples.push({ at: now, recovered: counts.recovered })
    else last.recovered = counts.recovered
    while (samples[0] !== undefined && now - samples[0].at > WINDOW_MS) samples.shift()
    const stuck = failovers.filter((failover) => failover.kept || isStuck(failover, now)).length
    return recoverySecondsLeft({
      remaining: counts.affected - counts.recovered - (endedAt === undefined ? stuck : 0),
      waiting: failovers.filter(({ stage }) => stage === 'toleration').length,
      samples,
      ...(evictionsPerSecond !== undefined && { evictionsPerSecond }),
    })
  }
}

function affect({ affected, changed }: Progress, id: string): void {
  if (affected.has(id)) return
  affected.set(id, 'gone')
  changed.add(id)
}

/** Replicas in a cluster that does not answer are never counted as ready. */
const isRecovered = ({ ready, desired, hasReplicas, state }: WorkloadView): boolean =>
  hasReplicas ? ready >= desired : state.state === 'ok'
