/** The sentences of an incident at a moment: the same on the page and in the report. */
import type { Text } from '@/lib/messages'
import { isoTime, type EpochMs } from '@/lib/std/clock'
import { endOf, isSettled } from '@/lib/view/incident/layout'
import { lossOf } from '@/lib/view/incident/outcome'
import type { IncidentCounts, Replay } from '@/lib/view/incident/replay'
import type { State } from '@/lib/view/model'
import { nameOfId } from '@/lib/view/workload-id'

const timeOf = (at: EpochMs) => ({ time: isoTime(at) })

/** What failed. */
export function titleOf(text: Text, { record: { cluster = '', workload } }: Replay): string {
  return workload === undefined
    ? text('incident.title.cluster', { cluster })
    : text('incident.title.workload', { workload: nameOfId(workload), cluster })
}

export const isObservedAt = ({ gaps }: Replay, at: EpochMs): boolean =>
  !gaps.some(({ from, to }) => at >= from && at < to)

export interface Moment {
  /** Undefined: the present, or the end of what is over. */
  at: EpochMs | undefined
  secondsLeft?: number | undefined
}

/** The one sentence that says how far it is. */
export function headlineOf(text: Text, replay: Replay, { at, secondsLeft }: Moment): string {
  if (at !== undefined && !isObservedAt(replay, at)) return text('incident.headline.unobserved', { time: timeOf(at) })
  const counts = at === undefined ? replay.counts.last() : replay.counts.at(at)
  if (!counts || counts.affected === 0) return text('incident.headline.none')
  if (replay.record.workload !== undefined) return headlineOfReplicas(text, counts, at)
  const { recovered, affected } = counts
  if (at !== undefined) return text('incident.headline.at', { recovered, affected, time: timeOf(at) })
  if (recovered === affected) {
    const done = replay.milestones.find(({ kind }) => kind === 'recovered')?.at ?? replay.lastChange
    return text('incident.headline.all', { affected, span: { ms: done - replay.since } })
  }
  if (isSettled(replay)) {
    return text('incident.headline.stuck', { recovered, affected, stuck: affected - recovered })
  }
  return secondsLeft === undefined || secondsLeft <= 0
    ? text('incident.headline.noEstimate', { recovered, affected })
    : text('incident.headline.left', { recovered, affected, left: { ms: secondsLeft * 1000 } })
}

function headlineOfReplicas(text: Text, { ready, desired }: IncidentCounts, at: EpochMs | undefined): string {
  return at === undefined
    ? text('incident.headline.replicas', { ready, desired })
    : text('incident.headline.replicasAt', { ready, desired, time: timeOf(at) })
}

/** What happened, how long it took and what it cost. `now` is the present of the server. */
export function summaryOf(text: Text, replay: Replay, now: EpochMs): string[] {
  const { record, since, endedAt, gaps, counts } = replay
  const { cluster = '', workload } = record
  const isOfCluster = workload === undefined
  const began = { cluster, since: timeOf(since) }
  const sentences: string[] = []
  if (endedAt === undefined) {
    const args = { ...began, span: { ms: now - since } }
    sentences.push(text(isOfCluster ? 'incident.summary.notReady' : 'incident.summary.failing', args))
  } else {
    const args = { ...began, end: timeOf(endedAt), span: { ms: endedAt - since } }
    sentences.push(text(isOfCluster ? 'incident.summary.wasNotReady' : 'incident.summary.failed', args))
  }
  if ((counts.last()?.affected ?? 0) > 0) {
    const { lowest, stopped, longestMs } = lossOf(replay)
    const { ready, desired } = lowest
    if (desired > 0) sentences.push(text('incident.summary.lowest', { ready, desired, time: timeOf(lowest.at) }))
    sentences.push(text('incident.summary.stopped', { n: stopped, span: { ms: longestMs } }))
  }
  if (gaps.some(({ from }) => from < endOf(replay))) sentences.push(text('incident.summary.gap'))
  if (record.truncated) sentences.push(text('incident.summary.truncated'))
  if (record.partial) sentences.push(text('incident.summary.partial'))
  return sentences
}

/** How many ready replicas a cluster has more or fewer than before. */
export const gainWords = (text: Text, delta: number): string =>
  delta === 0 ? text('incident.lanes.noGain') : text('incident.lanes.gain', { delta: { delta } })

/** How it stands at a moment, as one of the six states. */
export function stateAt(counts: IncidentCounts | undefined): State {
  if (!counts || counts.recovered === counts.affected) return 'ok'
  if (counts.waiting + counts.starting > 0) return 'active'
  return counts.unplaced > 0 ? 'fail' : 'held'
}
