/** All views of one control plane, in the order in which they must start listening. */
import type { CauseFacts } from '@/lib/domain/cause'
import { evictionRules } from '@/lib/domain/eviction'
import type { FailoverSettings } from '@/lib/domain/failover'
import type { SchedulerProfile } from '@/lib/domain/placement'
import type { Lease } from '@/lib/kube/kinds/lease'
import type { Clock } from '@/lib/std/clock'
import type { ControlPlaneCache } from '../cache/control-plane-cache'
import type { Journal } from '../recorder/journal'
import { Observer } from '../recorder/observer'
import { ClusterRows } from './clusters'
import { WorkloadDetails } from './details'
import { ClusterLoads } from '../cache/cluster-loads'
import { DriftCache } from '../cache/drift-cache'
import { ExpectedPlacements } from '../cache/expected-placements'
import { FailoverRows } from './failover'
import { PlanRunRows } from './plan-runs'
import { PolicyRows } from './policies'
import { QueuePlanCache } from '../cache/queue-plan-cache'
import { QueueRows } from './queues'
import { ReadinessCache } from '../cache/readiness-cache'
import { ControlPlaneIds } from '../read-model/control-plane-ids'
import { ReadModels } from '../read-model/read-model'
import { RebalancerRows } from './rebalancers'
import { SpreadRows } from './spreads'
import { SummaryRow } from './summary'
import { WorkloadRows } from './workloads'

export type Views = ReturnType<typeof watchControlPlane>

interface Sources {
  cache: ControlPlaneCache
  journal: Journal
  clock: Clock
  failover?: FailoverSettings | undefined
  profile?: SchedulerProfile | undefined
  evictionsPerSecond?: number | undefined
  authorOf?: CauseFacts['author']
  /** Reads the Lease of Karmada's scheduler, if that schedules. */
  schedulerLease?: (() => Promise<Lease>) | undefined
  /** Called when something cannot be computed that no reader asked for. */
  onError: (error: unknown) => void
}

/** Creates the views. Nothing is followed before `start`. */
export function watchControlPlane(sources: Sources) {
  const { cache, clock, journal, failover, profile, evictionsPerSecond, authorOf, schedulerLease, onError } = sources
  const observer = new Observer(journal, { eviction: evictionRules(failover), scheduler: profile, authorOf })
  const elapsed = () => performance.now()
  const readiness = new ReadinessCache(cache, clock)
  const loads = new ClusterLoads(cache)
  const queuePlans = new QueuePlanCache(cache, clock, elapsed)
  const drifts = new DriftCache(cache, clock, { profile, elapsed })
  const expected = new ExpectedPlacements(cache, clock, profile, schedulerLease)
  const all = new ControlPlaneIds(cache)
  const models = new ReadModels({ cache, readiness, loads, journal, queues: queuePlans, drifts, expected })
  const clusters = new ClusterRows({ all, models, others: [loads.touched, readiness.touched] })
  const staysIn = (namespaces: readonly string[]) => journal.staysIn(namespaces)
  const queues = new QueueRows(all, models, queuePlans.queueTouched, { clock, staysIn })
  const workloads = new WorkloadRows({
    all,
    models,
    clock,
    answers: readiness.touched,
    others: [queuePlans.workloadTouched, drifts.touched],
  })
  const rebalancers = new RebalancerRows({ all, models, rows: workloads, expectedTouched: expected.touched })
  const failovers = new FailoverRows({
    cache,
    models,
    clock,
    journal,
    settings: failover,
    rows: workloads,
    evictionsPerSecond,
    onError,
  })
  const plans = new PlanRunRows(all, models)
  const policies = new PolicyRows(all, models, drifts.touched)
  const spreads = new SpreadRows(all, models, workloads)
  const { placementTouched } = journal
  const details = new WorkloadDetails({ all, models, rows: workloads, placementTouched, clock, failover })
  const summary = new SummaryRow(workloads, clusters, models)
  // The workloads are last, because the others listen to their signals.
  const others = [queues, clusters, rebalancers, plans, policies, spreads, details, failovers, summary, workloads]
  const parts = [readiness, loads, queuePlans, drifts, expected, ...others]
  return {
    models,
    clusters,
    workloads,
    rebalancers,
    plans,
    policies,
    spreads,
    details,
    failovers,
    summary,
    queues,
    queuePlans,
    expected,
    start: () => {
      observer.start(cache)
      for (const part of parts) part.start()
    },
    stop: () => {
      for (const part of [observer, ...parts]) part.stop()
    },
  }
}
