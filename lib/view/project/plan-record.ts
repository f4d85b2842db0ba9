/**
 * What the console writes on a WorkloadRebalancer that it creates: where each workload was, and where the preview put
 * it. Compact, for an object carries at most 256 KiB of annotations.
 */
import { z } from 'zod'
import type { ReplicasInCluster } from '../model'
import type { PlanTargetView } from '../rebalance-model'

/** The annotation that carries the record. */
export const PLAN_ANNOTATION = 'evenkeel.io/plan'
/** The annotation that names who asked for the rebalance. */
export const CREATED_BY_ANNOTATION = 'evenkeel.io/created-by'
/** Leaves room for what others write. */
const MOST_CHARACTERS = 160 * 1024

/** Where one target was, and where it was predicted to go. */
export interface PlannedMove {
  before: ReplicasInCluster[]
  predicted: ReplicasInCluster[]
}

const distribution = z.record(z.string(), z.number().int())
const record = z.object({ v: z.literal(1), targets: z.record(z.string(), z.tuple([distribution, distribution])) })

/** The text of the annotation. Targets that do not fit any more are left out; those that move come first. */
export function writePlanRecord(targets: readonly Pick<PlanTargetView, 'id' | 'before' | 'after' | 'moved'>[]): string {
  const kept: string[] = []
  let size = 0
  for (const target of targets.toSorted((a, b) => b.moved - a.moved)) {
    const line = `${JSON.stringify(target.id)}:${JSON.stringify([toRecord(target.before), toRecord(target.after)])}`
    size += line.length + 1
    if (size > MOST_CHARACTERS) break
    kept.push(line)
  }
  return `{"v":1,"targets":{${kept.join(',')}}}`
}

/** The moves by workload id; empty when there is no record, or none that can be read. */
export function readPlanRecord(text: string | undefined): ReadonlyMap<string, PlannedMove> {
  const parsed = record.safeParse(parseJson(text))
  if (!parsed.success) return new Map()
  return new Map(
    Object.entries(parsed.data.targets).map(([id, [before, predicted]]) => [
      id,
      { before: toReplicas(before), predicted: toReplicas(predicted) },
    ]),
  )
}

function parseJson(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text)
  } catch {
    // Users can edit annotations: one that is not JSON is no record.
    return undefined
  }
}

const toRecord = (replicas: readonly ReplicasInCluster[]): Record<string, number> =>
  Object.fromEntries(replicas.map((entry) => [entry.cluster, entry.replicas]))

const toReplicas = (counts: Record<string, number>): ReplicasInCluster[] =>
  Object.entries(counts).map(([cluster, replicas]) => ({ cluster, replicas }))

/** Replicas that appear in clusters where they were not. */
export function replicasMoved(before: readonly ReplicasInCluster[], after: readonly ReplicasInCluster[]): number {
  const had = new Map(before.map((entry) => [entry.cluster, entry.replicas]))
  return after.reduce((moved, { cluster, replicas }) => moved + Math.max(0, replicas - (had.get(cluster) ?? 0)), 0)
}
