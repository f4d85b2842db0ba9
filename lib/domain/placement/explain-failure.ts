/** Explains why no cluster was found: for each affinity group tried, what its clusters lack. */
import type { Cluster } from '@/lib/kube/kinds/cluster'
import { parseQuantity, type Quantity, quantityMilli, quantityValue, tryParseQuantity } from '@/lib/kube/quantity'
import { type Message, message } from '@/lib/messages/message'
import { remainingQuantities } from '../estimate/capacity'
import { amountMessage } from '../queue/amount-message'
import { type ClusterFacts, snapshotOf } from './facts'
import type { Rejection } from './filter'
import { compileMembership } from './filter/cluster-affinity'
import type { PlacementRun } from './place'
import type { Attempt, ScheduleVerdict } from './schedule-binding'

/** Maximum number of clusters named in a message; the others are counted. */
const MAX_NAMED = 4

/** Reports whether a cluster belongs to the affinity group of an attempt, regardless of other filters. */
export function isInGroup({ run: { request } }: Attempt, facts: ClusterFacts): boolean {
  return compileMembership(request)?.(facts) ?? true
}

/**
 * Returns why scheduling failed: `primary: member1 has untolerated taint lost:NoExecute; backup: 0.55 CPU free in
 * member2, 0.9 CPU needed`. Without groups, the reason of the single attempt. Undefined if it did not fail.
 */
export function explainFailure(
  { attempts, failure }: ScheduleVerdict,
  clusters: readonly Cluster[],
): Message | string | undefined {
  if (!failure) return undefined
  const failed = attempts.filter(({ run }) => !run.outcome.ok)
  return failed.every(({ affinityName }) => affinityName === '')
    ? withoutPeriod(failure.message)
    : explainAttempts(failed, clusters)
}

/** Returns why each of the attempts failed, in order. */
export const explainAttempts = (attempts: readonly Attempt[], clusters: readonly Cluster[]): Message | string =>
  attempts
    .map((attempt) => explainAttempt(attempt, clusters))
    .reduce((first, next) => message('placement.failure.both', { first, next }))

/** Returns the text of a condition or a failure without its period, for use inside a sentence. */
export const withoutPeriod = (text: Message | string): Message | string =>
  typeof text === 'string' ? text.replace(/\.$/, '') : text

/** Returns why one attempt failed, prefixed with the name of its group if it has one. */
export function explainAttempt(attempt: Attempt, clusters: readonly Cluster[]): Message | string {
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
  return affinityName === '' ? reason : message('placement.failure.ofGroup', { group: affinityName, reason })
}

const rejectionsOf = (rejections: readonly Rejection[]): Message =>
  rejections.length === 0
    ? message('placement.failure.noClusters')
    : message('placement.failure.rejections', { rejections: limited(rejections.map(rejectionMessage)) })

/** Returns why a filter rejected a cluster. */
export function rejectionMessage({ cluster, rule, reason }: Rejection): Message {
  if (rule === 'TaintToleration')
    return message('placement.rejects.TaintToleration', { cluster, taint: /\{(.*)\}/.exec(reason)?.[1] ?? '' })
  if (rule === 'SpreadConstraint')
    return message('placement.rejects.SpreadConstraint', {
      cluster,
      field: /(provider|region|zone)/.exec(reason)?.[1] ?? '',
    })
  return message(`placement.rejects.${rule}`, { cluster })
}

/** Returns free capacity and demand; for failures other than a lack of capacity, the scheduler's text. */
function shortageOf({ candidates, selected, request: { spec }, outcome }: PlacementRun): Message | string {
  if (outcome.ok) return ''
  const taking = selected.length > 0 ? selected : candidates
  const scarce = scarcestOf(
    taking.map(({ facts }) => facts.cluster),
    spec,
  )
  if (outcome.failure.type !== 'UnschedulableError' || !scarce) return withoutPeriod(outcome.failure.message)
  const { resource, each, free } = scarce
  // Existing replicas keep their capacity.
  const wanted = Math.max(
    1,
    taking.reduce((rest, { assigned }) => rest - assigned, spec.replicas ?? 0),
  )
  if (roomIn(scarce) >= wanted) {
    // Resource models and estimators count by node, so the sum of free resources does not explain the failure.
    const rooms = taking.map(({ name, allocatableReplicas }) =>
      message('placement.failure.room', { cluster: name, n: allocatableReplicas }),
    )
    return message('placement.failure.nodes', { rooms: limited(rooms), wanted })
  }
  return message('placement.failure.capacity', {
    free: limited(
      free.map(({ name, amount }) =>
        message('placement.failure.free', { cluster: name, amount: amountMessage(resource, amount) }),
      ),
    ),
    needed: amountMessage(resource, each * wanted),
    wanted,
  })
}

interface Scarce {
  resource: string
  /** Request of one replica. */
  each: number
  free: { name: string; amount: number }[]
}

/** Returns the requested resource that suffices for the fewest replicas over all clusters. */
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

/** Returns millicores for CPU and base units for other resources. */
function amountIn(resource: string, quantity: Quantity): number {
  return Number(resource === 'cpu' ? quantityMilli(quantity) : quantityValue(quantity))
}

function limited(parts: readonly Message[]): Message[] {
  if (parts.length <= MAX_NAMED) return [...parts]
  return [...parts.slice(0, MAX_NAMED), message('placement.failure.more', { n: parts.length - MAX_NAMED })]
}
