/**
 * View models: what the console shows, as plain data. Derived from the schemas of the HTTP API, which document the
 * fields. The server projects caches into them (lib/view/project); the browser only renders them. Unchanged input
 * returns the same object.
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

/** The six states of the design language, each shown as a shape and a word. */
export type State = z.infer<typeof stateSchema>

/** A state with the sentence that explains it. */
export type StateView = z.infer<typeof stateViewSchema>

/** Amounts of one resource in one cluster, in base units: millicores, bytes, pods. */
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
 * One workload in one cluster: a cell of the fleet matrix. `desired` is what the scheduler assigned to the cluster, 0
 * if the workload leaves it.
 */
export type CellView = z.infer<typeof cellSchema>

/** The object of a binding. */
export type WorkloadRef = z.infer<typeof refSchema>

/**
 * One propagated template with its binding. `id` is `apiVersion/kind/namespace/name` with `-` for no namespace and `~`
 * for slashes in apiVersion. `desired` is the template's number (times the clusters if Duplicated); the other counts
 * are sums over the cells.
 */
export type WorkloadView = z.infer<typeof workloadSchema>

export type DivisionStrategy = WorkloadView['strategy']

/** Why a workload is not scheduled; shown in its row and on its page. */
export type HeldView = z.infer<typeof heldSchema>

export type EvictionTaskView = z.infer<typeof evictionTaskSchema>

/** An override rule that was applied for a cluster. */
export type OverrideView = z.infer<typeof overrideSchema>

/** An event of a timeline, newest first in lists. `id` is stable. */
export type TimelineEntryView = z.infer<typeof timelineEntrySchema>

/** What blocks a workload. */
export type BlockerView = z.infer<typeof blockerSchema>

/** Everything that the page of a workload shows. */
export type WorkloadDetailView = z.infer<typeof workloadDetailSchema>

/** Why a cluster would or would not be selected if the workload were scheduled fresh now. */
export type WhyView = z.infer<typeof whySchema>

export type ReplicasInCluster = z.infer<typeof replicasSchema>

/** The connected control plane and its properties. */
export type AboutView = z.infer<typeof aboutSchema>

export type TroubledView = AboutView['troubled'][number]
