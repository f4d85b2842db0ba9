/** Which stories the monitor shows, in which order, under which cluster. */
import type { FailoverEntryView, FailoverStoryView } from '@/lib/view/failover-model'
import { matchesFilter, nameOf, parseFilter } from '../hooks/filter'
import { type Sorts, sortRows } from '../hooks/sorting'
import { causeWord, STAGES } from './failover-words'

/** One line of the monitor. */
export interface MonitorRow {
  id: string
  story: FailoverStoryView
  /** Stands under its cluster. */
  nested: boolean
  /** Of a cluster: its workloads, and whether they are shown. */
  group?: { size: number; open: boolean }
}

export interface MonitorQuery {
  filter: string
  /** `kept` is what is kept by hand, whatever its stage. */
  stage: FailoverStoryView['stage'] | 'kept' | undefined
  /** Clusters whose rows the reader opened or closed. */
  toggled: ReadonlySet<string>
  /** The column, as `sortRows` takes it; empty: by name. */
  sort?: string
}

/** Longer groups are closed until asked for. */
const OPEN_UP_TO = 12

/** Clusters first, each with its workloads, then what fails by itself; by name, so that rows stay where they are. */
export function monitorRows(entries: readonly FailoverEntryView[], query: MonitorQuery): MonitorRow[] {
  const stories = entries.flatMap((entry) => entry.stories)
  const clusters = stories.filter(({ kind }) => kind === 'cluster')
  const named = new Set(clusters.map(({ cluster }) => cluster))
  const isUnder = (story: FailoverStoryView): boolean => story.cause === 'cluster' && named.has(story.cluster)
  const matches = matcherOf(query)
  const inOrder = (list: FailoverStoryView[]) => sortRows(list, SORTS, query.sort ?? '')
  const shown = inOrder(stories.filter((story) => story.kind === 'workload' && matches(story)).sort(byId))
  const members = Map.groupBy(shown, (story) => (isUnder(story) ? story.cluster : ''))
  const groups = inOrder(clusters.sort(byName)).flatMap((story) =>
    clusterRows(story, { members: members.get(story.cluster) ?? [], query, isWanted: matches(story) }))
  return [...groups, ...(members.get('') ?? []).map((story) => ({ id: story.id, story, nested: false }))]
}

/** The clusters in trouble, by name. */
export function clustersIn(entries: readonly FailoverEntryView[]): string[] {
  const stories = entries.flatMap((entry) => entry.stories)
  return stories.filter(({ kind }) => kind === 'cluster').map(({ cluster }) => cluster).sort()
}

interface Group {
  members: readonly FailoverStoryView[]
  query: MonitorQuery
  isWanted: boolean
}

function clusterRows(story: FailoverStoryView, { members, query, isWanted }: Group): MonitorRow[] {
  const filtered = query.filter !== '' || query.stage !== undefined
  if (members.length === 0 && filtered && !isWanted) return []
  const isOpen = (filtered || members.length <= OPEN_UP_TO) !== query.toggled.has(story.cluster)
  const row: MonitorRow = { id: story.id, story, nested: false, group: { size: members.length, open: isOpen } }
  return isOpen ? [row, ...members.map((member) => ({ id: member.id, story: member, nested: true }))] : [row]
}

function matcherOf({ filter, stage }: MonitorQuery): (story: FailoverStoryView) => boolean {
  const terms = parseFilter(filter)
  return (story) => {
    const wanted = stage === undefined || (stage === 'kept' ? story.kept : story.stage === stage && !story.kept)
    return wanted && (terms.length === 0 || matchesFilter(terms, fieldsOf(story)))
  }
}

function fieldsOf({ ref, cluster, stage, purgeMode = '', producer = '', causes, cause }: FailoverStoryView) {
  return {
    name: [ref ? nameOf(ref) : cluster], ns: [ref?.namespace ?? ''], cluster: [cluster],
    stage: [stage], purge: [purgeMode], by: [producer, causeWord({ causes, producer })], cause: [cause],
  }
}

const SORTS: Sorts<FailoverStoryView> = {
  where: ({ ref, cluster }) => (ref ? nameOf(ref) : cluster),
  since: ({ since }) => since,
  stage: ({ stage }) => STAGES.indexOf(stage),
  what: ({ state }) => state.reason,
  next: ({ deadline }) => deadline?.at,
  purge: ({ purgeMode }) => purgeMode,
  by: causeWord,
}

/** Stages follow each other within seconds: an order that followed them would never let anybody read. */
const byId = (a: FailoverStoryView, b: FailoverStoryView): number => (a.id < b.id ? -1 : 1)

const byName = (a: FailoverStoryView, b: FailoverStoryView): number => (a.cluster < b.cluster ? -1 : 1)
