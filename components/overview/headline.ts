/** Headline of the overview: one sentence, and the facts that support it. */
import type { FailoverEntryView, FailoverView, PastFailoverView } from '@/lib/view/failover-model'
import type { ClusterView, State, WorkloadView } from '@/lib/view/model'
import { type Message, message } from '@/lib/messages/message'
import { headlineOf } from '../fleet-summary/headline'
import { isPending } from './totals'

export interface OverviewFacts {
  workloads: readonly WorkloadView[]
  /** Undefined where the reader may not list them. */
  clusters: readonly ClusterView[] | undefined
  failovers: readonly FailoverEntryView[]
  past: readonly PastFailoverView[]
}

export interface OverviewHeadline {
  state: State
  sentence: Message
  /** Whole sentences. */
  details: Message[]
  /** When the incident began that the sentence is about. */
  since?: string
}

/**
 * Describes one lost cluster with the recovery of its workloads, or workloads that are evicted from clusters, which is more
 * urgent than drift; other states as on the fleet pages.
 */
export function overviewHeadline(facts: OverviewFacts): OverviewHeadline {
  const [incident, ...others] = runningIncidents(facts.failovers)
  if (incident?.incident !== undefined && others.length === 0 && incident.incident.affected > 0)
    return incidentHeadline(incident, incident.incident)
  const [first] = headlineOf(facts).parts
  const evicting = evictionsIn(facts.failovers)
  if (evicting.n > 0 && (first === undefined || !URGENT.has(first.about))) {
    const sentence = message('overview.headline.evicting', evicting)
    return { state: 'active', sentence, details: supportOf(facts) }
  }
  if (first === undefined || first.about === 'calm') return calmHeadline(facts)
  return { state: first.state, sentence: first.sentence, details: supportOf(facts) }
}

const URGENT: ReadonlySet<string> = new Set(['down', 'degraded'])

/** The workloads that are evicted now, and from which clusters. */
function evictionsIn(failovers: readonly FailoverEntryView[]): { n: number; clusters: string[] } {
  const evicting = failovers.flatMap((entry) => {
    const from = entry.failovers.filter(({ kind, stage }) => kind === 'workload' && stage === 'evicting')
    return from.length > 0 ? [from.map(({ cluster }) => cluster)] : []
  })
  return { n: evicting.length, clusters: [...new Set(evicting.flat())].sort() }
}

function calmHeadline(facts: OverviewFacts): OverviewHeadline {
  const count = (state: State) => facts.workloads.filter((each) => each.state.state === state).length
  const [busy, held] = [count('active'), count('held')]
  return {
    state: busy > 0 ? 'active' : 'ok',
    sentence:
      busy > 0
        ? message('overview.headline.busy', { busy, healthy: count('ok') })
        : message('overview.headline.calm', { n: facts.workloads.length - held }),
    details: supportOf(facts),
  }
}

/** Clusters that are lost now, the one that is lost for longest first. */
export function runningIncidents(failovers: readonly FailoverEntryView[]): FailoverView[] {
  return failovers
    .flatMap((entry) => entry.failovers)
    .filter(({ kind, incident }) => kind === 'cluster' && incident !== undefined && incident.endedAt === undefined)
    .sort((a, b) => ((a.since ?? '') < (b.since ?? '') ? -1 : 1))
}

function incidentHeadline(
  { cluster, since }: FailoverView,
  { affected, recovered, secondsLeft }: NonNullable<FailoverView['incident']>,
): OverviewHeadline {
  const pending = affected - recovered
  return {
    state: 'fail',
    sentence:
      pending === 0
        ? message('overview.headline.recovered', { cluster, affected })
        : message('overview.headline.incident', { cluster, affected, recovered }),
    details: [
      ...(since === undefined ? [] : [message('overview.detail.since', { time: { time: since } })]),
      ...(secondsLeft === undefined || pending === 0
        ? []
        : [message('overview.detail.left', { span: { ms: secondsLeft * 1000 } })]),
    ],
    ...(since !== undefined && { since }),
  }
}

function supportOf({ workloads, clusters, past }: OverviewFacts): Message[] {
  const pending = workloads.filter(isPending).length
  const last = past
    .filter(({ kind }) => kind === 'cluster')
    .reduce<PastFailoverView | undefined>(
      (latest, each) => ((latest?.endedAt ?? '') < each.endedAt ? each : latest),
      undefined,
    )
  return [
    ...(clusters === undefined ? [] : [clustersSentence(clusters)]),
    ...(pending === 0 ? [] : [message('overview.detail.pending', { n: pending })]),
    ...(last?.unhealthySince === undefined
      ? []
      : [
          message('overview.detail.lastIncident', {
            cluster: last.cluster,
            time: { time: last.unhealthySince },
            span: { ms: Date.parse(last.endedAt) - Date.parse(last.unhealthySince) },
          }),
        ]),
  ]
}

const clustersSentence = (clusters: readonly ClusterView[]): Message =>
  message('overview.detail.clusters', {
    ready: clusters.filter(({ ready }) => ready === 'True').length,
    n: clusters.length,
    regions: new Set(clusters.flatMap(({ region }) => region ?? [])).size,
  })
