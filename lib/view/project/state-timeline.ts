/** States of a workload or a cluster over time: lanes of spans, derived from the journal. */
import { type EpochMs, parseTime } from '@/lib/std/clock'
import { message, type Message, type MessageCode } from '@/lib/messages'
import { conditionState } from '../condition-state'
import { type ConditionFact, isOfFleet, type JournalEntry, type TaskFact } from '../journal'
import type { ClusterView, ReplicasInCluster, State, TaintView, WorkloadDetailView } from '../model'
import { causeOf } from './cause'
import { factNameOf } from './journal-facts'

/** A time without changes. */
export interface TimelineSpan {
  from: EpochMs
  to: EpochMs
  state: State
  /** The state in one or two words. */
  detail: Message
}

export interface TimelineLane {
  /** A cluster, or the part of a cluster that the lane shows. */
  name: Message | string
  spans: TimelineSpan[]
}

/** A change of the distribution. */
export interface TimelineMove {
  id: string
  at: EpochMs
  trigger: string
  cause: Message
  /** Workload ID. */
  workload: string
  before: ReplicasInCluster[]
  after: ReplicasInCluster[]
  /** Observed only afterwards. */
  late: boolean
}

export interface StateTimelineView {
  from: EpochMs
  to: EpochMs
  lanes: TimelineLane[]
  /** Number of conditions and taints without a lane. */
  hidden: number
  /** Times without observation; the last known state is shown there. */
  gaps: { from: EpochMs; to: EpochMs }[]
  /** Latest first. */
  moves: TimelineMove[]
}

type Known = Map<string, unknown>
type Look = { state: State; detail: Message } | undefined

const look = (state: State, code: ShownCode): Look => ({ state, detail: message(code) })
/** Messages without arguments. */
type ShownCode = Extract<MessageCode, `timeline.look.${string}`>

/** Maximum lanes of conditions, and of taints, initially and on request; current ones come first. */
const MAX_OF_A_KIND = { few: 12, all: 200 }

interface LaneOf {
  name: Message | string
  look: (known: Known) => Look
}

interface Range {
  from: EpochMs
  to: EpochMs
}

/** Returns the lanes of a workload: one per cluster in which it has been. */
export function workloadTimeline(
  workload: WorkloadDetailView,
  entries: readonly JournalEntry[],
  range: Range,
): StateTimelineView {
  const present = factsOfWorkload(workload)
  const clusters = new Set([
    ...workload.cells.map(({ cluster }) => cluster),
    ...entries.flatMap((entry) => clustersNamed(entry, workload.id)),
  ])
  const lanes = [...clusters]
    .sort()
    .map((cluster) => ({ name: cluster, look: (known: Known) => lookOfCopy(known, workload.id, cluster) }))
  return sweep({
    entries,
    present,
    range: { ...range, from: Math.max(range.from, parseTime(workload.createdAt)) },
    lanes,
  })
}

/** Returns the lanes of a cluster: its conditions, readiness first, and each taint from its addition to its removal. */
export function clusterTimeline(
  cluster: ClusterView,
  entries: readonly JournalEntry[],
  range: Range,
  shown: keyof typeof MAX_OF_A_KIND = 'few',
): StateTimelineView {
  const about = entries.filter((entry) => !('workload' in entry) || entry.what === 'placement')
  const subject = `cluster ${cluster.id}`
  const present: Known = new Map<string, unknown>([
    [`${subject} ready`, { status: cluster.ready }],
    ...cluster.conditions.map((each): [string, unknown] => [`${subject} condition ${each.type}`, each]),
    ...cluster.taints.map((each): [string, unknown] => [`${subject} taint ${each.key}:${each.effect}`, each]),
  ])
  const named = [...new Set([...present.keys(), ...about.flatMap((entry) => nameOf(entry) ?? [])])]
  const lanesOf = (kind: string, look: (fact: unknown) => Look): LaneOf[] =>
    named
      .filter((name) => name.startsWith(`${subject} ${kind} `) && name !== `${subject} condition Ready`)
      .map((name) => ({ name: name.slice(`${subject} ${kind} `.length), look: (known) => look(known.get(name)) }))
  const [conditions, taints] = [lanesOf('condition', lookOfCondition), lanesOf('taint', lookOfTaint)]
  const most = MAX_OF_A_KIND[shown]
  const lanes: LaneOf[] = [
    { name: message('timeline.lane.ready'), look: (known) => lookOfReady(known.get(`${subject} ready`)) },
    ...conditions.slice(0, most),
    ...orNone(taints.slice(0, most)),
  ]
  const hidden = [conditions, taints].reduce((sum, each) => sum + Math.max(0, each.length - most), 0)
  const from = Math.max(range.from, firstSight(about), parseTime(cluster.createdAt))
  return { ...sweep({ entries: about, present, range: { ...range, from: Math.min(from, range.to) }, lanes }), hidden }
}

function factsOfWorkload({ id, cells, evictionTasks }: WorkloadDetailView): Known {
  const placement = cells
    .filter(({ role }) => role === 'placed')
    .map(({ cluster, desired }) => ({ cluster, replicas: desired }))
  return new Map<string, unknown>([
    [`workload ${id} placement`, placement],
    ...cells.map(({ cluster, health }): [string, unknown] => [`workload ${id} health ${cluster}`, health]),
    ...evictionTasks.map((task): [string, unknown] => [`workload ${id} task ${task.fromCluster}`, task]),
  ])
}

/** Returns when a cluster was added, if the entries contain it; nothing is drawn before. */
function firstSight(entries: readonly JournalEntry[]): EpochMs {
  const first = entries.find(({ what }) => what === 'ready')
  return first?.what === 'ready' && first.before === undefined ? parseTime(first.at) : -Infinity
}

function clustersNamed(entry: JournalEntry, workload: string): string[] {
  if (!('workload' in entry) || entry.workload !== workload) return []
  if ('cluster' in entry) return [entry.cluster]
  return entry.what === 'placement' ? [...entry.before, ...entry.after].map(({ cluster }) => cluster) : []
}

function lookOfCopy(known: Known, workload: string, cluster: string): Look {
  const of = (fact: string): unknown => known.get(`workload ${workload} ${fact}`)
  const [task, health] = [of(`task ${cluster}`) as TaskFact | undefined, of(`health ${cluster}`)]
  const placed = (of('placement') as ReplicasInCluster[] | undefined)?.some((each) => each.cluster === cluster)
  if (task)
    return task.suppressDeletion === true
      ? look('held', 'timeline.look.kept')
      : look('active', 'timeline.look.evicting')
  if (!placed) return undefined
  const ready = known.get(`cluster ${cluster} ready`) as { status: string } | undefined
  if (ready && ready.status !== 'True') return look('fail', 'timeline.look.clusterNotReady')
  if (health === 'Healthy') return look('ok', 'timeline.look.healthy')
  return health === 'Unhealthy'
    ? look('warn', 'timeline.look.unhealthy')
    : look('unknown', 'timeline.look.healthUnknown')
}

/** Returns undefined while the cluster did not exist. */
function lookOfReady(value: unknown): Look {
  if (value === undefined) return undefined
  const { status } = value as { status: string }
  if (status === 'True') return look('ok', 'timeline.look.ready')
  return status === 'False' ? look('fail', 'timeline.look.notReady') : look('unknown', 'timeline.look.unknown')
}

function lookOfCondition(value: unknown): Look {
  if (value === undefined) return undefined
  const condition = value as ConditionFact
  return look(conditionState(condition), `timeline.look.condition${condition.status}`)
}

const TAINT_LOOKS: Record<string, Look> = {
  NoExecute: look('warn', 'timeline.look.evicts'),
  NoSchedule: look('held', 'timeline.look.closed'),
  PreferNoSchedule: look('held', 'timeline.look.avoided'),
}

const lookOfTaint = (value: unknown): Look => TAINT_LOOKS[(value as TaintView | undefined)?.effect ?? '']

/** A single lane if there are no taints. */
const orNone = (taints: LaneOf[]): LaneOf[] =>
  taints.length > 0
    ? taints
    : [{ name: message('timeline.lane.taints'), look: () => look('ok', 'timeline.look.noTaints') }]

interface Sweep {
  entries: readonly JournalEntry[]
  present: Known
  range: Range
  lanes: readonly LaneOf[]
}

/** Reads the entries forward, from the state before the first of them. */
function sweep({ entries, present, range, lanes }: Sweep): StateTimelineView {
  const known = stateBefore(entries, present)
  const drawn = lanes.map(({ name, look }) => ({
    name,
    look,
    spans: [] as TimelineSpan[],
    since: range.from,
    now: look(known),
  }))
  const mark = (at: EpochMs): void => {
    for (const lane of drawn) {
      const next = lane.look(known)
      if (next?.detail.code === lane.now?.detail.code) continue
      close(lane, at)
      Object.assign(lane, { since: at, now: next })
    }
  }
  for (const entry of entries) {
    apply(known, entry)
    mark(clamp(parseTime(entry.at), range))
  }
  for (const lane of drawn) close(lane, range.to)
  const gaps = gapsIn(entries, range)
  return {
    ...range,
    lanes: drawn
      .filter(({ spans }) => spans.length > 0)
      .map(({ name, spans }) => ({ name, spans: withGaps(spans, gaps) })),
    hidden: 0,
    gaps,
    moves: entries
      .flatMap(moveOf)
      .filter(({ at }) => at >= range.from)
      .reverse(),
  }
}

/** Returns the times without observation, in order and without overlaps. */
export function gapsIn(entries: readonly JournalEntry[], range: Range): Range[] {
  const gaps: Range[] = []
  const found = entries
    .filter((entry) => entry.what === 'gap')
    .map(({ from, at }) => ({ from: clamp(parseTime(from), range), to: clamp(parseTime(at), range) }))
    .filter(({ from, to }) => to > from)
    .sort((a, b) => a.from - b.from)
  for (const gap of found) {
    const last = gaps.at(-1)
    if (last && gap.from <= last.to) last.to = Math.max(last.to, gap.to)
    else gaps.push(gap)
  }
  return gaps
}

/** Cuts gaps out of spans, because nothing is known in a gap. */
function withGaps(spans: readonly TimelineSpan[], gaps: readonly Range[]): TimelineSpan[] {
  const known = gaps.reduce(
    (parts: readonly TimelineSpan[], gap) =>
      parts
        .flatMap((span) => [
          { ...span, to: Math.min(span.to, gap.from) },
          { ...span, from: Math.max(span.from, gap.to) },
        ])
        .filter(({ from, to }) => to > from),
    spans,
  )
  const unknown = gaps.map((gap) => ({ ...gap, state: 'unknown' as const, detail: message('timeline.notObserved') }))
  return [...known, ...unknown].sort((a, b) => a.from - b.from)
}

function close({ spans, since, now }: { spans: TimelineSpan[]; since: EpochMs; now: Look }, to: EpochMs): void {
  if (now && to > since) spans.push({ from: since, to, ...now })
}

const clamp = (at: EpochMs, { from, to }: Range): EpochMs => Math.min(Math.max(at, from), to)

/** Returns the state before the first entry of each fact; facts without an entry have their current state. */
function stateBefore(entries: readonly JournalEntry[], present: Known): Known {
  const known: Known = new Map(present)
  const seen = new Set<string>()
  for (const entry of entries) {
    const name = nameOf(entry)
    if (name === undefined || entry.what === 'gap' || isOfFleet(entry) || seen.has(name)) continue
    seen.add(name)
    if (entry.before === undefined) known.delete(name)
    else known.set(name, entry.before)
  }
  return known
}

function apply(known: Known, entry: JournalEntry): void {
  const name = nameOf(entry)
  if (name === undefined || entry.what === 'gap' || isOfFleet(entry)) return
  if (entry.after === undefined) known.delete(name)
  else known.set(name, entry.after)
}

function nameOf(entry: JournalEntry): string | undefined {
  const fact = factNameOf(entry)
  return fact && `${fact.subject} ${fact.name}`
}

function moveOf(entry: JournalEntry): TimelineMove[] {
  if (entry.what !== 'placement') return []
  const { seq, at, trigger, workload, before, after, late = false } = entry
  return [{ id: String(seq), at: parseTime(at), trigger, cause: causeOf(entry), workload, before, after, late }]
}
