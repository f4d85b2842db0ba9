/** Records a control plane that exists for one rehearsal: its incidents and plans, as the console records those of its own. */
import { evictionRules } from '@/lib/domain/eviction'
import { type Clock, type EpochMs, parseTime } from '@/lib/std/clock'
import type { RecordQuery } from '@/lib/view/actions'
import type { IncidentRecord } from '@/lib/view/failover-model'
import { projectPlanRun } from '@/lib/view/project/plan-run'
import type { PlanRunView } from '@/lib/view/rebalance-model'
import type { RehearsalRecordingView } from '@/lib/view/rehearsal-model'
import type { Informers } from '@/server/kube/informer'
import { EVERYTHING } from '../access/scope'
import { readIncident } from '../actions/incident-record'
import { ControlPlaneCache } from '../cache/control-plane-cache'
import { Journal } from '../recorder/journal'
import { Observer, type ObserverRules } from '../recorder/observer'

/** An outage of many clusters has one record for each. */
const MAX_INCIDENTS = 40
const MAX_PLANS = 20

/** Why a workload is evicted from a cluster that failed: its failover is part of the outage. */
const OF_CLUSTER = 'TaintUntolerated'

interface Recorded {
  informers: Informers
  clock: Clock
  profile?: ObserverRules['scheduler']
}

export class Recording {
  readonly #cache: ControlPlaneCache
  readonly #journal: Journal
  readonly #observer: Observer
  readonly #clock: Clock

  /** Records from the first object on: create it before the informers start. */
  constructor({ informers, clock, profile: scheduler }: Recorded) {
    this.#clock = clock
    this.#cache = new ControlPlaneCache(informers)
    this.#journal = new Journal({ clock })
    this.#observer = new Observer(this.#journal, { eviction: evictionRules(), scheduler })
    this.#observer.start(this.#cache)
  }

  /** Returns what happened since then. Nothing is recorded any more. */
  async finish(from: EpochMs): Promise<RehearsalRecordingView> {
    this.#observer.stop()
    const plans = this.#plans()
    const incidents: IncidentRecord[] = []
    for (const query of this.#incidents(from)) incidents.push(await this.#read(query, plans))
    const runs: RehearsalRecordingView['plans'] = []
    for (const plan of plans) {
      const record = plan.startedAt === undefined ? undefined : await this.#read({ plan: plan.name }, plans)
      runs.push({ plan, ...(record && { record }) })
    }
    return { incidents, plans: runs }
  }

  #plans(): PlanRunView[] {
    const plans = this.#cache.plans.list().slice(0, MAX_PLANS)
    return plans.map((plan) => projectPlanRun({ plan, undoneBy: [] }))
  }

  /** Outages, and failovers of workloads without one, that began since then, in the order of their beginning. */
  #incidents(from: EpochMs): RecordQuery[] {
    const running = this.#cache.clusters.list().flatMap(({ metadata: { name: cluster } }) => {
      const since = this.#journal.outageSince(cluster)
      return since === undefined ? [] : [{ cluster, since }]
    })
    const past = this.#journal.pastFailovers(from).flatMap(({ workload, cluster, reason, ...one }) => {
      if (workload !== undefined && reason === OF_CLUSTER) return []
      const since = workload === undefined ? one.unhealthySince : one.evictedAt
      return since === undefined ? [] : [{ cluster, since, ...(workload !== undefined && { workload }) }]
    })
    return [...running, ...past]
      .filter(({ since }) => parseTime(since) >= from)
      .toSorted((a, b) => (a.since === b.since ? 0 : a.since < b.since ? -1 : 1))
      .slice(0, MAX_INCIDENTS)
  }

  #read(query: RecordQuery, plans: readonly PlanRunView[]): Promise<IncidentRecord> {
    const views = { plans: { page: (name: string) => plans.find((plan) => plan.name === name) } }
    return readIncident({ journal: this.#journal, clock: this.#clock, views }, query, EVERYTHING)
  }
}
