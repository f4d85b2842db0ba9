/** One reconcile of the controller: the new status, and the pods to recreate. */
import type { Pod, SubsetStatus, WorkloadSpread, WorkloadSpreadStatus } from '../../kube/kinds'
import { keyOf } from '../../kube/object'
import { deepEqual } from '../../std/equal'
import type { EpochMs } from '../../std/clock'
import { countSubset, isEmptyRow } from './count-subset'
import type { PodGroups } from './group-pods'
import { Deadlines, type SpreadEvent } from './pass'
import { assessRescheduling } from './reschedule'
import type { SpreadRules } from './rules'

export interface SpreadSnapshot {
  spread: Pick<WorkloadSpread, 'metadata' | 'spec' | 'status'>
  /** Pods by revision and subset. */
  groups: ReadonlyMap<string, PodGroups>
  size: number
  now: EpochMs
  rules: SpreadRules
}

export interface SpreadAssessment {
  status: WorkloadSpreadStatus
  /** False if the status is unchanged and need not be written. */
  changed: boolean
  /** Pods to delete after the status is written, so that they are recreated in another subset. */
  failed: Pod[]
  events: SpreadEvent[]
  /** Time until the next reconcile. */
  requeueAfterMs?: number
}

/** Computes the overall rows and those of each revision. An invalid limit yields no rows at all. */
export function assessSpread(snapshot: SpreadSnapshot): SpreadAssessment {
  const {
    spread: { metadata, status: old },
    groups,
    now,
    rules,
  } = snapshot
  const pass: Pass = { snapshot, deadlines: new Deadlines(now, rules), events: [], failed: [] }
  const overall = assessRows(pass, { groups: merged(groups), old: old?.subsetStatuses, isOverall: true })
  const versioned = assessVersions(pass)
  const status: WorkloadSpreadStatus = {
    ...(metadata.generation !== undefined && { observedGeneration: metadata.generation }),
    ...(overall && { subsetStatuses: overall }),
    ...(Object.keys(versioned).length > 0 && { versionedSubsetStatuses: versioned }),
  }
  const { nextMs } = pass.deadlines
  return {
    status,
    failed: pass.failed,
    events: distinct(pass.events),
    changed: !rules.quietStatus || !deepEqual(status, old ?? {}),
    ...(nextMs !== undefined && { requeueAfterMs: nextMs }),
  }
}

interface Pass {
  snapshot: SpreadSnapshot
  deadlines: Deadlines
  events: SpreadEvent[]
  failed: Pod[]
}

interface Rows {
  groups: PodGroups
  old: readonly SubsetStatus[] | undefined
  /** Rows over all revisions. Only their pods are deleted. */
  isOverall: boolean
}

/** Revisions without pods stay while the webhook has entries for them. */
function assessVersions(pass: Pass): Record<string, SubsetStatus[]> {
  const {
    groups,
    spread: { status },
  } = pass.snapshot
  const old = status?.versionedSubsetStatuses ?? {}
  const versions = new Set([...groups.keys(), ...Object.keys(old)])
  const rows: [string, SubsetStatus[]][] = []
  for (const version of versions) {
    const own = assessRows(pass, { groups: groups.get(version) ?? new Map(), old: old[version], isOverall: false })
    if (own && (groups.has(version) || !own.every(isEmptyRow))) rows.push([version, own])
  }
  return Object.fromEntries(rows)
}

function assessRows(pass: Pass, { groups, old, isOverall }: Rows): SubsetStatus[] | undefined {
  const {
    spread: { metadata, spec },
    size,
    now,
  } = pass.snapshot
  const { namespace } = metadata
  const subsets = spec?.subsets ?? []
  const rows: SubsetStatus[] = []
  for (const [index, subset] of subsets.entries()) {
    const pods = groups.get(subset.name) ?? []
    const before = old?.find(({ name }) => name === subset.name)
    const count = countSubset({ subset, pods, old: before, size, namespace }, pass.deadlines)
    if (!count) return undefined
    const isLast = index === subsets.length - 1
    const rescheduling = assessRescheduling(
      {
        strategy: spec?.scheduleStrategy,
        spread: keyOf(metadata),
        subset: subset.name,
        isLast,
        pods,
        old: before,
        now,
      },
      pass.deadlines,
    )
    const { condition } = rescheduling
    rows.push(condition ? { ...count.row, conditions: [condition] } : count.row)
    pass.events.push(...count.events, ...rescheduling.events)
    if (isOverall) pass.failed.push(...rescheduling.failed)
  }
  return rows
}

function merged(groups: ReadonlyMap<string, PodGroups>): PodGroups {
  const all = new Map<string, Pod[]>()
  for (const group of groups.values()) {
    for (const [subset, pods] of group) all.set(subset, [...(all.get(subset) ?? []), ...pods])
  }
  return all
}

/** Removes duplicates, because an event often applies both to a revision and to all revisions together. */
function distinct(events: readonly SpreadEvent[]): SpreadEvent[] {
  return events.filter((event, index) => events.findIndex((other) => deepEqual(other, event)) === index)
}
