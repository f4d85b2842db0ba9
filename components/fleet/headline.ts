/** What the fleet says first: what is lost, what is degraded, what runs off its policy. Plain data, in sentences. */
import { formatNumberOf, joinWords } from '@/lib/format'
import type { ClusterView, State, WorkloadView } from '@/lib/view/model'
import { href } from '../hooks/url-state'

/** One true sentence, and where what it counts is listed. */
export interface HeadlinePart {
  about: 'down' | 'degraded' | 'drift' | 'calm'
  state: State
  text: string
  href?: string
}

export interface Headline {
  /** The most urgent first; never empty. */
  parts: HeadlinePart[]
  /** Workloads that run off their policy, and the replicas that a rebalance would move. */
  drifting: { ids: string[]; replicas: number }
}

export interface HeadlineFacts {
  workloads: readonly WorkloadView[]
  /** Undefined where the reader may not list them. */
  clusters: readonly ClusterView[] | undefined
}

/** Every workload is counted in one part of the first two only: what a lost cluster costs is not told again as degraded. */
export function headlineOf({ workloads, clusters }: HeadlineFacts): Headline {
  const down = (clusters ?? []).filter(({ ready, deleting }) => !deleting && (ready === 'False' || ready === 'Unknown'))
  const cost = costOf(new Set(down.map(({ name }) => name)), workloads)
  const degraded = workloads.filter(({ id, state: { state } }) =>
    (state === 'fail' || state === 'warn' || state === 'unknown') && !cost.ids.has(id))
  const drifting = workloads.filter(({ drift = 0 }) => drift > 0)
  const replicas = drifting.reduce((sum, { drift = 0 }) => sum + drift, 0)
  const parts = [
    ...down.length > 0 ? [downPart(down.map(({ name }) => name), cost)] : [],
    ...degraded.length > 0 ? [degradedPart(degraded)] : [],
    ...drifting.length > 0 ? [driftPart(drifting.length, replicas)] : [],
  ]
  return {
    parts: parts.length > 0 ? parts : [calmPart(workloads)],
    drifting: { ids: drifting.map(({ id }) => id), replicas },
  }
}

interface Cost {
  ids: ReadonlySet<string>
  /** Placed there, and not known to run. */
  replicas: number
}

function costOf(down: ReadonlySet<string>, workloads: readonly WorkloadView[]): Cost {
  const ids = new Set<string>()
  let replicas = 0
  for (const { id, cells, hasReplicas } of workloads) {
    for (const { cluster, unknown = 0, desired, role } of cells) {
      if (role !== 'placed' || desired === 0 || !down.has(cluster)) continue
      ids.add(id)
      replicas += hasReplicas ? unknown : 0
    }
  }
  return { ids, replicas }
}

function downPart(names: readonly string[], { ids, replicas }: Cost): HeadlinePart {
  const who = names.length === 1 ? `${names[0]} is down` : `${names.length} clusters are down (${joinWords(names, 3)})`
  const cost = ids.size === 0
    ? 'no workload is placed there'
    : `${formatNumberOf(replicas, 'replica')} unknown, ${formatNumberOf(ids.size, 'workload')} affected`
  return {
    about: 'down', state: 'fail', text: `${who}: ${cost}.`,
    ...(ids.size > 0 && { href: href.fleet({ q: `cluster=${names.join(',')}` }) }),
  }
}

function degradedPart(degraded: readonly WorkloadView[]): HeadlinePart {
  const worst = (['fail', 'warn', 'unknown'] as const).find((state) => degraded.some((each) => each.state.state === state))
  const verb = degraded.length === 1 ? 'is' : 'are'
  return {
    about: 'degraded', state: worst ?? 'warn', text: `${formatNumberOf(degraded.length, 'workload')} ${verb} degraded.`,
    href: href.fleet({ q: 'state=fail,warn,unknown' }),
  }
}

function driftPart(workloads: number, replicas: number): HeadlinePart {
  const [verb, whose] = [replicas === 1 ? 'runs' : 'run', workloads === 1 ? 'its policy' : 'their policies']
  return {
    about: 'drift', state: 'warn', href: href.fleet({ q: 'drift=yes' }),
    text: `${formatNumberOf(replicas, 'replica')} of ${formatNumberOf(workloads, 'workload')} ${verb} off ${whose}.`,
  }
}

function calmPart(workloads: readonly WorkloadView[]): HeadlinePart {
  const busy = workloads.filter(({ state: { state } }) => state === 'active').length
  const held = workloads.filter(({ state: { state } }) => state === 'held').length
  const rest = [busy > 0 && `${busy} in progress`, held > 0 && `${held} suspended or queued`].filter(Boolean).join(', ')
  const text = rest === ''
    ? `${workloads.length === 1 ? 'The workload runs' : `All ${formatNumberOf(workloads.length, 'workload')} run`} as the policies ask.`
    : `No workload is degraded; ${rest}.`
  return { about: 'calm', state: busy > 0 ? 'active' : 'ok', text }
}
