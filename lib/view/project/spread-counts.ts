/** The subsets of a WorkloadSpread in one cluster: what belongs there, what is there, and what goes first. */
import {
  entryDeadlines,
  isSchedulable,
  keepCost,
  limitOf,
  NO_SUBSET,
  SCHEDULABLE,
  surplusCost,
  UNLIMITED,
  UNSCHEDULABLE_RETENTION_MS,
} from '@/lib/domain/spread'
import { formatNumberOf, joinWords } from '@/lib/format/numbers'
import { findCondition } from '@/lib/kube/conditions'
import type { SpreadSubset, SubsetStatus, WorkloadSpreadStatus } from '@/lib/kube/kinds'
import { formatTime, parseTime } from '@/lib/std/clock'
import type { StateView } from '../model'
import type { DeletionStepView, ExpectedPodView, SpreadAccountView, SubsetCountView } from '../spread-model'
import { toConditionView } from './binding-facts'
import { say } from './say'

export interface SubsetsSnapshot {
  subsets: readonly SpreadSubset[]
  /** What the member says of the spread. */
  status: WorkloadSpreadStatus
  /** Pods that the workload is to have there; undefined when that is not known. */
  size: number | undefined
  /** Pods that the workload reports. */
  total: number | undefined
  /** False when the spread leaves out some of the pods: then it cannot be told how many belong to each subset. */
  spreadsAll: boolean
}

/** Every subset of the spec, in its order. */
export function countSubsets(snapshot: SubsetsSnapshot): SubsetCountView[] {
  const { subsets, status, size, spreadsAll } = snapshot
  const limits = subsets.map((subset) => limitIn(subset, size))
  const wants = size !== undefined && spreadsAll ? fillUp(limits, size) : undefined
  const facts = subsets.map((subset, at): SubsetFacts => {
    const row = status.subsetStatuses?.find(({ name }) => name === subset.name)
    const rows = [...(row ? [row] : []), ...versionRows(status, subset.name)]
    const closed = closedIn(rows)
    return {
      subset,
      row,
      limit: limits[at]!,
      wants: wants?.[at],
      expected: expectedIn(rows),
      ...(closed && { closed }),
    }
  })
  return facts.map((one, at) => toCount(one, { before: facts.slice(0, at), snapshot }))
}

/** `unknown` when it depends on a size that is not known, `unreadable` when nobody can tell what is meant. */
type Limit = number | 'none' | 'unknown' | 'unreadable'

interface SubsetFacts {
  subset: SpreadSubset
  row: SubsetStatus | undefined
  limit: Limit
  wants: number | undefined
  closed?: { since: string; until: string }
  expected: ExpectedPodView[]
}

function limitIn({ maxReplicas }: SpreadSubset, size: number | undefined): Limit {
  const limit = limitOf(maxReplicas, size ?? 0, 'strict')
  if (!limit.ok || (limit.value ?? 0) < 0) return 'unreadable'
  if (limit.value === undefined) return 'none'
  return typeof maxReplicas === 'string' && size === undefined ? 'unknown' : limit.value
}

/** How many pods each subset gets when the earlier ones are filled first. */
function fillUp(limits: readonly Limit[], size: number): number[] {
  let left = size
  return limits.map((limit) => {
    const taken = Math.min(left, typeof limit === 'number' ? limit : limit === 'none' ? left : 0)
    left -= taken
    return taken
  })
}

const versionRows = (status: WorkloadSpreadStatus, subset: string): SubsetStatus[] =>
  Object.values(status.versionedSubsetStatuses ?? {}).flatMap((rows) => rows.filter(({ name }) => name === subset))

/** Each pod once: a revision and all of them together tell of the same. */
function expectedIn(rows: readonly SubsetStatus[]): ExpectedPodView[] {
  const pods = new Map<string, ExpectedPodView>()
  for (const row of rows) {
    for (const { key, at, kind } of entryDeadlines(row)) {
      const since = (kind === 'creating' ? row.creatingPods : row.deletingPods)?.[key]
      pods.set(`${kind} ${key}`, { name: key, doing: kind, since: since ?? '', until: formatTime(at) })
    }
  }
  return [...pods.values()].sort((a, b) => a.since.localeCompare(b.since) || a.name.localeCompare(b.name))
}

/** New pods go by the rows of their revision, so one closed row is enough; the latest end counts. */
function closedIn(rows: readonly SubsetStatus[]): { since: string; until: string } | undefined {
  const since = rows
    .filter((row) => !isSchedulable(row))
    .flatMap((row) => findCondition(row.conditions, SCHEDULABLE)?.lastTransitionTime ?? [])
    .toSorted()
    .at(-1)
  return since === undefined ? undefined : { since, until: formatTime(parseTime(since) + UNSCHEDULABLE_RETENTION_MS) }
}

interface Surroundings {
  before: readonly SubsetFacts[]
  snapshot: SubsetsSnapshot
}

function toCount(facts: SubsetFacts, surroundings: Surroundings): SubsetCountView {
  const { subset, row, limit, wants, closed, expected } = facts
  const missing = row?.missingReplicas
  return {
    name: subset.name,
    ...(typeof limit === 'number' && { limit }),
    ...(wants !== undefined && { wants }),
    now: row?.replicas ?? 0,
    ...(missing !== undefined && missing !== UNLIMITED && { missing }),
    ...(closed && { closed }),
    expected,
    conditions: (row?.conditions ?? []).map(toConditionView),
    state: subsetState(facts, surroundings),
  }
}

/** The first rule that applies decides. */
function subsetState(facts: SubsetFacts, surroundings: Surroundings): StateView {
  const { row, limit, wants, closed, expected, subset: { maxReplicas } } = facts
  if (limit === 'unreadable')
    return say('fail', `Its limit ${JSON.stringify(maxReplicas)} is neither a number nor a whole percentage`)
  if (!row) return say('active', 'Not counted yet')
  if (closed) return say('warn', 'No room: new pods pass it over')
  if (expected.length > 0) return say('active', expectedWords(expected))
  return tooMany(facts, row, surroundings) ?? tooFew(facts, row, surroundings) ?? say('ok', roomWords(row, wants))
}

function expectedWords(expected: readonly ExpectedPodView[]): string {
  const count = (doing: ExpectedPodView['doing']) => expected.filter((pod) => pod.doing === doing).length
  const [coming, going] = [count('creating'), count('deleting')]
  return joinWords(
    [
      coming > 0 && `${formatNumberOf(coming, 'pod')} on the way in`,
      going > 0 && `${coming > 0 ? going : formatNumberOf(going, 'pod')} on the way out`,
    ].filter((words) => words !== false),
  )
}

function tooMany(
  { limit, wants }: SubsetFacts,
  { replicas }: SubsetStatus,
  { before }: Surroundings,
): StateView | undefined {
  if (typeof limit === 'number' && replicas > limit)
    return say('warn', `${replicas - limit} over its limit of ${limit}; they go first`)
  if (wants === undefined || replicas <= wants) return undefined
  const short = before
    .filter((other) => other.wants !== undefined && (other.row?.replicas ?? 0) < other.wants)
    .map(({ subset }) => subset.name)
  return say(
    'ok',
    short.length > 0
      ? `${replicas - wants} overflow from ${joinWords(short)}`
      : `${replicas - wants} more than its share`,
  )
}

function tooFew(
  { wants }: SubsetFacts,
  { replicas }: SubsetStatus,
  { snapshot: { size, total } }: Surroundings,
): StateView | undefined {
  if (wants === undefined || replicas >= wants) return undefined
  const isComplete = total !== undefined && size !== undefined && total >= size
  return isComplete
    ? say('warn', `${formatNumberOf(wants - replicas, 'of its pods is', 'of its pods are')} in other subsets`)
    : say('active', `${wants - replicas} more to come`)
}

function roomWords({ replicas, missingReplicas }: SubsetStatus, wants: number | undefined): string {
  if (wants === 0 && replicas === 0 && missingReplicas > 0) return 'No pods wanted here'
  if (missingReplicas === UNLIMITED) return 'Takes any number'
  return missingReplicas > 0 ? `Takes ${missingReplicas} more` : 'Full'
}

/** Whether the subsets add up to what the workload reports. While pods come and go, reports are of different moments. */
export function balance(
  counts: readonly SubsetCountView[],
  { size, total, spreadsAll }: SubsetsSnapshot,
): SpreadAccountView | undefined {
  if (total === undefined || !spreadsAll) return undefined
  const parts = counts.map(({ now }) => now)
  const off = total - parts.reduce((sum, part) => sum + part, 0)
  const isMoving = total !== size || counts.some(({ expected }) => expected.length > 0)
  return { total, parts, off, state: balanceState(off, isMoving) }
}

function balanceState(off: number, isMoving: boolean): StateView {
  if (off === 0) return say('ok', 'balanced')
  if (isMoving) return say('active', `off by ${Math.abs(off)} while pods come and go`)
  const pods = formatNumberOf(Math.abs(off), 'pod')
  return off > 0
    ? say('fail', `off by ${off}: ${pods} ${off === 1 ? 'is' : 'are'} in no subset`)
    : say('fail', `off by ${-off}: the subsets count ${pods} more than the workload has`)
}

/** Pods by what they cost, the cheapest first: those of no subset, those too many, then the last subset. */
export function deletionSteps(
  counts: readonly SubsetCountView[],
  account: SpreadAccountView | undefined,
): DeletionStepView[] {
  const { length } = counts
  const detached = Math.max(0, account?.off ?? 0)
  const steps = counts.flatMap(({ name, now, limit = Infinity }, at): DeletionStepView[] => {
    const surplus = Math.max(0, now - limit)
    return [
      { subset: name, surplus: true, pods: surplus, cost: surplusCost(at) },
      { subset: name, surplus: false, pods: now - surplus, cost: keepCost(at, length) },
    ]
  })
  return [{ surplus: true, pods: detached, cost: surplusCost(length) }, ...steps]
    .filter(({ pods }) => pods > 0)
    .sort((a, b) => a.cost - b.cost)
}

/** Revisions that have pods. */
export function revisionsWithPods(status: WorkloadSpreadStatus): number {
  return Object.values(status.versionedSubsetStatuses ?? {})
    .filter((rows) => rows.some(({ name, replicas }) => name !== NO_SUBSET && replicas > 0)).length
}
