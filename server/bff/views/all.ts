/** All views of one world, in the order in which they have to listen. */
import { evictionRules } from '@/lib/domain/eviction'
import type { SchedulerProfile } from '@/lib/domain/placement'
import { Observer } from '../recorder/observer'
import { ClusterRows } from './clusters'
import { type DetailSources, WorkloadDetails } from './details'
import { DriftBook } from './drift-book'
import { FailoverRows } from './failover'
import { PlanRunRows } from './plan-runs'
import { QueuePlanCache } from './queue-plan-cache'
import { QueueRows } from './queues'
import { ReadinessBook } from './readiness-book'
import { RebalancerRows } from './rebalancers'
import { SpreadRows } from './spreads'
import { SummaryRow } from './summary'
import { WorkloadRows } from './workloads'

export type Views = ReturnType<typeof followWorld>

/** Nothing is followed before `start`. */
export function followWorld(sources: Omit<DetailSources, 'rows'> & {
  profile?: SchedulerProfile | undefined
  evictionsPerSecond?: number | undefined
}) {
  const { world, clock, journal, failover: settings, profile } = sources
  const observer = new Observer(journal, evictionRules(settings))
  const readiness = new ReadinessBook(world, clock)
  const clusters = new ClusterRows(world, readiness)
  const queuePlans = new QueuePlanCache(world, clock, () => performance.now())
  const queues = new QueueRows(world, queuePlans)
  const drifts = new DriftBook(world, clock, { profile, elapsed: () => performance.now() })
  const workloads = new WorkloadRows(world, clock, { queues: queuePlans, drifts, readiness })
  const rebalancers = new RebalancerRows({ ...sources, rows: workloads })
  const failovers = new FailoverRows({ world, clock, journal, settings, rows: workloads, evictionsPerSecond: sources.evictionsPerSecond })
  const plans = new PlanRunRows(world)
  const spreads = new SpreadRows(world, workloads)
  const details = new WorkloadDetails({ ...sources, rows: workloads })
  const summary = new SummaryRow(workloads, clusters)
  // The workloads come last, for the others listen to what they find.
  const others = [queues, clusters, rebalancers, plans, spreads, details, failovers, summary, workloads]
  const rows = [readiness, queuePlans, drifts, ...others]
  return {
    clusters, workloads, rebalancers, plans, spreads, details, failovers, summary, queues, queuePlans,
    start: () => {
      observer.start(world)
      for (const part of rows) part.start()
    },
    stop: () => {
      for (const part of [observer, ...rows]) part.stop()
    },
  }
}
