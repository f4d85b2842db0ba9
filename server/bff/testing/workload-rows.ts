/** The rows of workloads over a cache that a test fills, with their read models. */
import type { Clock } from '@/lib/std/clock'
import { ClusterLoads } from '../cache/cluster-loads'
import type { ControlPlaneCache } from '../cache/control-plane-cache'
import type { DriftCache } from '../cache/drift-cache'
import type { QueuePlanCache } from '../cache/queue-plan-cache'
import { ReadinessCache } from '../cache/readiness-cache'
import { ControlPlaneIds } from '../read-model/control-plane-ids'
import { ReadModels } from '../read-model/read-model'
import { WorkloadRows } from '../views/workloads'

export function workloadRowsOf(
  cache: ControlPlaneCache,
  clock: Clock,
  { queues, drifts }: { queues?: QueuePlanCache; drifts?: DriftCache } = {},
) {
  const readiness = new ReadinessCache(cache, clock)
  const loads = new ClusterLoads(cache)
  const all = new ControlPlaneIds(cache)
  const models = new ReadModels({ cache, readiness, loads, queues, drifts })
  const others = [queues?.workloadTouched, drifts?.touched].flatMap((signal) => signal ?? [])
  const workloads = new WorkloadRows({ all, models, clock, answers: readiness.touched, others })
  const parts = [readiness, loads, workloads]
  return {
    all,
    models,
    readiness,
    loads,
    workloads,
    start: () => {
      for (const part of parts) part.start()
    },
    stop: () => {
      for (const part of parts) part.stop()
    },
  }
}
