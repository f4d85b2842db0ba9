/** The headline of the fleet: clusters that are not ready, degraded workloads, drift. */
import { message, type Message, type Value } from '@/lib/messages'
import type { ClusterView, State, WorkloadView } from '@/lib/view/model'
import { href } from '../hooks/url-state'

/** One sentence, and where what it counts is listed. */
export interface HeadlinePart {
  about: 'down' | 'degraded' | 'drift' | 'calm'
  state: State
  sentence: Message
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
  const degraded = workloads.filter(
    ({ id, state: { state } }) => (state === 'fail' || state === 'warn' || state === 'unknown') && !cost.ids.has(id),
  )
  const drifting = workloads.filter(({ drift = 0 }) => drift > 0)
  const replicas = drifting.reduce((sum, { drift = 0 }) => sum + drift, 0)
  const parts = [
    ...(down.length > 0
      ? [
          downPart(
            down.map(({ name }) => name),
            cost,
          ),
        ]
      : []),
    ...(degraded.length > 0 ? [degradedPart(degraded)] : []),
    ...(drifting.length > 0 ? [driftPart(drifting.length, replicas)] : []),
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
  const shown: Value[] = names.slice(0, 3)
  const clusters = names.length > 3 ? [...shown, message('common.more', { n: names.length - 3 })] : shown
  const down = { n: names.length, clusters }
  if (ids.size === 0) return { about: 'down', state: 'fail', sentence: message('fleet.headline.downUnused', down) }
  return {
    about: 'down',
    state: 'fail',
    sentence: message('fleet.headline.down', { ...down, replicas, workloads: ids.size }),
    href: href.fleet({ q: `cluster=${names.join(',')}` }),
  }
}

function degradedPart(degraded: readonly WorkloadView[]): HeadlinePart {
  const worst = (['fail', 'warn', 'unknown'] as const).find((state) =>
    degraded.some((each) => each.state.state === state),
  )
  return {
    about: 'degraded',
    state: worst ?? 'warn',
    sentence: message('fleet.headline.degraded', { n: degraded.length }),
    href: href.fleet({ q: 'state=fail,warn,unknown' }),
  }
}

const driftPart = (workloads: number, replicas: number): HeadlinePart => ({
  about: 'drift',
  state: 'warn',
  href: href.fleet({ q: 'drift=yes' }),
  sentence: message('fleet.headline.drift', { replicas, workloads }),
})

function calmPart(workloads: readonly WorkloadView[]): HeadlinePart {
  const busy = workloads.filter(({ state: { state } }) => state === 'active').length
  const held = workloads.filter(({ state: { state } }) => state === 'held').length
  const sentence =
    busy + held === 0
      ? message('fleet.headline.calm', { n: workloads.length })
      : message('fleet.headline.busy', { busy, held })
  return { about: 'calm', state: busy > 0 ? 'active' : 'ok', sentence }
}
