/**
 * The journal: what the server observed, one entry for each change, in the order in which it was seen. The API holds only
 * the present; this is what remains of the past. An entry carries the state before and after, so it needs no other entry.
 */
import type { CauseCode, PlacementCause } from '@/lib/domain/cause'
import type { IgnoredTrigger } from '@/lib/domain/rebalance'
import type { Foretold, Outturn } from '@/lib/domain/rebalance/loss'
import type { ConditionView, ReplicasInCluster, TaintView } from './model'

/** Causes that older versions wrote, without telling what made a failover or a scheduling. */
export const FORMER_TRIGGERS = ['failover', 'scaling', 'scheduling'] as const

/** The first cause of a placement change. */
export type PlacementTrigger = CauseCode | (typeof FORMER_TRIGGERS)[number]

/** What the Ready condition of a cluster says. */
export interface ReadyFact {
  status: 'True' | 'False' | 'Unknown' | 'Missing'
  reason: string
  message: string
}

/** Another condition of a cluster. Only its status is kept: reasons may change with every report. */
export interface ConditionFact {
  type: string
  status: ConditionView['status']
}

/** An eviction task, and whether all that replaces the copy is healthy. */
export interface TaskFact {
  reason: string
  producer: string
  purgeMode?: string
  replicas?: number
  createdAt?: string
  gracePeriodSeconds?: number
  suppressDeletion?: boolean
  replaced: boolean
  /** Why it was made, as it was when the task was first seen; absent in entries of older versions. */
  causes?: PlacementCause[]
}

/** The latest scheduling of a workload. */
export interface ScheduledFact {
  status: string
  reason: string
  message: string
  /** When it last succeeded, RFC 3339. */
  time?: string
}

/** The replicas of a workload in one cluster, as the cluster last reported them. Kept while a failover or a move concerns it. */
export interface ReplicasFact {
  /** What the scheduler put in the cluster; 0 when the workload leaves it or has left it. */
  placed: number
  /** Those of them that the last report counts as ready, whether or not the cluster answers now. */
  ready: number
  /** Old replicas that are ready: they run where the workload leaves. */
  old?: number
  /** What the workload is to have in all clusters together. */
  desired: number
  /** The workload has no replicas: each cluster has one copy of it. */
  copies?: true
}

/** What the pods of a cluster request, and what it has: CPU in thousandths, memory in bytes, pods. */
export interface LoadFact {
  cpu?: Amount
  memory?: Amount
  pods?: Amount
}

export interface Amount {
  allocatable: number
  allocated: number
}

/** What was foretold of a workload when the cluster was lost, and what became of it as soon as that is known. */
export interface PredictionFact extends Foretold, Partial<Outturn> {
  /** When the cluster was lost, RFC 3339: which incident it belongs to. */
  since: string
}

interface OfCluster {
  cluster: string
}

interface OfWorkload {
  /** Workload id. */
  workload: string
}

interface Changed<T> {
  /** Absent: it was not there. */
  before?: T
  /** Absent: it is gone. */
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
  /** At most one in five minutes, unless it changes a lot: see `server/bff/recorder/load-facts.ts`. */
  | ({ what: 'load' } & OfCluster & Changed<LoadFact>)
  | ({ what: 'task' } & OfWorkload & OfCluster & Changed<TaskFact>)
  | ({ what: 'placement' } & CausedBy & OfWorkload & Required<Changed<ReplicasInCluster[]>>)
  | ({ what: 'scheduled' } & OfWorkload & Changed<ScheduledFact>)
  /** A trigger that the scheduler ignored; without `after`, another one took its place. */
  | ({ what: 'ignored' } & OfWorkload & Changed<IgnoredTrigger>)
  | ({ what: 'applied' } & OfWorkload & OfCluster & Changed<boolean>)
  | ({ what: 'health' } & OfWorkload & OfCluster & Changed<string>)
  /** Without `after`, the recording ended: what was last known still holds. */
  | ({ what: 'replicas' } & OfWorkload & OfCluster & Changed<ReplicasFact>)
  | ({ what: 'prediction' } & OfWorkload & OfCluster & Changed<PredictionFact>)
  /** The score of the fleet, when it was computed and differs from the one before. */
  | { what: 'resilience'; before?: number; after: number }
  /**
   * From `from` until the entry's time nothing was observed: the process was down, or the control plane did not answer.
   * `unrecorded`: an answer that begins before the journal does; never written.
   */
  | { what: 'gap'; from: string; why: 'stopped' | 'unreachable' | 'unrecorded' }

export type JournalEntry = JournalFact & {
  /** Grows by one with each entry, over restarts too. */
  seq: number
  /** When it was seen: RFC 3339 with milliseconds. */
  at: string
  /** It happened before it was seen: found at the start, or after a gap. */
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
  'gap',
] satisfies JournalFact['what'][])

/** The entry that a line holds; undefined for a line that is damaged or of a later version. */
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

/** What of the journal is asked for. Gaps belong to every answer, and the readiness of clusters to those about a workload. */
export interface JournalQuery {
  workload?: string
  cluster?: string
  /** RFC 3339. */
  since?: string
  /** Only entries of these kinds. */
  whats?: readonly JournalFact['what'][]
}

/** Whether an entry answers a question: about that workload, and about that cluster where it names one. */
export function answersQuery(entry: JournalEntry, { workload, cluster, since, whats }: JournalQuery): boolean {
  if (whats !== undefined && !whats.includes(entry.what)) return false
  if (since !== undefined && Date.parse(entry.at) < Date.parse(since)) return false
  if (entry.what === 'gap') return true
  if (entry.what === 'resilience') return workload === undefined && cluster === undefined
  if (workload !== undefined && entry.what === 'ready') return cluster === undefined || entry.cluster === cluster
  if (workload !== undefined && (!('workload' in entry) || entry.workload !== workload)) return false
  return cluster === undefined || concerns(entry, cluster)
}

/** A placement concerns every cluster that it adds, changes or leaves. */
function concerns(entry: Exclude<JournalEntry, { what: 'gap' | 'resilience' }>, cluster: string): boolean {
  if ('cluster' in entry) return entry.cluster === cluster
  if (entry.what !== 'placement') return false
  return [...entry.before, ...entry.after].some((each) => each.cluster === cluster)
}
