/**
 * The journal: changes that the server observed, one entry each, in order of observation. The API contains only the
 * current state; the journal is the record of the past. An entry contains the state before and after, so it is
 * independent of other entries.
 */
import type { CauseCode, PlacementCause } from '@/lib/domain/cause'
import type { IgnoredTrigger } from '@/lib/domain/rebalance'
import type { LossPrediction, PredictionCheck } from '@/lib/domain/rebalance/loss'
import type { PlanAccuracy } from './plan-flow/accuracy'
import type { ConditionView, ReplicasInCluster, TaintView } from './model'

/** Causes in entries of older versions, which do not distinguish failovers or schedulings. */
export const FORMER_TRIGGERS = ['failover', 'scaling', 'scheduling'] as const

/** The first cause of a placement change. */
export type PlacementTrigger = CauseCode | (typeof FORMER_TRIGGERS)[number]

/** Ready condition of a cluster. */
export interface ReadyFact {
  status: 'True' | 'False' | 'Unknown' | 'Missing'
  reason: string
  message: string
}

/** Another condition of a cluster. Only its status is recorded, because reasons may change with every report. */
export interface ConditionFact {
  type: string
  status: ConditionView['status']
}

/** An eviction task, and whether its complete replacement is healthy. */
export interface TaskFact {
  reason: string
  producer: string
  purgeMode?: string
  replicas?: number
  createdAt?: string
  gracePeriodSeconds?: number
  suppressDeletion?: boolean
  replaced: boolean
  /** Why it was created, as determined when it was first observed; absent in entries of older versions. */
  causes?: PlacementCause[]
}

/** The latest scheduling of a workload. */
export interface ScheduledFact {
  status: string
  reason: string
  message: string
  /** Time of the last success, RFC 3339. */
  time?: string
}

/** Replicas of a workload in one cluster, as last reported by the cluster. Recorded during a failover or a move. */
export interface ReplicasFact {
  /** Replicas assigned by the scheduler; 0 if the workload leaves the cluster or has left it. */
  placed: number
  /** Ready replicas of them in the last report, whether or not the cluster responds now. */
  ready: number
  /** Ready old replicas, in a cluster that the workload leaves. */
  old?: number
  /** Desired replicas in all clusters together. */
  desired: number
  /** The workload has no replicas: each cluster has one copy of it. */
  copies?: true
}

/** Requests of a cluster's pods, and its allocatable resources: CPU in millicores, memory in bytes, pods. */
export interface LoadFact {
  cpu?: Amount
  memory?: Amount
  pods?: Amount
}

export interface Amount {
  allocatable: number
  allocated: number
}

/** The prediction for a workload when its cluster was lost, with its result once known. */
export interface PredictionFact extends LossPrediction, Partial<PredictionCheck> {
  /** When the cluster was lost, RFC 3339: which incident it belongs to. */
  since: string
}

interface OfCluster {
  cluster: string
}

interface OfWorkload {
  /** Workload ID. */
  workload: string
}

interface Changed<T> {
  /** Absent: it did not exist. */
  before?: T
  /** Absent: it was removed. */
  after?: T
}

/** `trigger` is the code of the first cause; `causes` is absent in entries of older versions. */
export interface CausedBy {
  trigger: PlacementTrigger
  causes?: PlacementCause[]
}

export type JournalFact =
  | ({ what: 'ready' } & OfCluster & Changed<ReadyFact>)
  | ({ what: 'condition' } & OfCluster & Changed<ConditionFact>)
  | ({ what: 'taint' } & OfCluster & Changed<TaintView>)
  /** At most one per five minutes, except for large changes: see `server/bff/recorder/load-facts.ts`. */
  | ({ what: 'load' } & OfCluster & Changed<LoadFact>)
  | ({ what: 'task' } & OfWorkload & OfCluster & Changed<TaskFact>)
  | ({ what: 'placement' } & CausedBy & OfWorkload & Required<Changed<ReplicasInCluster[]>>)
  | ({ what: 'scheduled' } & OfWorkload & Changed<ScheduledFact>)
  /** A trigger that the scheduler ignored; without `after`, another trigger replaced it. */
  | ({ what: 'ignored' } & OfWorkload & Changed<IgnoredTrigger>)
  | ({ what: 'applied' } & OfWorkload & OfCluster & Changed<boolean>)
  | ({ what: 'health' } & OfWorkload & OfCluster & Changed<string>)
  /** Without `after`, the recording ended: the last known state remains. */
  | ({ what: 'replicas' } & OfWorkload & OfCluster & Changed<ReplicasFact>)
  | ({ what: 'prediction' } & OfWorkload & OfCluster & Changed<PredictionFact>)
  /** Resilience score of the fleet, recorded when it changes. */
  | { what: 'resilience'; before?: number; after: number }
  /** How well the prediction of a plan came true, once when it finished: the plan may be deleted. */
  | ({ what: 'accuracy' } & PlanAccuracy)
  /**
   * Nothing was observed from `from` until the entry's time: the process was not running, or the control plane did not
   * respond. `unrecorded`: the answer starts before the journal; never stored.
   */
  | { what: 'gap'; from: string; why: 'stopped' | 'unreachable' | 'unrecorded' }

export type JournalEntry = JournalFact & {
  /** Increases by one with each entry, also across restarts. */
  seq: number
  /** Time of observation: RFC 3339 with milliseconds. */
  at: string
  /** The change happened earlier: it was found at the start or after a gap. */
  late?: true
}

const WHATS: ReadonlySet<string> = new Set([
  'ready',
  'condition',
  'taint',
  'load',
  'task',
  'placement',
  'scheduled',
  'ignored',
  'applied',
  'health',
  'replicas',
  'prediction',
  'resilience',
  'accuracy',
  'gap',
] satisfies JournalFact['what'][])

/** Parses a line; undefined for a damaged one or one of a later version. */
export function parseJournalLine(line: string): JournalEntry | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return isEntry(value) ? value : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function isEntry(value: unknown): value is JournalEntry {
  if (typeof value !== 'object' || value === null) return false
  const { seq, at, what } = value as Record<string, unknown>
  return typeof seq === 'number' && typeof at === 'string' && typeof what === 'string' && WHATS.has(what)
}

/** Entries about no object that still has to be there. */
export type FleetEntry = Extract<JournalEntry, { what: 'resilience' | 'accuracy' }>

export const isOfFleet = (entry: JournalEntry): entry is FleetEntry =>
  entry.what === 'resilience' || entry.what === 'accuracy'

/** The requested entries. Gaps are always included, and readiness of clusters for workloads. */
export interface JournalQuery {
  workload?: string
  cluster?: string
  /** RFC 3339. */
  since?: string
  /** Entry types to include. */
  whats?: readonly JournalFact['what'][]
}

/** Reports whether an entry matches a query by workload, and by cluster if one is given. */
export function answersQuery(entry: JournalEntry, { workload, cluster, since, whats }: JournalQuery): boolean {
  if (whats !== undefined && !whats.includes(entry.what)) return false
  if (since !== undefined && Date.parse(entry.at) < Date.parse(since)) return false
  if (entry.what === 'gap') return true
  if (isOfFleet(entry)) return workload === undefined && cluster === undefined
  if (workload !== undefined && entry.what === 'ready') return cluster === undefined || entry.cluster === cluster
  if (workload !== undefined && (!('workload' in entry) || entry.workload !== workload)) return false
  return cluster === undefined || concerns(entry, cluster)
}

/** A placement concerns every cluster that it adds, changes or leaves. */
function concerns(entry: Exclude<JournalEntry, { what: 'gap' } | FleetEntry>, cluster: string): boolean {
  if ('cluster' in entry) return entry.cluster === cluster
  if (entry.what !== 'placement') return false
  return [...entry.before, ...entry.after].some((each) => each.cluster === cluster)
}
