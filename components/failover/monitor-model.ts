/** Which failovers the monitor shows, in which order, under which cluster. */
import type { Text } from '@/lib/messages'
import type { FailoverEntryView, FailoverView } from '@/lib/view/failover-model'
import { nameOf } from '@/lib/view/workload-id'
import { matchesFilter, parseFilter } from '../hooks/filter'
import { type Sorts, sortRows } from '../hooks/sorting'
import { causeWord, STAGES } from './failover-words'

/** One line of the monitor. */
export interface MonitorRow {
  id: string
  failover: FailoverView
  /** Stands under its cluster. */
  nested: boolean
  /** Of a cluster: its workloads, and whether they are shown. */
  group?: { size: number; open: boolean }
}

export interface MonitorQuery {
  filter: string
  /** `kept` selects failovers that an operator keeps, independent of their stage. */
  stage: FailoverView['stage'] | 'kept' | undefined
  /** Clusters whose rows the reader opened or closed. */
  toggled: ReadonlySet<string>
  /** The column, as `sortRows` takes it; empty: by name. */
  sort?: string
}

/** Longer groups are closed until asked for. */
const OPEN_UP_TO = 12

/** Clusters first, each with its workloads, then what fails by itself; by name, so that rows stay where they are. */
export function monitorRows(text: Text, entries: readonly FailoverEntryView[], query: MonitorQuery): MonitorRow[] {
  const failovers = entries.flatMap((entry) => entry.failovers)
  const clusters = failovers.filter(({ kind }) => kind === 'cluster')
  const named = new Set(clusters.map(({ cluster }) => cluster))
  const isUnder = (failover: FailoverView): boolean => failover.cause === 'cluster' && named.has(failover.cluster)
  const matches = matcherOf(text, query)
  const inOrder = (list: FailoverView[]) => sortRows(list, sortsOf(text), query.sort ?? '')
  const shown = inOrder(failovers.filter((failover) => failover.kind === 'workload' && matches(failover)).sort(byId))
  const members = Map.groupBy(shown, (failover) => (isUnder(failover) ? failover.cluster : ''))
  const groups = inOrder(clusters.sort(byName)).flatMap((failover) =>
    clusterRows(failover, { members: members.get(failover.cluster) ?? [], query, isWanted: matches(failover) }),
  )
  return [...groups, ...(members.get('') ?? []).map((failover) => ({ id: failover.id, failover, nested: false }))]
}

/** The clusters in trouble, by name. */
export function clustersIn(entries: readonly FailoverEntryView[]): string[] {
  const failovers = entries.flatMap((entry) => entry.failovers)
  return failovers
    .filter(({ kind }) => kind === 'cluster')
    .map(({ cluster }) => cluster)
    .sort()
}

interface Group {
  members: readonly FailoverView[]
  query: MonitorQuery
  isWanted: boolean
}

function clusterRows(failover: FailoverView, { members, query, isWanted }: Group): MonitorRow[] {
  const filtered = query.filter !== '' || query.stage !== undefined
  if (members.length === 0 && filtered && !isWanted) return []
  const isOpen = (filtered || members.length <= OPEN_UP_TO) !== query.toggled.has(failover.cluster)
  const row: MonitorRow = { id: failover.id, failover, nested: false, group: { size: members.length, open: isOpen } }
  return isOpen ? [row, ...members.map((member) => ({ id: member.id, failover: member, nested: true }))] : [row]
}

function matcherOf(text: Text, { filter, stage }: MonitorQuery): (failover: FailoverView) => boolean {
  const terms = parseFilter(filter)
  return (failover) => {
    const wanted =
      stage === undefined || (stage === 'kept' ? failover.kept : failover.stage === stage && !failover.kept)
    return wanted && (terms.length === 0 || matchesFilter(terms, fieldsOf(text, failover)))
  }
}

function fieldsOf(text: Text, { ref, cluster, stage, purgeMode = '', producer = '', causes, cause }: FailoverView) {
  return {
    name: [ref ? nameOf(ref) : cluster],
    ns: [ref?.namespace ?? ''],
    cluster: [cluster],
    stage: [stage],
    purge: [purgeMode],
    by: [producer, causeWord(text, { causes, producer })],
    cause: [cause],
  }
}

const sortsOf = (text: Text): Sorts<FailoverView> => ({
  where: ({ ref, cluster }) => (ref ? nameOf(ref) : cluster),
  since: ({ since }) => since,
  stage: ({ stage }) => STAGES.indexOf(stage),
  what: ({ state }) => text.of(state.reason),
  next: ({ deadline }) => deadline?.at,
  purge: ({ purgeMode }) => purgeMode,
  by: (failover) => causeWord(text, failover),
})

/** Stages follow each other within seconds. If the order followed them, rows would move while they are read. */
const byId = (a: FailoverView, b: FailoverView): number => (a.id < b.id ? -1 : 1)

const byName = (a: FailoverView, b: FailoverView): number => (a.cluster < b.cluster ? -1 : 1)
