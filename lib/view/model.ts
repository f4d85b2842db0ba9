/**
 * View models: what the console shows, already decided, in plain data, derived from the schemas of the HTTP
 * API, where fields are explained. The server projects caches into these (lib/view/project), the browser only draws
 * them. Unchanged input gives the same object again.
 */
import type { z } from 'zod'
import type {
  aboutSchema,
  blockerSchema,
  capacitySchema,
  cellSchema,
  clusterSchema,
  conditionSchema,
  evictionTaskSchema,
  heldSchema,
  overrideSchema,
  refSchema,
  replicaCountsSchema,
  replicasSchema,
  stateSchema,
  stateViewSchema,
  taintSchema,
  timelineEntrySchema,
  whySchema,
  workloadDetailSchema,
  workloadSchema,
} from './schemas/fleet'

/** The six states of the design language. Each is shown as a shape and a word. */
export type State = z.infer<typeof stateSchema>

/** A state with the sentence that explains it. */
export type StateView = z.infer<typeof stateViewSchema>

/** Amounts of one resource in one cluster, in base units: milli-CPU, bytes, pods. */
export type CapacityView = z.infer<typeof capacitySchema>

export type TaintView = z.infer<typeof taintSchema>

export type ConditionView = z.infer<typeof conditionSchema>

/**
 * Replicas, counted by one rule on every page (project/replica-counts.ts). `ready` and `unknown` never overlap, and
 * `ready <= current <= desired`, `ready + unknown <= desired`. Absent optional counts are 0.
 */
export type ReplicaCounts = z.infer<typeof replicaCountsSchema>

/** One member cluster. `id` is its name. */
export type ClusterView = z.infer<typeof clusterSchema>

/**
 * One workload in one cluster: a cell of the fleet matrix. `desired` is what the scheduler put here, 0 when the workload
 * is leaving.
 */
export type CellView = z.infer<typeof cellSchema>

/** The object that a binding is about. */
export type WorkloadRef = z.infer<typeof refSchema>

/**
 * One propagated template with its binding. `id` is `apiVersion/kind/namespace/name` with `-` for no namespace and `~`
 * for slashes inside apiVersion. `desired` is what the template asks for (times clusters when Duplicated), the other
 * counts are sums over the cells.
 */
export type WorkloadView = z.infer<typeof workloadSchema>

export type DivisionStrategy = WorkloadView['strategy']

/** Why one workload is not scheduled; on its row and its page. */
export type HeldView = z.infer<typeof heldSchema>

export type EvictionTaskView = z.infer<typeof evictionTaskSchema>

/** One override rule that was applied to the copy in a cluster. */
export type OverrideView = z.infer<typeof overrideSchema>

/** Something that happened, newest first in lists. `id` is stable. */
export type TimelineEntryView = z.infer<typeof timelineEntrySchema>

/** Why nothing happens to a workload. */
export type BlockerView = z.infer<typeof blockerSchema>

/** All of one workload: what its page shows. */
export type WorkloadDetailView = z.infer<typeof workloadDetailSchema>

/** Why a cluster has or has not the workload, were it scheduled afresh now. */
export type WhyView = z.infer<typeof whySchema>

export type ReplicasInCluster = z.infer<typeof replicasSchema>

/** What control plane this console looks at, and what was found there. */
export type AboutView = z.infer<typeof aboutSchema>

export type TroubledView = AboutView['troubled'][number]
