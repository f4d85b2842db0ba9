/** Steps about clusters: annotations of simulated members, and taints. */
import { DRAIN_TAINT } from '@/lib/domain/eviction'
import type { StepAction } from '@/lib/domain/rehearsal/scenario'
import { message, type Message } from '@/lib/messages/message'
import type { Cluster } from '@/lib/kube/kinds'
import {
  SIM_NODE_CPU,
  SIM_NODE_MEMORY,
  SIM_NODES,
  SIM_READY_AFTER,
  SIM_REPORTS,
  SIM_STATE,
  SIM_UNHEALTHY,
  simulatedNodes,
} from '@/lib/kube/simulation'
import { formatTime } from '@/lib/std/clock'

export type ClusterAction = Exclude<
  StepAction,
  { kind: 'apply' | 'remove' | 'scale' | 'hold' | 'resume' | 'rebalance' }
>

type Taints = NonNullable<Cluster['spec']['taints']>

/** Merged into the cluster. */
export interface ClusterChange {
  annotations?: Record<string, string | null>
  taints?: Taints
}

export function changeOf(cluster: Cluster, action: ClusterAction, now: number): ClusterChange {
  const taints = cluster.spec.taints ?? []
  switch (action.kind) {
    case 'lose':
      return { annotations: { [SIM_STATE]: 'down' } }
    case 'recover':
      return { annotations: { [SIM_STATE]: 'up' } }
    case 'drain':
      return withTaint(taints, DRAIN_TAINT, now)
    case 'undrain':
      return { taints: taints.filter(({ key }) => key !== DRAIN_TAINT.key) }
    case 'taint': {
      const { key, value, effect } = action.given
      return withTaint(taints, { key, effect, ...(value !== undefined && { value }) }, now)
    }
    case 'untaint': {
      const { key, effect } = action.given
      return { taints: taints.filter((one) => one.key !== key || (effect !== undefined && one.effect !== effect)) }
    }
    case 'capacity': {
      const { nodes, nodeCpu, nodeMemory } = action.given
      const wanted = { [SIM_NODES]: nodes?.toString(), [SIM_NODE_CPU]: nodeCpu, [SIM_NODE_MEMORY]: nodeMemory }
      return { annotations: Object.fromEntries(Object.entries(wanted).filter(isGiven)) }
    }
    case 'loseNodes':
      return { annotations: { [SIM_NODES]: String(Math.max(0, simulatedNodes(cluster) - action.given.nodes)) } }
    case 'slowImages':
      return { annotations: { [SIM_READY_AFTER]: `${action.given.readyAfter}ms` } }
    case 'failPods':
      return { annotations: { [SIM_UNHEALTHY]: action.given.workloads.join(',') || null } }
    case 'misreport':
      return { annotations: { [SIM_REPORTS]: action.given.as === 'Ready' ? 'ready' : null } }
  }
}

const isGiven = (entry: [string, string | undefined]): entry is [string, string] => entry[1] !== undefined

function withTaint(present: Taints, taint: Taints[number], now: number): ClusterChange {
  const others = present.filter(({ key, effect }) => key !== taint.key || effect !== taint.effect)
  return { taints: [...others, { ...taint, timeAdded: formatTime(now) }] }
}

/** What was done, for the timeline. */
export function describe({ kind, given }: ClusterAction, clusters: readonly string[]): Message {
  switch (kind) {
    case 'taint':
    case 'untaint': {
      const taint = `${given.key}${given.effect ? `:${given.effect}` : ''}`
      return message(`rehearsal.step.${kind}`, { clusters, taint })
    }
    case 'loseNodes':
      return message('rehearsal.step.loseNodes', { clusters, nodes: given.nodes })
    case 'slowImages':
      return message('rehearsal.step.slowImages', { clusters, time: { ms: given.readyAfter } })
    case 'failPods':
      return message('rehearsal.step.failPods', { clusters, count: given.workloads.length })
    case 'misreport':
      return message('rehearsal.step.misreport', { clusters, as: given.as })
    default:
      return message(`rehearsal.step.${kind}`, { clusters })
  }
}
