/** Subsets of a WorkloadSpread in one cluster: desired and current pods, and the order of deletion. */
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
import { findCondition } from '@/lib/kube/conditions'
import type { SpreadSubset, SubsetStatus, WorkloadSpreadStatus } from '@/lib/kube/kinds'
import { message, type Message } from '@/lib/messages/message'
import { formatTime, parseTime } from '@/lib/std/clock'
import type { StateView } from '../model'
import type { DeletionStepView, ExpectedPodView, SpreadSumView, SubsetCountView } from '../spread-model'
import { toConditionView } from './binding-facts'
import { say } from './say'

export interface SubsetsSnapshot {
  subsets: readonly SpreadSubset[]
  /** Status of the spread in the member. */
  status: WorkloadSpreadStatus
  /** Desired pods of the workload in the cluster; undefined if unknown. */
  size: number | undefined
  /** Pods that the workload reports. */
  total: number | undefined
  /** False if the spread excludes some pods: the desired count of each subset is then unknown. */
  spreadsAll: boolean
}

/** Returns every subset of the spec, in order. */
export function countSubsets(snapshot: SubsetsSnapshot): SubsetCountView[] {
  const { subsets, status, size, spreadsAll } = snapshot
  const limits = subsets.map((subset) => limitIn(subset, size))
  const desired = size !== undefined && spreadsAll ? fillUp(limits, size) : undefined
  const facts = subsets.map((subset, at): SubsetFacts => {
    const row = status.subsetStatuses?.find(({ name }) => name === subset.name)
    const rows = [...(row ? [row] : []), ...versionRows(status, subset.name)]
    const unschedulable = unschedulableIn(rows)
    return {
      subset,
      row,
      limit: limits[at]!,
      desired: desired?.[at],
      expected: expectedIn(rows),
      ...(unschedulable && { unschedulable }),
    }
  })
  return facts.map((one, at) => toCount(one, { before: facts.slice(0, at), snapshot }))
}

/** `unknown` if it depends on an unknown size, `unreadable` if it is invalid. */
type Limit = number | 'none' | 'unknown' | 'unreadable'

interface SubsetFacts {
  subset: SpreadSubset
  row: SubsetStatus | undefined
  limit: Limit
  desired: number | undefined
  unschedulable?: { since: string; until: string }
  expected: ExpectedPodView[]
}

function limitIn({ maxReplicas }: SpreadSubset, size: number | undefined): Limit {
  const limit = limitOf(maxReplicas, size ?? 0, 'strict')
  if (!limit.ok || (limit.value ?? 0) < 0) return 'unreadable'
  if (limit.value === undefined) return 'none'
  return typeof maxReplicas === 'string' && size === undefined ? 'unknown' : limit.value
}

/** Returns the pods of each subset if earlier ones are filled first. */
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

/** Removes duplicates, because a revision and the total contain the same pods. */
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

/** New pods use the rows of their revision, so one unschedulable row suffices; the latest end counts. */
function unschedulableIn(rows: readonly SubsetStatus[]): { since: string; until: string } | undefined {
  const since = rows
    .filter((row) => !isSchedulable(row))
    .flatMap((row) => findCondition(row.conditions, SCHEDULABLE)?.lastTransitionTime ?? [])
    .toSorted()
    .at(-1)
  return since === undefined ? undefined : { since, until: formatTime(parseTime(since) + UNSCHEDULABLE_RETENTION_MS) }
}

interface CountContext {
  before: readonly SubsetFacts[]
  snapshot: SubsetsSnapshot
}

function toCount(facts: SubsetFacts, context: CountContext): SubsetCountView {
  const { subset, row, limit, desired, unschedulable, expected } = facts
  const missing = row?.missingReplicas
  return {
    name: subset.name,
    ...(typeof limit === 'number' && { limit }),
    ...(desired !== undefined && { desired }),
    current: row?.replicas ?? 0,
    ...(missing !== undefined && missing !== UNLIMITED && { missing }),
    ...(unschedulable && { unschedulable }),
    expected,
    conditions: (row?.conditions ?? []).map(toConditionView),
    state: subsetState(facts, context),
  }
}

/** The first matching rule decides. */
function subsetState(facts: SubsetFacts, context: CountContext): StateView {
  const {
    row,
    limit,
    desired,
    unschedulable,
    expected,
    subset: { maxReplicas },
  } = facts
  if (limit === 'unreadable')
    return say('fail', message('spread.subset.invalidLimit', { limit: JSON.stringify(maxReplicas) }))
  if (!row) return say('active', message('spread.subset.notReported'))
  if (unschedulable) return say('warn', message('spread.subset.unschedulable'))
  if (expected.length > 0) return say('active', expectedMessage(expected))
  return tooMany(facts, row, context) ?? tooFew(facts, row, context) ?? say('ok', roomMessage(row, desired))
}

function expectedMessage(expected: readonly ExpectedPodView[]): Message {
  const count = (doing: ExpectedPodView['doing']) => expected.filter((pod) => pod.doing === doing).length
  const [creating, deleting] = [count('creating'), count('deleting')]
  if (deleting === 0) return message('spread.subset.creating', { creating })
  if (creating === 0) return message('spread.subset.deleting', { deleting })
  return message('spread.subset.creatingAndDeleting', { creating, deleting })
}

function tooMany(
  { limit, desired }: SubsetFacts,
  { replicas }: SubsetStatus,
  { before }: CountContext,
): StateView | undefined {
  if (typeof limit === 'number' && replicas > limit)
    return say('warn', message('spread.subset.overLimit', { over: replicas - limit, limit }))
  if (desired === undefined || replicas <= desired) return undefined
  const short = before
    .filter((other) => other.desired !== undefined && (other.row?.replicas ?? 0) < other.desired)
    .map(({ subset }) => subset.name)
  const over = replicas - desired
  return say(
    'ok',
    short.length > 0
      ? message('spread.subset.overflow', { over, subsets: short })
      : message('spread.subset.overDesired', { over }),
  )
}

function tooFew(
  { desired }: SubsetFacts,
  { replicas }: SubsetStatus,
  { snapshot: { size, total } }: CountContext,
): StateView | undefined {
  if (desired === undefined || replicas >= desired) return undefined
  const missing = desired - replicas
  const isComplete = total !== undefined && size !== undefined && total >= size
  return isComplete
    ? say('warn', message('spread.subset.elsewhere', { missing }))
    : say('active', message('spread.subset.pending', { missing }))
}

function roomMessage({ replicas, missingReplicas }: SubsetStatus, desired: number | undefined): Message {
  if (desired === 0 && replicas === 0 && missingReplicas > 0) return message('spread.subset.none')
  if (missingReplicas === UNLIMITED) return message('spread.subset.unlimited')
  return missingReplicas > 0 ? message('spread.subset.room', { room: missingReplicas }) : message('spread.subset.full')
}

/**
 * Compares the sum of the subsets with the workload's report. While pods are created or deleted, the two may be from
 * different times.
 */
export function balance(
  counts: readonly SubsetCountView[],
  { size, total, spreadsAll }: SubsetsSnapshot,
): SpreadSumView | undefined {
  if (total === undefined || !spreadsAll) return undefined
  const parts = counts.map(({ current }) => current)
  const off = total - parts.reduce((sum, part) => sum + part, 0)
  const isMoving = total !== size || counts.some(({ expected }) => expected.length > 0)
  return { total, parts, off, state: balanceState(off, isMoving) }
}

function balanceState(off: number, isMoving: boolean): StateView {
  if (off === 0) return say('ok', message('spread.sum.balanced'))
  if (isMoving) return say('active', message('spread.sum.moving', { off: Math.abs(off) }))
  return say('fail', off > 0 ? message('spread.sum.missing', { off }) : message('spread.sum.excess', { off: -off }))
}

/** Returns pods by deletion cost, lowest first: those without a subset, surplus ones, then the last subset. */
export function deletionSteps(counts: readonly SubsetCountView[], sum: SpreadSumView | undefined): DeletionStepView[] {
  const { length } = counts
  const detached = Math.max(0, sum?.off ?? 0)
  const steps = counts.flatMap(({ name, current, limit = Infinity }, at): DeletionStepView[] => {
    const surplus = Math.max(0, current - limit)
    return [
      { subset: name, surplus: true, pods: surplus, cost: surplusCost(at) },
      { subset: name, surplus: false, pods: current - surplus, cost: keepCost(at, length) },
    ]
  })
  return [{ surplus: true, pods: detached, cost: surplusCost(length) }, ...steps]
    .filter(({ pods }) => pods > 0)
    .sort((a, b) => a.cost - b.cost)
}

/** Returns the number of revisions with pods. */
export function revisionsWithPods(status: WorkloadSpreadStatus): number {
  return Object.values(status.versionedSubsetStatuses ?? {}).filter((rows) =>
    rows.some(({ name, replicas }) => name !== NO_SUBSET && replicas > 0),
  ).length
}
