/** Why no place was found: for each affinity group that was tried, what its clusters lack. */
import type { Cluster } from '@/lib/kube/kinds/cluster'
import { parseQuantity, type Quantity, quantityMilli, quantityValue, tryParseQuantity } from '@/lib/kube/quantity'
import { remainingQuantities } from '../estimate/capacity'
import { type ClusterFacts, snapshotOf } from './facts'
import type { Rejection } from './filter'
import { compileMembership } from './filter/cluster-affinity'
import type { PlacementRun } from './place'
import type { Attempt, ScheduleVerdict } from './schedule-binding'

/** Clusters that a sentence names itself. */
const MOST = 4

/** Reports whether a cluster belongs to the affinity group of an attempt, whatever else kept it out. */
export function isInGroup({ run: { request } }: Attempt, facts: ClusterFacts): boolean {
  return compileMembership(request)?.(facts) ?? true
}

/**
 * Returns why a scheduling failed: `primary: member1 has an untolerated taint; backup: member2 has 0.55 CPU free, needs
 * 0.9`. Without groups it is the reason of the one attempt. Undefined when it did not fail.
 */
export function explainFailure(
  { attempts, failure }: ScheduleVerdict,
  clusters: readonly Cluster[],
): string | undefined {
  if (!failure) return undefined
  const failed = attempts.filter(({ run }) => !run.outcome.ok)
  if (failed.every(({ affinityName }) => affinityName === '')) return failure.message.replace(/\.$/, '')
  return failed.map((attempt) => explainAttempt(attempt, clusters)).join('; ')
}

/** Returns why one attempt failed, opened by the name of its group where it has one. */
export function explainAttempt(attempt: Attempt, clusters: readonly Cluster[]): string {
  const { affinityName, run } = attempt
  const members = new Set(
    snapshotOf(clusters)
      .facts.filter((facts) => isInGroup(attempt, facts))
      .map(({ name }) => name),
  )
  const reason =
    run.candidates.length > 0
      ? shortageOf(run)
      : rejectionsOf(run.rejections.filter(({ cluster }) => members.has(cluster)))
  return affinityName === '' ? reason : `${affinityName}: ${reason}`
}

function rejectionsOf(rejections: readonly Rejection[]): string {
  if (rejections.length === 0) return 'it has no cluster'
  return limited(rejections.map(({ cluster, rule, reason }) => `${cluster} ${rejectionText({ rule, reason })}`))
}

/** Why a rule kept a cluster out, after the name of the cluster. */
export const rejectionText = ({ rule, reason }: Pick<Rejection, 'rule' | 'reason'>): string => REJECTIONS[rule](reason)

const REJECTIONS: Readonly<Record<Rejection['rule'], (reason: string) => string>> = {
  APIEnablement: () => 'does not serve the kind',
  TaintToleration: (reason) => `has an untolerated taint${/\{(.*)\}/.exec(reason)?.[1]?.replace(/^/, ' ') ?? ''}`,
  ClusterAffinity: () => 'is not asked for',
  SpreadConstraint: (reason) => `has no ${/(provider|region|zone)/.exec(reason)?.[1] ?? 'field'} to spread by`,
  ClusterEviction: () => 'is being left by the workload',
  EvictionHistory: () => 'is blocked, as the workload failed there',
  WorkloadAffinity: () => 'does not run the workload that belongs to it',
  WorkloadAntiAffinity: () => 'runs a workload from which it is to stay apart',
}

/** What the clusters have, and what would be needed; for failures other than lack of capacity, their own message. */
function shortageOf({ candidates, selected, request: { spec }, outcome }: PlacementRun): string {
  if (outcome.ok) return ''
  const taking = selected.length > 0 ? selected : candidates
  const scarce = scarcestOf(
    taking.map(({ facts }) => facts.cluster),
    spec,
  )
  if (outcome.failure.type !== 'UnschedulableError' || !scarce) return outcome.failure.message.replace(/\.$/, '')
  const { resource, each, free } = scarce
  // Replicas that are there already keep their room.
  const wanted = Math.max(
    1,
    taking.reduce((rest, { assigned }) => rest - assigned, spec.replicas ?? 0),
  )
  if (roomIn(scarce) >= wanted) {
    // Resource models and estimators see single nodes, where the sum of what is free says nothing.
    const room = taking.map(
      ({ name, allocatableReplicas }) => `${name} has room for ${allocatableReplicas} by its nodes`,
    )
    return `${limited(room)}, needs ${wanted} ${wanted === 1 ? 'replica' : 'replicas'}`
  }
  const all = free.map(({ name, amount }) => `${name} has ${amountText(resource, amount)} free`)
  const needed = numberText(resource, each * wanted)
  return `${limited(all)}, needs ${needed}${wanted > 1 ? ` for ${wanted} replicas` : ''}`
}

interface Scarce {
  resource: string
  /** What one replica requests. */
  each: number
  free: { name: string; amount: number }[]
}

/** The requested resource of which the clusters together have the fewest replicas' worth. */
function scarcestOf(
  clusters: readonly Cluster[],
  { replicaRequirements }: PlacementRun['request']['spec'],
): Scarce | undefined {
  const requests = Object.entries(replicaRequirements?.resourceRequest ?? {}).flatMap(([resource, text]) => {
    const quantity = tryParseQuantity(text)
    const each = quantity ? amountIn(resource, quantity) : 0
    return each > 0 ? [{ resource, each }] : []
  })
  const all = [...requests, { resource: 'pods', each: 1 }].map(({ resource, each }) => ({
    resource,
    each,
    free: clusters.map((cluster) => ({ name: cluster.metadata.name, amount: freeOf(cluster, resource) })),
  }))
  return all.reduce<Scarce | undefined>(
    (least, one) => (least && roomIn(least) <= roomIn(one) ? least : one),
    undefined,
  )
}

const roomIn = ({ each, free }: Scarce): number => free.reduce((sum, { amount }) => sum + Math.floor(amount / each), 0)

function freeOf({ status }: Cluster, resource: string): number {
  const left = remainingQuantities(status?.resourceSummary ?? {}).get(resource) ?? parseQuantity('0')
  return Math.max(0, amountIn(resource, left))
}

/** CPU in cores, everything else in its unit. */
function amountIn(resource: string, quantity: Quantity): number {
  return resource === 'cpu' ? Number(quantityMilli(quantity)) / 1000 : Number(quantityValue(quantity))
}

const UNITS = ['Ki', 'Mi', 'Gi', 'Ti'] as const

/** `0.55 CPU`, `1.5Gi memory`, `3 pods`. */
function amountText(resource: string, amount: number): string {
  return `${numberText(resource, amount)} ${resource === 'cpu' ? 'CPU' : resource}`
}

function numberText(resource: string, amount: number): string {
  if (resource !== 'memory' && resource !== 'ephemeral-storage') return String(rounded(amount))
  const power = amount < 1024 ? 0 : Math.min(UNITS.length, Math.floor(Math.log2(amount) / 10))
  return `${rounded(amount / 1024 ** power)}${UNITS[power - 1] ?? ''}`
}

const rounded = (amount: number): number => Math.round(amount * 1000) / 1000

function limited(parts: readonly string[]): string {
  if (parts.length <= MOST) return parts.join(', ')
  return `${parts.slice(0, MOST).join(', ')} and ${parts.length - MOST} more`
}
