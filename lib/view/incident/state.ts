/** The recorded state of an incident at a time, and the resulting status of each workload. */
import type { IncidentRecord } from '../failover-model'
import type { JournalEntry, ReplicasFact, TaskFact } from '../journal'

/** Phase of a workload. `waiting`: still placed in the failed cluster. `unplaced`: no cluster takes all of it. */
export const PHASES = ['waiting', 'starting', 'recovered', 'unplaced', 'kept'] as const
export type WorkloadPhase = (typeof PHASES)[number]

/** Recorded state of one workload. */
export interface RecordedWorkload {
  replicas: ReadonlyMap<string, ReplicasFact>
  /** Clusters whose recording has ended; it may begin again. */
  ended: ReadonlySet<string>
  /** As last recorded: a recording that has ended may hold an older number. */
  desired: number
  /** The eviction task of the failed cluster. */
  task?: TaskFact | undefined
  /** The scheduler's message if it found no placement. */
  refusal?: string | undefined
  /** It is placed in the failed cluster, or was at the start of the incident. */
  isAffected: boolean
  isDeleted: boolean
}

/** Replicas of a workload, or of several, in one cluster. */
export interface LaneCounts {
  ready: number
  /** Placed in a responding cluster, but not ready. */
  starting: number
  /** Placed in a cluster that does not respond. */
  lost: number
}

export interface WorkloadStatus {
  phase: WorkloadPhase
  ready: number
  desired: number
}

type Subject = Pick<IncidentRecord, 'cluster'>

/** Ready is False or Unknown. A cluster without the condition was never observed. */
const isSilent = (status: string | undefined): boolean => status === 'False' || status === 'Unknown'

export const NO_WORKLOAD: RecordedWorkload = {
  replicas: new Map(),
  ended: new Set(),
  desired: 0,
  isAffected: false,
  isDeleted: false,
}

/** Returns the clusters that did not respond before the first entry. */
export function silentBefore({ readiness }: Pick<IncidentRecord, 'readiness'>): Set<string> {
  return new Set(Object.keys(readiness).filter((cluster) => isSilent(readiness[cluster])))
}

/** Applies an entry to its workload; returns the same object if nothing changes. */
export function takeEntry(known: RecordedWorkload, entry: JournalEntry, { cluster }: Subject): RecordedWorkload {
  switch (entry.what) {
    case 'replicas':
      return takeReplicas(known, entry, cluster)
    case 'task':
      if (entry.cluster !== cluster) return known
      return { ...known, task: entry.after, isAffected: true }
    case 'scheduled': {
      const isRefused = entry.after?.status === 'False'
      return { ...known, refusal: isRefused ? entry.after?.message : undefined }
    }
    case 'placement':
      return entry.after.length === 0 && entry.trigger === 'deletion' ? { ...known, isDeleted: true } : known
    default:
      return known
  }
}

type ReplicasEntry = Extract<JournalEntry, { what: 'replicas' }>

/**
 * The end of the recording changes nothing: the last known state remains. A recording that begins again names every
 * cluster of the workload, so what ended before does not count any more.
 */
function takeReplicas(known: RecordedWorkload, entry: ReplicasEntry, failed: string | undefined): RecordedWorkload {
  const { cluster, before, after } = entry
  if (!after) return { ...known, ended: new Set(known.ended).add(cluster) }
  const beginsAgain = before === undefined && known.ended.size > 0
  const kept = beginsAgain ? [...known.replicas].filter(([name]) => !known.ended.has(name)) : known.replicas
  const wasThere = cluster === failed && Math.max(after.placed, before?.placed ?? 0) > 0
  return {
    ...known,
    replicas: new Map(kept).set(cluster, after),
    ended: beginsAgain ? NO_WORKLOAD.ended : known.ended,
    desired: after.desired,
    isAffected: known.isAffected || wasThere || failed === undefined,
  }
}

/** Reports whether a cluster responds after an entry about its readiness. */
export const answersAfter = (entry: Extract<JournalEntry, { what: 'ready' }>): boolean => !isSilent(entry.after?.status)

/** Returns the known replicas of a workload in each cluster. Workloads without replicas do not count. */
export function lanesOf({ replicas }: RecordedWorkload, silent: ReadonlySet<string>): [string, LaneCounts][] {
  return [...replicas].flatMap(([cluster, { placed, ready, copies }]): [string, LaneCounts][] => {
    if (copies) return []
    if (silent.has(cluster)) return [[cluster, { ready: 0, starting: 0, lost: placed }]]
    return [[cluster, { ready, starting: Math.max(0, placed - ready), lost: 0 }]]
  })
}

/** Returns the status of a workload from its recorded state. */
export function statusOf(workload: RecordedWorkload, silent: ReadonlySet<string>, failed?: string): WorkloadStatus {
  const facts = [...workload.replicas]
  const answering = facts.filter(([cluster]) => !silent.has(cluster))
  const ready = sum(answering, ({ ready }) => ready)
  const elsewhere = sum(answering, ({ placed }) => placed)
  return { phase: phaseOf({ workload, ready, elsewhere, failed }), ready, desired: workload.desired }
}

interface Facts {
  workload: RecordedWorkload
  ready: number
  elsewhere: number
  failed: string | undefined
}

function phaseOf({ workload, ready, elsewhere, failed }: Facts): WorkloadPhase {
  const { desired } = workload
  if (ready >= desired) return 'recovered'
  if (workload.task?.suppressDeletion === true) return 'kept'
  const isThere = failed !== undefined && (workload.replicas.get(failed)?.placed ?? 0) > 0
  if (isThere) return 'waiting'
  return workload.refusal !== undefined && elsewhere < desired ? 'unplaced' : 'starting'
}

function sum(facts: readonly [string, ReplicasFact][], pick: (fact: ReplicasFact) => number): number {
  return facts.reduce((all, [, fact]) => all + pick(fact), 0)
}
