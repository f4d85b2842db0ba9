/**
 * The record that the console writes to a WorkloadRebalancer that it creates: placements before and in the preview.
 * Compact, because annotations of an object are limited to 256 KiB.
 */
import { z } from 'zod'
import type { ReplicasInCluster } from '../model'
import type { PlanTargetView } from '../rebalance-model'

/** Annotation with the record. */
export const PLAN_ANNOTATION = 'evenkeel.io/plan'
/** Annotation with the user who requested the rebalance. */
export const CREATED_BY_ANNOTATION = 'evenkeel.io/created-by'
/** Leaves space for other annotations. */
const MAX_CHARACTERS = 160 * 1024

/** Placement of a target before and in the preview. */
export interface PlannedMove {
  before: ReplicasInCluster[]
  predicted: ReplicasInCluster[]
  /** The preview called the prediction uncertain. */
  isUncertain: boolean
}

const distribution = z.record(z.string(), z.number().int())
const record = z.object({
  v: z.literal(1),
  targets: z.record(z.string(), z.tuple([distribution, distribution, z.literal(1).optional()])),
})

type Recorded = Pick<PlanTargetView, 'id' | 'before' | 'after' | 'moved' | 'uncertain'>

/** Returns the annotation. Targets that do not fit are omitted, unmoved ones first. */
export function writePlanRecord(targets: readonly Recorded[]): string {
  const kept: string[] = []
  let size = 0
  for (const target of targets.toSorted((a, b) => b.moved - a.moved)) {
    const move = [toRecord(target.before), toRecord(target.after), ...(target.uncertain ? [1] : [])]
    const line = `${JSON.stringify(target.id)}:${JSON.stringify(move)}`
    size += line.length + 1
    if (size > MAX_CHARACTERS) break
    kept.push(line)
  }
  return `{"v":1,"targets":{${kept.join(',')}}}`
}

/** Returns the moves by workload ID; empty if the record is absent or invalid. */
export function readPlanRecord(text: string | undefined): ReadonlyMap<string, PlannedMove> {
  const parsed = record.safeParse(parseJson(text))
  if (!parsed.success) return new Map()
  return new Map(
    Object.entries(parsed.data.targets).map(([id, [before, predicted, uncertain]]) => [
      id,
      { before: toReplicas(before), predicted: toReplicas(predicted), isUncertain: uncertain === 1 },
    ]),
  )
}

function parseJson(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text)
  } catch {
    // Users can edit annotations; one that is not JSON counts as absent.
    return undefined
  }
}

const toRecord = (replicas: readonly ReplicasInCluster[]): Record<string, number> =>
  Object.fromEntries(replicas.map((entry) => [entry.cluster, entry.replicas]))

const toReplicas = (counts: Record<string, number>): ReplicasInCluster[] =>
  Object.entries(counts).map(([cluster, replicas]) => ({ cluster, replicas }))

/** Returns the replicas that are added in clusters. Mostly both list the same clusters in the same order. */
export function replicasMoved(before: readonly ReplicasInCluster[], after: readonly ReplicasInCluster[]): number {
  let moved = 0
  for (const [at, { cluster, replicas }] of after.entries()) {
    const had = before[at]?.cluster === cluster ? before[at] : before.find((entry) => entry.cluster === cluster)
    moved += Math.max(0, replicas - (had?.replicas ?? 0))
  }
  return moved
}
