/** One pass of the graceful eviction loop over one binding, against recorded passes of the real one. */
import { assessEvictionTasks, type EvictionPlan, type EvictionSnapshot } from '@/lib/domain/eviction'
import type { BindingSpec, BindingStatus, GracefulEvictionTask } from '@/lib/kube/kinds/binding'
import { parseTime } from '@/lib/std/clock'
import { differs } from '../compare'
import type { Case, Judge, Suite } from '../suite'

/** One binding at one instant. */
export interface EvictionInput {
  now: string
  /** As Go prints a duration: `10m0s`. */
  gracefulEvictionTimeout: string
  metadata: { generation?: number; deleting?: boolean }
  spec: Pick<BindingSpec, 'clusters' | 'gracefulEvictionTasks'>
  status: Pick<BindingStatus, 'schedulerObservedGeneration' | 'aggregatedStatus'>
}

interface Output {
  gracefulEvictionTasks: GracefulEvictionTask[] | null
  evictedClusters: string[] | null
  patched: boolean
  requeueAfterSeconds: number | null
  events: string[] | null
}

/** How tasks are judged besides their time. */
export type EvictionSwitches = Pick<
  EvictionSnapshot,
  'emptyCountsAsHealthy' | 'extendGrace' | 'countReplicas' | 'knownClusters'
>

/** Judges the tasks of an input. */
export function assessInput(
  { now, gracefulEvictionTimeout, metadata, spec, status }: EvictionInput,
  switches: EvictionSwitches,
): EvictionPlan {
  return assessEvictionTasks({
    now: parseTime(now),
    timeoutMs: goDurationMs(gracefulEvictionTimeout),
    generation: metadata.generation ?? 0,
    schedulerObservedGeneration: status.schedulerObservedGeneration ?? 0,
    clusters: spec.clusters ?? [],
    tasks: spec.gracefulEvictionTasks ?? [],
    aggregatedStatus: status.aggregatedStatus ?? [],
    ...switches,
  })
}

/** Recorded with upstream's rule that an unscheduled workload counts as healthy. */
function judge({ input, output }: Case<EvictionInput, Output>): string | undefined {
  const untouched: EvictionPlan = {
    tasks: input.spec.gracefulEvictionTasks ?? [],
    dropped: [],
    extended: [],
    changed: false,
  }
  const plan = input.metadata.deleting ? untouched : assessInput(input, { emptyCountsAsHealthy: true })
  const actual = {
    gracefulEvictionTasks: plan.tasks,
    evictedClusters: plan.dropped.map(({ cluster }) => cluster),
    patched: plan.changed,
    requeueAfterSeconds: requeueSeconds(plan, parseTime(input.now)),
    events: plan.dropped.flatMap(({ cluster }) =>
      twice(`Normal EvictWorkloadFromClusterSucceed Evict from cluster ${cluster} succeed.`),
    ),
  }
  const expected = {
    gracefulEvictionTasks: output.gracefulEvictionTasks ?? [],
    evictedClusters: output.evictedClusters ?? [],
    patched: output.patched,
    requeueAfterSeconds: output.requeueAfterSeconds,
    events: output.events ?? [],
  }
  return differs('pass', actual, expected)
}

/** The recorded loop does not look again when a grace ends exactly now. */
function requeueSeconds({ graceEndsAt }: EvictionPlan, now: number): number | null {
  return graceEndsAt !== undefined && graceEndsAt > now ? (graceEndsAt - now) / 1000 : null
}

/** The event is recorded for the binding and for the resource. */
const twice = (text: string): string[] => [text, text]

function goDurationMs(text: string): number {
  const [, hours = '0', minutes = '0', seconds = '0'] = /^(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?$/.exec(text) ?? []
  return (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000
}

export const suite: Suite = { name: 'eviction', judge: judge as Judge }
