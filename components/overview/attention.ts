/** What needs a person, the worst first, each with the page where it is acted on. */
import type { FailoverEntryView } from '@/lib/view/failover-model'
import type { ClusterView, State, StateView, WorkloadView } from '@/lib/view/model'
import { deepEqual } from '@/lib/std/equal'
import { firstOf } from '@/lib/view/project/say'
import { nameOf } from '@/lib/view/workload-id'
import type { QueueView } from '@/lib/view/queue-model'
import type { LossSurveyView, PlanRowView } from '@/lib/view/rebalance-model'
import type { MessageCode } from '@/lib/messages'
import { isMessage, type Message, message, type Value } from '@/lib/messages/message'
import { href } from '../hooks/url-state'
import { encodeSelection } from '../hooks/selection'
import { runningIncidents } from './headline'

export interface Attention {
  id: string
  state: State
  title: Message | string
  detail?: Message | string
  action: {
    label: Extract<MessageCode, `overview.action.${string}`>
    href: string
    /** What to press first. */
    first?: true
  }
}

export interface AttentionFacts {
  workloads: readonly WorkloadView[]
  clusters: readonly ClusterView[]
  failovers: readonly FailoverEntryView[]
  plans: readonly PlanRowView[]
  queues: readonly QueueView[]
  /** Absent until it is computed. */
  survey?: LossSurveyView | undefined
}

/** Items about workloads; what they do not cover is counted. */
const MAX_ITEMS = 4

export function attentionOf(facts: AttentionFacts): Attention[] {
  const items = [
    ...lostClusters(facts),
    ...workloadItems(facts.workloads),
    ...planItems(facts.plans),
    ...otherClusters(facts.clusters),
    ...fullItem(facts.clusters),
    ...lossItem(facts.survey, facts.clusters),
    ...driftItem(facts.workloads),
    ...queueItems(facts.queues),
  ]
  return items.sort((a, b) => RANK.indexOf(a.state) - RANK.indexOf(b.state))
}

const RANK: readonly State[] = ['fail', 'unknown', 'warn', 'active', 'held', 'ok']

const isLost = ({ ready, deleting }: ClusterView): boolean => !deleting && (ready === 'False' || ready === 'Unknown')

function lostClusters({ clusters, failovers }: AttentionFacts): Attention[] {
  const incidents = new Map(runningIncidents(failovers).map((each) => [each.cluster, each.incident]))
  return clusters.filter(isLost).map(({ name, state }, index) => {
    const incident = incidents.get(name)
    return {
      id: `cluster ${name}`,
      state: 'fail',
      title: message('overview.attention.cluster', { cluster: name }),
      detail:
        incident === undefined
          ? state.reason
          : message('overview.attention.recovered', { recovered: incident.recovered, affected: incident.affected }),
      action: {
        label: 'overview.action.incident',
        href: href.incident({ cluster: name }),
        ...(index === 0 && { first: true }),
      },
    }
  })
}

/**
 * Returns degraded workloads, then those in progress with missing replicas. Where they are too many to be named, those
 * with the same cause are one item.
 */
function workloadItems(workloads: readonly WorkloadView[]): Attention[] {
  const concerned = workloads
    .filter((each) => isDegraded(each) || (each.state.state === 'active' && missing(each) > 0))
    .toSorted((a, b) => RANK.indexOf(a.state.state) - RANK.indexOf(b.state.state) || missing(b) - missing(a))
  const parts = concerned.length > MAX_ITEMS ? byCause(concerned) : concerned.map((each) => [each])
  const shown = parts.slice(0, MAX_ITEMS).map(([first, ...others]) => workloadsItem(first!, others))
  const others = parts.slice(MAX_ITEMS).flat()
  const [next] = others
  if (next === undefined) return shown
  return [
    ...shown,
    {
      id: 'workloads',
      state: next.state.state,
      title: message('overview.attention.moreWorkloads', { n: others.length }),
      action: { label: 'overview.action.show', href: href.workloads({ q: 'state=fail,unknown,warn,active' }) },
    },
  ]
}

/** The worst state first, then the cause of most workloads. */
function byCause(workloads: readonly WorkloadView[]): WorkloadView[][] {
  const parts = Map.groupBy(workloads, ({ state }) => `${state.state} ${JSON.stringify(causeOf(state.reason))}`)
  const rankOf = ([first]: WorkloadView[]): number => RANK.indexOf(first!.state.state)
  return [...parts.values()].toSorted((a, b) => rankOf(a) - rankOf(b) || b.length - a.length)
}

/** The reason without the clusters that it names first. */
const causeOf = (reason: StateView['reason']): Value =>
  (isMessage(reason) && reason.code === 'common.inCluster' && reason.args?.['reason']) || reason

const isDegraded = ({ state: { state } }: WorkloadView): boolean =>
  state === 'fail' || state === 'warn' || state === 'unknown'
const missing = ({ hasReplicas, desired, ready }: WorkloadView): number => (hasReplicas ? desired - ready : 0)

/** One workload, or some with the same cause. */
function workloadsItem(first: WorkloadView, others: readonly WorkloadView[]): Attention {
  const { id, ref, state, hasReplicas, ready, desired } = first
  const workload = nameOf(ref)
  if (others.length === 0)
    return {
      id,
      state: state.state,
      title: hasReplicas ? message('overview.attention.workload', { workload, ready, desired }) : workload,
      detail: state.reason,
      action: { label: 'overview.action.open', href: href.workload(id) },
    }
  const all = [first, ...others]
  const cause = causeOf(state.reason)
  return {
    id: `workloads ${state.state} ${JSON.stringify(cause)}`,
    state: state.state,
    title: all.every((each) => each.hasReplicas)
      ? message('overview.attention.workloadsReady', {
          n: all.length,
          ready: sum(all, 'ready'),
          desired: sum(all, 'desired'),
        })
      : message('overview.attention.workloads', { n: all.length }),
    detail: message('overview.attention.cause', {
      cause: others.every((each) => deepEqual(each.state.reason, state.reason)) ? state.reason : cause,
      workloads: firstOf(
        all.map((each) => nameOf(each.ref)),
        1,
      ),
    }),
    action: { label: 'overview.action.show', href: href.workloads({ q: `state=${state.state}` }) },
  }
}

const sum = (workloads: readonly WorkloadView[], of: 'ready' | 'desired'): number =>
  workloads.reduce((total, each) => total + each[of], 0)

/** Plans that wait for a decision of a user. */
function planItems(plans: readonly PlanRowView[]): Attention[] {
  return plans
    .filter(({ phase }) => phase === 'AwaitingApproval' || phase === 'Paused' || phase === 'Held')
    .map(({ name, phase, state, hold }) => ({
      id: `plan ${name}`,
      state: phase === 'Held' ? 'warn' : 'held',
      title: message('overview.attention.plan', { plan: name }),
      detail: hold?.message ?? state.reason,
      action: { label: 'overview.action.open', href: href.planRun(name) },
    }))
}

/** Cordoned or drained, with nodes that are not ready, or never heard of. */
function otherClusters(clusters: readonly ClusterView[]): Attention[] {
  return clusters
    .filter((cluster) => !isLost(cluster) && cluster.state.state !== 'ok' && cluster.state.state !== 'active')
    .map(({ name, state }) => ({
      id: `cluster ${name}`,
      state: state.state,
      title: name,
      detail: state.reason,
      action: { label: 'overview.action.open', href: href.cluster(name) },
    }))
}

/** Requested part of the CPU from which on a cluster takes hardly anything more: Workloads draws it as a warning, too. */
const FULL = 0.9

const fillOf = ({ cpu }: ClusterView): number => (cpu && cpu.allocatable > 0 ? cpu.allocated / cpu.allocatable : 0)

/** Clusters without room, the fullest first: why replicas are not ready, and where none can be moved to. */
function fullItem(clusters: readonly ClusterView[]): Attention[] {
  const full = clusters
    .filter((cluster) => cluster.ready === 'True' && fillOf(cluster) >= FULL)
    .toSorted((a, b) => fillOf(b) - fillOf(a))
  const [first] = full
  if (first === undefined) return []
  return [
    {
      id: 'full',
      state: 'warn',
      title: message('overview.attention.full', {
        n: full.length,
        cluster: first.name,
        share: { share: full.length === 1 ? fillOf(first) : FULL },
      }),
      ...(full.length > 1 && { detail: message('overview.attention.fullest', { clusters: fullest(full) }) }),
      action: {
        label: full.length === 1 ? 'overview.action.open' : 'overview.action.show',
        href: full.length === 1 ? href.cluster(first.name) : '/clusters',
      },
    },
  ]
}

const fullest = (full: readonly ClusterView[]): (string | Message)[] => [
  ...full.slice(0, 3).map(({ name }) => name),
  ...(full.length > 3 ? [message('common.more', { n: full.length - 3 })] : []),
]

/** The cluster whose failure would cost most, while all others are ready: one after the other is what can be fixed. */
function lossItem(survey: LossSurveyView | undefined, clusters: readonly ClusterView[]): Attention[] {
  const lost = new Set(clusters.filter(isLost).map(({ name }) => name))
  const [worst] = (survey?.clusters ?? [])
    .filter(({ cluster }) => !lost.has(cluster))
    .toSorted((a, b) => b.lostWorkloads - a.lostWorkloads)
  if (worst === undefined || worst.lostWorkloads === 0) return []
  return [
    {
      id: 'loss',
      state: 'warn',
      title: message('overview.attention.loss', { n: worst.lostWorkloads, cluster: worst.cluster }),
      detail: message('overview.resilience.noPlace', { n: worst.lostWorkloads, workloads: worst.names.slice(0, 2) }),
      action: { label: 'overview.action.show', href: href.whatIf(worst.cluster, 'fails') },
    },
  ]
}

function driftItem(workloads: readonly WorkloadView[]): Attention[] {
  const drifting = workloads.filter(({ drift = 0 }) => drift > 0)
  if (drifting.length === 0) return []
  const { value, stored } = encodeSelection(drifting.map(({ id }) => id))
  return [
    {
      id: 'drift',
      state: 'warn',
      title: message('overview.attention.drift', { replicas: drifting.reduce((sum, { drift = 0 }) => sum + drift, 0) }),
      detail: message('overview.attention.driftOf', {
        n: drifting.length,
        workloads: drifting.slice(0, 3).map(({ ref }) => ref.name),
      }),
      // A selection that is too long for an address is made on the page itself.
      action: { label: 'overview.action.rebalance', href: stored ? href.fleet({ q: 'drift=yes' }) : href.plan(value) },
    },
  ]
}

function queueItems(queues: readonly QueueView[]): Attention[] {
  return queues
    .filter(({ pending, hold }) => pending > 0 || hold !== undefined)
    .map(({ id, pending, hold, head }) => ({
      id: `queue ${id}`,
      state: 'held',
      title: message('overview.attention.queue', { queue: id, n: pending }),
      ...((hold ?? head) && { detail: (hold ?? head)!.message }),
      action: { label: 'overview.action.open', href: `/queues/detail?queue=${encodeURIComponent(id)}` },
    }))
}
