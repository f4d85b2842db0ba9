/** The failovers of one workload as rows, and when they change without an event. */
import {
  blockersOf,
  type Failover,
  type FailoverSettings,
  listFailovers,
  OVERDUE_MS,
  policyOf,
} from '@/lib/domain/failover'
import { isProtection } from '@/lib/domain/eviction'
import type { Cluster } from '@/lib/kube/kinds/cluster'
import { type Clock, type EpochMs, parseTime } from '@/lib/std/clock'
import type { FailoverView } from '@/lib/view/failover-model'
import type { AnyBinding } from '@/lib/view/project/binding-facts'
import { projectFailover } from '@/lib/view/project/failover'
import { SETTLING_MS } from '@/lib/view/project/settling'
import type { ControlPlaneCache } from '../cache/control-plane-cache'
import type { Journal } from '../recorder/journal'

/** The objects from which a scope may read failovers. */
interface ReadableObjects {
  clusters: readonly Cluster[]
  policies: ReturnType<ControlPlaneCache['policiesOf']>
}

interface ReadableWorkload {
  /** Of the workload. */
  id: string
  binding: AnyBinding
  known: ReadableObjects
}

interface FailoverFacts {
  journal: Journal
  clock: Clock
  settings?: FailoverSettings | undefined
}

/** Reads the facts at each call; nothing is kept. */
export class WorkloadFailovers {
  readonly #facts: FailoverFacts

  constructor(facts: FailoverFacts) {
    this.#facts = facts
  }

  /** Returns the failovers that can be derived from the known facts. */
  viewsOf(workload: ReadableWorkload): FailoverView[] {
    return this.read(workload).views
  }

  /**
   * Returns the failovers, and the times, past ones among them, at which a stage begins merely by the passage of time.
   */
  read(workload: ReadableWorkload): { views: FailoverView[]; turningPoints: EpochMs[] } {
    const now = this.#facts.clock.now()
    const failovers = this.#failoversOf(workload).map((failover) => ({
      failover,
      settledAt: this.#settledAt(workload.id, failover),
    }))
    return {
      views: failovers
        .filter(({ settledAt }) => settledAt <= now)
        .map(({ failover }) => this.#project(workload, failover)),
      turningPoints: failovers.flatMap(({ failover: { deadline }, settledAt }) => [
        settledAt,
        deadline?.at ?? Infinity,
        // After that time the failover probably does not happen.
        (deadline?.at ?? Infinity) + OVERDUE_MS + 1,
      ]),
    }
  }

  #failoversOf({ binding, known: { clusters, policies } }: ReadableWorkload): Failover[] {
    const { clock, settings } = this.#facts
    const failovers = listFailovers({
      binding,
      clusters,
      policy: policyOf(binding, policies),
      now: clock.now(),
      ...(settings && { settings }),
    })
    return failovers.filter(({ producer = '' }) => !isProtection({ producer }))
  }

  #project({ id, binding, known }: ReadableWorkload, failover: Failover): FailoverView {
    const { journal, clock, settings } = this.#facts
    const { cluster, cause, stage, deadline, kept, successors } = failover
    const now = clock.now()
    const isStill = !kept && (stage !== 'evicting' || successors.length === 0)
    // A run of the scheduler for each row is worthwhile only when the failover is due.
    const foresee = stage === 'toleration' && deadline !== undefined && deadline.at <= now
    const why = isStill ? blockersOf(binding, { ...known, now, simulate: foresee, ...(settings && { settings }) }) : []
    const blocker = why.find((each) => each.cluster === cluster)?.message
    const outage = known.clusters.length > 0 ? journal.outageSince(cluster) : undefined
    const failingSince = cause === 'cluster' ? outage : journal.unhealthySince(id, cluster)
    return projectFailover({ failover, blocker, open: journal.openFailover(id, cluster), failingSince })
  }

  /**
   * Returns when an unhealthy workload counts as a failover: one that is starting is unhealthy for a while, which is
   * not a failover.
   */
  #settledAt(id: string, { cluster, cause, stage, since, deadline }: Failover): EpochMs {
    if (cause !== 'application' || (stage !== 'unhealthy' && stage !== 'toleration')) return -Infinity
    const { journal } = this.#facts
    if (stage === 'toleration' && !journal.isStarting(id, cluster)) return -Infinity
    const seen = journal.unhealthySince(id, cluster)
    const failingSince = seen === undefined ? (since ?? -Infinity) : parseTime(seen)
    return Math.min(failingSince + SETTLING_MS, stage === 'toleration' ? (deadline?.at ?? Infinity) : Infinity)
  }
}
