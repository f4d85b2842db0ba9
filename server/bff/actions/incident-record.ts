/** Reads from the journal the record of an outage, of the failover of one workload, or of a RebalancePlan. */
import { isProtection } from '@/lib/domain/eviction'
import { message } from '@/lib/messages/message'
import { type EpochMs, isoTime, parseTime } from '@/lib/std/clock'
import type { RecordQuery } from '@/lib/view/actions'
import type { IncidentRecord } from '@/lib/view/failover-model'
import type { JournalEntry, ReadyFact, ReplicasFact } from '@/lib/view/journal'
import { clusterSubject } from '@/lib/view/project/journal-facts'
import type { Scope } from '../access/access'
import { CLUSTERS, seesAllWorkloads, seesWorkloadThen } from '../access/resources'
import { refuse } from '../http/refusal'
import type { Journal } from '../recorder/journal'
import type { ApiDeps } from './api-deps'
import { seesEntry } from './read-journal'

/** A failover of 1,000 workloads has about 10,000 entries. */
const MAX_ENTRIES = 50_000
/** The entry kinds that `belongs` reads. Lines of other kinds, mostly `load`, are not parsed. */
const WHATS = ['gap', 'ready', 'taint', 'task', 'placement', 'replicas', 'scheduled', 'prediction'] as const
/** How long after the end of an outage its workloads are followed if they have not recovered earlier. */
const AFTERMATH_MS = 600_000
/** Times in plans have whole seconds. */
const ROUNDING_MS = 1_000

/** The subject of the record, and its time range. */
interface Subject {
  cluster?: string
  workload?: string
  since: string
  endedAt?: string
  /** Entries from this time on belong to it. */
  from: EpochMs
  /** The workloads of a plan. */
  members?: ReadonlySet<string>
}

export interface RecordDeps extends Pick<ApiDeps, 'journal' | 'clock'> {
  views: { plans: Pick<ApiDeps['views']['plans'], 'page'> }
}

/**
 * Throws a refusal for an incident that never happened and for one that the reader may not view; the two look the same.
 */
export async function readIncident(deps: RecordDeps, query: RecordQuery, scope: Scope): Promise<IncidentRecord> {
  const subject = subjectOf(deps, query, scope)
  if (!subject) throw refuse(404, 'NotFound', message('api.refused.notFound', nameOf(query)))
  const { cluster, workload, since, endedAt } = subject
  const found = await collect(deps.journal, { subject, scope, after: Number(query.after ?? 0) })
  return {
    ...(cluster !== undefined && { cluster }),
    ...(workload !== undefined && { workload }),
    since,
    ...(endedAt !== undefined && { endedAt }),
    now: isoTime(deps.clock.now()),
    ...found,
    partial: workload === undefined && !seesAllWorkloads(scope),
  }
}

const nameOf = ({ cluster = '', workload, plan }: RecordQuery): { kind: string; name: string } =>
  plan === undefined ? { kind: 'Failover', name: workload ?? cluster } : { kind: 'RebalancePlan', name: plan }

function subjectOf(deps: RecordDeps, query: RecordQuery, scope: Scope): Subject | undefined {
  const { cluster, workload, plan } = query
  if (plan !== undefined) return ofPlan(deps, plan, scope)
  if (cluster === undefined) return undefined
  const subject = workload === undefined ? ofOutage(deps.journal, cluster, query.since) : undefined
  if (subject) return scope.sees(CLUSTERS) ? subject : undefined
  if (workload === undefined) return undefined
  const failover = ofFailover(deps.journal, { workload, cluster }, query.since)
  return failover && seesWorkloadThen(scope, workload, failover.since) ? failover : undefined
}

function ofPlan({ views }: RecordDeps, name: string, scope: Scope): Subject | undefined {
  const plan = views.plans.page(name, scope)
  if (plan?.startedAt === undefined) return undefined
  return {
    since: plan.startedAt,
    ...(plan.finishedAt !== undefined && { endedAt: plan.finishedAt }),
    from: parseTime(plan.startedAt) - ROUNDING_MS,
    members: new Set(plan.targets.map(({ id }) => id)),
  }
}

function ofOutage(journal: Journal, cluster: string, asked: string | undefined): Subject | undefined {
  const running = journal.outageSince(cluster)
  if (running !== undefined && (asked === undefined || asked === running)) {
    return { cluster, since: running, from: parseTime(running) }
  }
  const past =
    asked === undefined
      ? journal.pastFailovers(0).find((each) => each.kind === 'cluster' && each.cluster === cluster)
      : journal.pastFailover(`${cluster} ${asked}`)
  const since = past?.unhealthySince
  return past && since !== undefined ? { cluster, since, endedAt: past.endedAt, from: parseTime(since) } : undefined
}

/** A failover begins with the first symptom and is identified by its eviction. */
function ofFailover(
  journal: Journal,
  { workload, cluster }: { workload: string; cluster: string },
  asked: string | undefined,
): Subject | undefined {
  const known = { workload, cluster }
  const running = journal.openFailover(workload, cluster)
  if (running && (asked === undefined || asked === running.evictedAt)) {
    const since = running.unhealthySince ?? running.evictedAt
    return { ...known, since, from: parseTime(since) }
  }
  const past =
    asked === undefined
      ? journal.pastFailovers(0).find((each) => each.workload === workload && each.cluster === cluster)
      : journal.pastFailover(`${workload} ${cluster} ${asked}`)
  if (past) {
    const since = past.unhealthySince ?? past.evictedAt ?? past.endedAt
    return { ...known, since, endedAt: past.endedAt, from: parseTime(since) }
  }
  const unhealthy = journal.unhealthySince(workload, cluster)
  return asked === undefined && unhealthy !== undefined
    ? { ...known, since: unhealthy, from: parseTime(unhealthy) }
    : undefined
}

interface Wanted {
  subject: Subject
  scope: Scope
  after: number
}

type Collected = Pick<IncidentRecord, 'entries' | 'readiness' | 'truncated'>

/** Reads to the end of the journal: the first entry of a cluster states its readiness at the start. */
async function collect(journal: Journal, { subject, scope, after }: Wanted): Promise<Collected> {
  const until = subject.endedAt === undefined ? Infinity : parseTime(subject.endedAt) + AFTERMATH_MS
  const entries: JournalEntry[] = []
  const readiness: IncidentRecord['readiness'] = {}
  // Before the journal is read: what has no entry in it by then was the same when the incident began.
  const begun: Beginnings = after === 0 ? recordedNow(journal) : new Map()
  const noted = new Set<string>()
  let truncated = false
  for await (const entry of journal.read({ since: isoTime(subject.from), whats: WHATS }, after)) {
    if (entry.what === 'ready') readiness[entry.cluster] ??= entry.before?.status ?? 'Missing'
    if (entry.what === 'replicas') noteBeginning(begun, noted, entry)
    if (parseTime(entry.at) > until || !belongs(entry, subject) || !seesEntry(scope, entry)) continue
    if (entries.length < MAX_ENTRIES) entries.push(entry)
    else truncated = true
  }
  if (after === 0) entries.unshift(...recordedBefore(begun, { subject, scope }))
  const named = new Set(entries.flatMap((entry) => ('cluster' in entry ? [entry.cluster] : [])))
  for (const cluster of named) {
    const now = journal.known(clusterSubject(cluster))?.get('ready') as ReadyFact | undefined
    readiness[cluster] ??= now?.status ?? 'Missing'
  }
  if (!scope.sees(CLUSTERS)) return { entries, readiness: {}, truncated }
  return { entries, readiness: Object.fromEntries([...named].map((name) => [name, readiness[name]!])), truncated }
}

/** By workload and cluster: the state when the incident began; undefined where the recording began later. */
type Beginnings = Map<string, Map<string, ReplicasFact | undefined>>

function recordedNow(journal: Journal): Beginnings {
  const records = Map.groupBy(journal.recordedReplicas(), ({ workload }) => workload)
  return new Map(
    [...records].map(([workload, each]) => [workload, new Map(each.map(({ cluster, after }) => [cluster, after]))]),
  )
}

/** The first entry about a workload in a cluster says what was there before it, though it has changed since. */
function noteBeginning(
  begun: Beginnings,
  noted: Set<string>,
  entry: Extract<JournalEntry, { what: 'replicas' }>,
): void {
  const { workload, cluster, before } = entry
  const subject = `${workload} ${cluster}`
  if (noted.has(subject)) return
  noted.add(subject)
  const clusters = begun.get(workload) ?? new Map<string, ReplicasFact | undefined>()
  begun.set(workload, clusters.set(cluster, before))
}

/** The replicas of workloads that were recorded before, for example in an earlier outage, as entries of the beginning. */
function recordedBefore(begun: Beginnings, { subject, scope }: { subject: Subject; scope: Scope }): JournalEntry[] {
  const at = isoTime(subject.from)
  return [...begun].flatMap(([workload, clusters]) =>
    [...clusters].flatMap(([cluster, after]): JournalEntry[] => {
      const entry: JournalEntry | undefined = after && { seq: 0, at, what: 'replicas', workload, cluster, after }
      return entry && belongs(entry, subject) && seesEntry(scope, entry) ? [entry] : []
    }),
  )
}

/**
 * Reports whether an entry belongs to the subject. For an outage, entries of all affected workloads belong; which of
 * them the outage concerns follows from the entries.
 */
function belongs(entry: JournalEntry, { cluster, workload, members, since }: Subject): boolean {
  switch (entry.what) {
    case 'gap':
    case 'ready':
      return true
    case 'taint':
      return workload === undefined && entry.cluster === cluster
    case 'task':
      return isMember(entry.workload) && !isProtection(entry.after ?? entry.before ?? { producer: '' })
    case 'placement':
      return isMember(entry.workload) && entry.after.length === 0
    case 'replicas':
    case 'scheduled':
      return isMember(entry.workload)
    case 'prediction':
      return !members && isMember(entry.workload) && entry.cluster === cluster && entry.after?.since === since
    default:
      return false
  }
  function isMember(id: string): boolean {
    if (members) return members.has(id)
    return workload === undefined || id === workload
  }
}
