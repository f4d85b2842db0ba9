/** All views of one control plane, in the order in which they have to listen. */
import type { CauseFacts } from '@/lib/domain/cause'
import { evictionRules } from '@/lib/domain/eviction'
import type { SchedulerProfile } from '@/lib/domain/placement'
import { Observer } from '../recorder/observer'
import { ClusterRows } from './clusters'
import { type DetailSources, WorkloadDetails } from './details'
import { DriftCache } from './drift-cache'
import { FailoverRows } from './failover'
import { PlanRunRows } from './plan-runs'
import { QueuePlanCache } from './queue-plan-cache'
import { QueueRows } from './queues'
import { ReadinessCache } from './readiness-cache'
import { RebalancerRows } from './rebalancers'
import { SpreadRows } from './spreads'
import { SummaryRow } from './summary'
import { WorkloadRows } from './workloads'

export type Views = ReturnType<typeof watchControlPlane>

/** Nothing is followed before `start`. */
export function watchControlPlane(
  sources: Omit<DetailSources, 'rows'> & {
    profile?: SchedulerProfile | undefined
    evictionsPerSecond?: number | undefined
    authorOf?: CauseFacts['author']
  },
) {
  const { cache, clock, journal, failover: settings, profile } = sources
  const observer = new Observer(journal, evictionRules(settings), sources.authorOf)
  const readiness = new ReadinessCache(cache, clock)
  const clusters = new ClusterRows(cache, readiness)
  const queuePlans = new QueuePlanCache(cache, clock, () => performance.now())
  const queues = new QueueRows(cache, queuePlans)
  const drifts = new DriftCache(cache, clock, { profile, elapsed: () => performance.now() })
  const workloads = new WorkloadRows(cache, clock, { queues: queuePlans, drifts, readiness })
  const rebalancers = new RebalancerRows({ ...sources, rows: workloads })
  const failovers = new FailoverRows({
    cache,
    clock,
    journal,
    settings,
    rows: workloads,
    evictionsPerSecond: sources.evictionsPerSecond,
  })
  const plans = new PlanRunRows(cache)
  const spreads = new SpreadRows(cache, workloads)
  const details = new WorkloadDetails({ ...sources, rows: workloads })
  const summary = new SummaryRow(workloads, clusters)
  // The workloads come last, for the others listen to what they find.
  const others = [queues, clusters, rebalancers, plans, spreads, details, failovers, summary, workloads]
  const rows = [readiness, queuePlans, drifts, ...others]
  return {
    clusters,
    workloads,
    rebalancers,
    plans,
    spreads,
    details,
    failovers,
    summary,
    queues,
    queuePlans,
    start: () => {
      observer.start(cache)
      for (const part of rows) part.start()
    },
    stop: () => {
      for (const part of [observer, ...rows]) part.stop()
    },
  }
}
