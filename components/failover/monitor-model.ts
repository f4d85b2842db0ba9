/** Which stories the monitor shows, in which order, under which cluster. */
import type { FailoverEntryView, FailoverStoryView } from '@/lib/view/model'
import { matchesFilter, nameOf, parseFilter } from '../hooks/filter'
import { producerWord } from './failover-words'

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
}

/** Longer groups are closed until asked for. */
const OPEN_UP_TO = 12

/** Clusters first, each with its workloads, then what fails by itself; by name, so that rows stay where they are. */
export function monitorRows(entries: readonly FailoverEntryView[], query: MonitorQuery): MonitorRow[] {
  const stories = entries.flatMap((entry) => entry.stories)
  const clusters = stories.filter(({ kind }) => kind === 'cluster')
  const named = new Set(clusters.map(({ cluster }) => cluster))
  const shown = stories.filter((story) => story.kind === 'workload' && matches(story, query)).sort(byId)
  const isUnder = (story: FailoverStoryView): boolean => story.cause === 'cluster' && named.has(story.cluster)
  const single = shown.filter((story) => !isUnder(story))
  const groups = clusters.sort(byName).flatMap((story) => clusterRows(story, shown.filter((each) => isUnder(each) && each.cluster === story.cluster), query))
  return [...groups, ...single.map((story) => ({ id: story.id, story, nested: false }))]
}

function clusterRows(story: FailoverStoryView, members: readonly FailoverStoryView[], query: MonitorQuery): MonitorRow[] {
  const filtered = query.filter !== '' || query.stage !== undefined
  if (members.length === 0 && filtered && !matches(story, query)) return []
  const isOpen = (filtered || members.length <= OPEN_UP_TO) !== query.toggled.has(story.cluster)
  const row: MonitorRow = { id: story.id, story, nested: false, group: { size: members.length, open: isOpen } }
  return isOpen ? [row, ...members.map((member) => ({ id: member.id, story: member, nested: true }))] : [row]
}

function matches(story: FailoverStoryView, { filter, stage }: MonitorQuery): boolean {
  const wanted = stage === undefined || (stage === 'kept' ? story.kept : story.stage === stage && !story.kept)
  return wanted && matchesFilter(parseFilter(filter), {
    name: [story.ref ? nameOf(story.ref) : story.cluster], ns: [story.ref?.namespace ?? ''], cluster: [story.cluster],
    stage: [story.stage], purge: [story.purgeMode ?? ''], by: [story.producer ?? '', producerWord(story.producer ?? '')], cause: [story.cause],
  })
}

/** Stages follow each other within seconds: an order that followed them would never let anybody read. */
const byId = (a: FailoverStoryView, b: FailoverStoryView): number => (a.id < b.id ? -1 : 1)

const byName = (a: FailoverStoryView, b: FailoverStoryView): number => (a.cluster < b.cluster ? -1 : 1)
