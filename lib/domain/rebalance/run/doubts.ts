/** Marks predictions of workloads that a plan starts now, and that the scheduler may decide otherwise. */
import type { PlannedWorkload } from '@/lib/kube/kinds/rebalance-plan'
import { parseTime } from '@/lib/std/clock'
import type { Binding } from '../../placement'
import type { RecentMove } from '../recent-moves'
import { workloadKey } from '../sync-status'
import { doubtsOf } from '../uncertainty'
import type { RunSnapshot } from './snapshot'
import { isActive } from './stages'

/** Old replicas are gone when a workload is done; clusters report that with their next status (10 s by Karmada's default). */
const UNREPORTED_FOR_MS = 30_000

/** A workload that starts, and its binding as the scheduler will read it. */
export interface Starting {
  entry: PlannedWorkload
  binding: Binding
}

/** Returns the entries with their doubts. `entries` are those of the plan before. */
export function withDoubts(
  starting: readonly Starting[],
  entries: readonly PlannedWorkload[],
  { clusters, profile, bindings, now }: Pick<RunSnapshot, 'clusters' | 'profile' | 'bindings' | 'now'>,
): PlannedWorkload[] {
  const targets = starting.map(({ entry, binding }) => ({
    workload: entry.workload,
    after: entry.predicted ?? [],
    entry,
    binding,
  }))
  const doubts = doubtsOf({
    targets,
    bindingOf: ({ binding }) => binding,
    clusters,
    profile,
    underWay: entries.flatMap((entry) => moveUnderWay(entry, bindings, now)),
  })
  return targets.map((target) => {
    const doubt = doubts.get(target)
    if (!doubt) return target.entry
    const other = doubt.other?.map(({ name, replicas = 0 }) => ({ name, replicas }))
    return { ...target.entry, uncertain: { reason: doubt.note.code, ...(other && { other }) } }
  })
}

/** Returns the move of a workload that clusters may not have reported completely. */
function moveUnderWay(entry: PlannedWorkload, bindings: RunSnapshot['bindings'], now: number): RecentMove[] {
  const { workload, before = [], predicted = [], actual = predicted, stage, finishedAt = '' } = entry
  const isRecent = stage === 'Done' && now - parseTime(finishedAt) < UNREPORTED_FOR_MS
  const binding = isActive(entry) || isRecent ? bindings.get(workloadKey(workload)) : undefined
  return binding ? [{ binding: { ...binding, spec: { ...binding.spec, clusters: before } }, after: actual }] : []
}
