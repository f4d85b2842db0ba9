/** Computes the number of replicas for a FederatedHPA from the usage of all pods in its clusters. */
import type { FederatedHpa } from '../../kube/kinds/federated-hpa'
import { quantityMilli, tryParseQuantity } from '../../kube/quantity'
import type { EpochMs } from '../../std/clock'

type Spec = FederatedHpa['spec']
type Metric = NonNullable<Spec['metrics']>[number]
type Rules = NonNullable<NonNullable<Spec['behavior']>['scaleUp']>

/** One pod of the workload. Amounts are thousandths of the unit of each resource. */
export interface PodUsage {
  ready: boolean
  requests: Readonly<Record<string, number>>
  /** Undefined without metrics. */
  usage: Readonly<Record<string, number>> | undefined
}

/** An earlier result with its time. */
export interface Recommendation {
  at: EpochMs
  replicas: number
}

export interface AutoscaleSnapshot {
  spec: Spec
  /** Of the template. */
  current: number
  /** Of all clusters together: more than `current` where each cluster has its own. */
  inMembers: number
  pods: readonly PodUsage[]
  recommendations: readonly Recommendation[]
  now: EpochMs
}

/** The present value of a metric. */
export interface MetricValue {
  name: string
  averageUtilization?: number
  /** Thousandths of the unit. */
  average: number
}

export interface AutoscalePlan {
  desired: number
  /** Why, as in events. */
  reason: string
  values: MetricValue[]
  /** To be given to the next plan. */
  recommendations: Recommendation[]
  /** No metric could be read. */
  failed: boolean
}

const TOLERANCE = 0.1
const DOWN_WINDOW_SECONDS = 300
/** Without rules: at most double, or four more, each period. */
const UP_PODS = 4
const UP_PERCENT = 100

/** Plans the replicas of the template. Zero replicas switch scaling off. */
export function planReplicas(snapshot: AutoscaleSnapshot): AutoscalePlan {
  const { spec, current, recommendations, now } = snapshot
  const min = spec.minReplicas ?? 1
  const kept = recommendations.filter(({ at }) => now - at < longestWindow(spec) * 1000)
  const bounded = (desired: number, reason: string): AutoscalePlan => ({
    desired,
    reason,
    values: [],
    recommendations: kept,
    failed: false,
  })
  if (current === 0 && min !== 0) return bounded(0, '')
  if (current > spec.maxReplicas) {
    // Reasons as upstream writes them: reconcileAutoscaler.
    return bounded(spec.maxReplicas, 'Current number of replicas above Spec.MaxReplicas')
  }
  // upstream
  if (current < min) return bounded(min, 'Current number of replicas below Spec.MinReplicas')
  const proposals = (spec.metrics ?? []).flatMap((metric) => proposalOf(metric, snapshot) ?? [])
  const [best] = proposals.toSorted((a, b) => b.replicas - a.replicas)
  if (!best) return { ...bounded(current, ''), failed: true }
  const known = [...kept, { at: now, replicas: best.replicas }]
  const desired = Math.min(spec.maxReplicas, Math.max(min, paced(snapshot, best.replicas, known)))
  // upstream
  const reason = desired > current ? `${best.value.name} above target` : 'All metrics below target'
  return {
    desired,
    reason: desired === current ? '' : reason,
    values: proposals.map(({ value }) => value),
    recommendations: known,
    failed: false,
  }
}

const windowOf = (rules: Rules | undefined, fallback: number): number => rules?.stabilizationWindowSeconds ?? fallback

function longestWindow({ behavior }: Spec): number {
  return Math.max(windowOf(behavior?.scaleUp, 0), windowOf(behavior?.scaleDown, DOWN_WINDOW_SECONDS))
}

/** Follows the calmest recommendation of the window, and no faster than the rules allow. */
function paced({ spec, current, now }: AutoscaleSnapshot, wanted: number, known: readonly Recommendation[]): number {
  const within = (seconds: number): number[] =>
    known.filter(({ at }) => now - at <= seconds * 1000).map(({ replicas }) => replicas)
  const { scaleUp, scaleDown } = spec.behavior ?? {}
  const up = Math.min(wanted, ...within(windowOf(scaleUp, 0)))
  const down = Math.max(wanted, ...within(windowOf(scaleDown, DOWN_WINDOW_SECONDS)))
  if (up > current) return Math.min(up, limitOf(scaleUp, current, +1))
  if (down < current) return Math.max(down, limitOf(scaleDown, current, -1))
  return current
}

/** The furthest that the rules allow from here. */
function limitOf(rules: Rules | undefined, current: number, sign: 1 | -1): number {
  if (rules?.selectPolicy === 'Disabled') return current
  const policies = rules?.policies?.length ? rules.policies : sign > 0 ? DEFAULT_UP : DEFAULT_DOWN
  const steps = policies.map(({ type, value }) => (type === 'Pods' ? value : Math.ceil((current * value) / 100)))
  const step = rules?.selectPolicy === 'Min' ? Math.min(...steps) : Math.max(...steps)
  return Math.max(0, current + sign * step)
}

const DEFAULT_UP = [
  { type: 'Pods', value: UP_PODS },
  { type: 'Percent', value: UP_PERCENT },
]
const DEFAULT_DOWN = [{ type: 'Percent', value: UP_PERCENT }]

interface Proposal {
  replicas: number
  value: MetricValue
}

/** Undefined for a metric that is not of a resource, or that no pod reports. */
function proposalOf({ type, resource }: Metric, snapshot: AutoscaleSnapshot): Proposal | undefined {
  if (type !== 'Resource' || !resource) return undefined
  const { name, target } = resource
  const measured = snapshot.pods.filter(({ ready, usage }) => ready && usage?.[name] !== undefined)
  const used = sum(measured, ({ usage }) => usage?.[name] ?? 0)
  const requested = sum(measured, ({ requests }) => requests[name] ?? 0)
  if (measured.length === 0) return undefined
  const average = used / measured.length
  if (target.averageUtilization !== undefined) {
    if (measured.some(({ requests }) => !requests[name])) return undefined
    const averageUtilization = Math.floor((used * 100) / requested)
    const value = { name: `${name} resource utilization (percentage of request)`, averageUtilization, average }
    return { replicas: scaled(snapshot, measured.length, averageUtilization / target.averageUtilization), value }
  }
  const wanted = target.averageValue === undefined ? undefined : tryParseQuantity(target.averageValue)
  if (!wanted) return undefined
  const ratio = average / Number(quantityMilli(wanted))
  return { replicas: scaled(snapshot, measured.length, ratio), value: { name: `${name} resource`, average } }
}

/**
 * Scales the replicas by a ratio, unless the difference is within the tolerance. The pods of all clusters are converted
 * to replicas of the template.
 */
function scaled({ current, inMembers }: AutoscaleSnapshot, pods: number, ratio: number): number {
  if (Math.abs(ratio - 1) <= TOLERANCE) return current
  const share = inMembers > 0 ? current / inMembers : 1
  const replicas = Math.ceil(pods * ratio * share)
  // Pods without metrics must not reverse the direction.
  return ratio > 1 ? Math.max(replicas, current) : Math.min(replicas, current)
}

function sum(pods: readonly PodUsage[], read: (pod: PodUsage) => number): number {
  return pods.reduce((total, pod) => total + read(pod), 0)
}
