/** The headline of the fleet: clusters that are not ready, degraded workloads, drift. */
import { message, type Message, type Value } from '@/lib/messages'
import { tallyKeeper } from '@/lib/std/row-keepers'
import { sameItems } from '@/lib/std/same-items'
import type { CellView, ClusterView, State, WorkloadView } from '@/lib/view/model'
import { href } from '../hooks/url-state'
import { countStates } from '../status/states'

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

/** The headline of a fleet that is looked at once. */
export const headlineOf = (facts: HeadlineFacts): Headline => headlineKeeper()(facts)

/**
 * Returns a function that computes the headline incrementally and counts only changed workloads. Each workload counts
 * in one of the first two parts only: the cost of a lost cluster is not repeated as degraded.
 */
export function headlineKeeper(): (facts: HeadlineFacts) => Headline {
  let lost: readonly string[] = []
  let count = workloadCounter(new Set())
  return ({ workloads, clusters = [] }) => {
    const down = clusters.filter(({ ready, deleting }) => !deleting && (ready === 'False' || ready === 'Unknown'))
    const names = down.map(({ name }) => name)
    if (!sameItems(lost, names)) [lost, count] = [names, workloadCounter(new Set(names))]
    const { cost, apart, states, drifting } = count(workloads)
    const ids = [...drifting.ids.keys()]
    const parts = [
      ...(names.length > 0 ? [downPart(names, cost)] : []),
      ...(apart.fail + apart.warn + apart.unknown > 0 ? [degradedPart(apart)] : []),
      ...(ids.length > 0 ? [driftPart(ids.length, drifting.replicas)] : []),
    ]
    return {
      parts: parts.length > 0 ? parts : [calmPart(workloads.length, states)],
      drifting: { ids, replicas: drifting.replicas },
    }
  }
}

type StateCounts = Record<State, number>

/** What clusters that are down cost. */
interface Cost {
  workloads: number
  /** Placed there, and not known to run. */
  replicas: number
}

interface WorkloadCounts {
  cost: Cost
  /** Workloads that no cluster that is down costs anything. */
  apart: StateCounts
  states: StateCounts
  /** Number of occurrences of each id: while a list is updated, a row may be added before it is removed. */
  drifting: { ids: Map<string, number>; replicas: number }
}

function workloadCounter(down: ReadonlySet<string>): (workloads: readonly WorkloadView[]) => WorkloadCounts {
  const counts: WorkloadCounts = {
    cost: { workloads: 0, replicas: 0 },
    apart: countStates([]),
    states: countStates([]),
    drifting: { ids: new Map(), replicas: 0 },
  }
  return tallyKeeper({
    count: (workload, times) => {
      const { id, drift = 0, hasReplicas, state } = workload
      const lost = down.size === 0 ? [] : workload.cells.filter((cell) => isLost(cell, down))
      counts.states[state.state] += times
      if (lost.length === 0) counts.apart[state.state] += times
      else counts.cost.workloads += times
      if (hasReplicas) counts.cost.replicas += times * lost.reduce((sum, { unknown = 0 }) => sum + unknown, 0)
      if (drift <= 0) return
      const { drifting } = counts
      drifting.replicas += times * drift
      drifting.ids.set(id, (drifting.ids.get(id) ?? 0) + times)
      if (drifting.ids.get(id) === 0) drifting.ids.delete(id)
    },
    result: () => counts,
  })
}

const isLost = ({ cluster, desired, role }: CellView, down: ReadonlySet<string>): boolean =>
  role === 'placed' && desired > 0 && down.has(cluster)

function downPart(names: readonly string[], { workloads, replicas }: Cost): HeadlinePart {
  const shown: Value[] = names.slice(0, 3)
  const clusters = names.length > 3 ? [...shown, message('common.more', { n: names.length - 3 })] : shown
  const down = { n: names.length, clusters }
  if (workloads === 0) return { about: 'down', state: 'fail', sentence: message('fleet.headline.downUnused', down) }
  return {
    about: 'down',
    state: 'fail',
    sentence: message('fleet.headline.down', { ...down, replicas, workloads }),
    href: href.fleet({ q: `cluster=${names.join(',')}` }),
  }
}

function degradedPart(states: StateCounts): HeadlinePart {
  const worst = (['fail', 'warn', 'unknown'] as const).find((state) => states[state] > 0)
  return {
    about: 'degraded',
    state: worst ?? 'warn',
    sentence: message('fleet.headline.degraded', { n: states.fail + states.warn + states.unknown }),
    href: href.fleet({ q: 'state=fail,warn,unknown' }),
  }
}

const driftPart = (workloads: number, replicas: number): HeadlinePart => ({
  about: 'drift',
  state: 'warn',
  href: href.fleet({ q: 'drift=yes' }),
  sentence: message('fleet.headline.drift', { replicas, workloads }),
})

function calmPart(workloads: number, { active: busy, held }: StateCounts): HeadlinePart {
  const sentence =
    busy + held === 0
      ? message('fleet.headline.calm', { n: workloads })
      : message('fleet.headline.busy', { busy, held })
  return { about: 'calm', state: busy > 0 ? 'active' : 'ok', sentence }
}
