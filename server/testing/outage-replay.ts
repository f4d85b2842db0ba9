/**
 * Asks what would become of a generated fleet if a cluster failed or were drained, then lets that happen and compares.
 * The fleet runs through every loop from template to member, in the time of a fake clock.
 */
import { isConditionTrue } from '@/lib/kube/conditions'
import {
  cluster as clusterKind,
  clusterPropagationPolicy,
  type ClusterPropagationPolicy,
  deployment as deploymentKind,
  resourceBinding as bindingKind,
  type ResourceBinding,
} from '@/lib/kube/kinds'
import type { Placement } from '@/lib/kube/kinds/placement'
import type { Draft } from '@/lib/kube/object'
import { SIM_NODE_CPU, SIM_NODES, SIM_READY_AFTER } from '@/lib/kube/simulation'
import { DRAIN_TAINT } from '@/lib/domain/eviction'
import { whatIf, type WhatIfSnapshot, type WhatIfTarget } from '@/lib/domain/rebalance/what-if'
import { formatTime } from '@/lib/std/clock'
import { seededRng } from '@/lib/std/rng'
import { aDeployment, aggregated, byAvailableReplicas, duplicated } from '@/lib/testing/builders'
import { type FailingFleet, startFailingFleet } from './failing-fleet'

export interface OutageShape {
  clusters: number
  workloads: number
  seed: number
  /** Default: it fails. */
  cause?: WhatIfSnapshot['cause']
  /** As the taint manager is told. Default 20, as the embedded product. */
  evictionsPerSecond?: number
}

/** One workload whose answer and end differ. */
export interface Difference {
  workload: string
  placement: string
  foretold: string
  became: string
  /** The answer was given as one of several possible. */
  open: boolean
}

export interface OutageReplay {
  cluster: string
  /** Workloads that ran there. */
  concerned: number
  /** Of them, those that ended with the foretold number of replicas, and in the foretold clusters. */
  matchedCounts: number
  matchedDestinations: number
  /** Answers given as one of several possible. */
  open: number
  answerMs: number
  differences: readonly Difference[]
}

const PLACEMENTS: Record<string, Placement> = {
  spread: byAvailableReplicas(),
  gathered: aggregated(),
  one: { ...byAvailableReplicas(), spreadConstraints: [{ spreadByField: 'cluster', minGroups: 1, maxGroups: 1 }] },
  few: { ...byAvailableReplicas(), spreadConstraints: [{ spreadByField: 'cluster', minGroups: 1, maxGroups: 3 }] },
  copies: { ...duplicated(), spreadConstraints: [{ spreadByField: 'cluster', minGroups: 1, maxGroups: 2 }] },
}

/** Longer than detection, taint and turns of every workload of one cluster. */
export const OUTAGE_S = 70
/** Workloads created before the clusters report the usage of earlier ones. */
const BATCH = 20

/** Replays the outage, or the drain, of the cluster that most workloads run in. */
export async function replayOutage({ cause = 'fails', ...shape }: OutageShape): Promise<OutageReplay> {
  const fleet = await startFailingFleet({ evictionsPerSecond: shape.evictionsPerSecond ?? 20, noExecuteAfterMs: 5_000 })
  try {
    await populate(fleet, shape)
    const cluster = busiest(bindingsOf(fleet))
    const clusters = fleet.env.informers.of(clusterKind).list()
    const timing = { evictionsPerSecond: shape.evictionsPerSecond ?? 20, reportsAfterMs: 500 }
    const began = performance.now()
    const { targets } = whatIf({
      cluster,
      cause,
      bindings: bindingsOf(fleet),
      clusters,
      now: fleet.env.clock.now(),
      timing,
    })
    const answerMs = Math.round(performance.now() - began)
    await (cause === 'fails' ? fleet.setUp(cluster, false) : drain(fleet, cluster))
    await fleet.timeline.pass(OUTAGE_S)
    return compare(targets, bindingsOf(fleet), { cluster, answerMs })
  } finally {
    await fleet.close()
  }
}

/** As an operator does it from the console. */
async function drain({ env }: FailingFleet, name: string): Promise<void> {
  const taints = [{ ...DRAIN_TAINT, timeAdded: formatTime(env.clock.now()) }]
  await env.client.patch(clusterKind, { name }, { type: 'merge', value: { spec: { taints } } })
}

export const bindingsOf = ({ env }: FailingFleet): readonly ResourceBinding[] => env.informers.of(bindingKind).list()

/** Creates the clusters and, batch by batch, the workloads of a generated fleet. */
export async function populate(fleet: FailingFleet, { clusters, workloads, seed }: OutageShape): Promise<void> {
  const { env, timeline } = fleet
  const random = seededRng(seed).next
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!
  for (let at = 0; at < clusters; at += 1) {
    const annotations = {
      [SIM_NODES]: pick(['4', '6', '8']),
      [SIM_NODE_CPU]: pick(['8', '16']),
      [SIM_READY_AFTER]: '0s',
    }
    await env.client.create(clusterKind, {
      apiVersion: 'cluster.karmada.io/v1alpha1',
      kind: 'Cluster',
      metadata: { name: `m${String(at).padStart(3, '0')}`, annotations },
      spec: { syncMode: 'Push' },
    })
  }
  await timeline.pass(12)
  for (const [name, placement] of Object.entries(PLACEMENTS))
    await env.create(clusterPropagationPolicy, policyOf(name, placement))
  for (let at = 0; at < workloads; at += 1) {
    const kind = pick(Object.keys(PLACEMENTS))
    const draft = aDeployment(`w${String(at).padStart(5, '0')}`, {
      replicas: 1 + Math.floor(random() * 6),
      cpu: pick(['100m', '250m', '500m', '1']),
    })
    await env.create(deploymentKind, { ...draft, metadata: { ...draft.metadata, labels: { placement: kind } } })
    if (at % BATCH === BATCH - 1) await timeline.pass(2)
  }
  await timeline.pass(30)
  const ready = env.informers
    .of(clusterKind)
    .list()
    .filter(({ status }) => isConditionTrue(status?.conditions, 'Ready'))
  if (ready.length !== clusters) throw new Error(`${ready.length} of ${clusters} clusters are ready`)
}

function policyOf(name: string, placement: Placement): Draft<ClusterPropagationPolicy> {
  return {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'ClusterPropagationPolicy',
    metadata: { name },
    spec: {
      resourceSelectors: [
        { apiVersion: 'apps/v1', kind: 'Deployment', labelSelector: { matchLabels: { placement: name } } },
      ],
      placement: { ...placement, clusterTolerations: [] },
    },
  }
}

/** The cluster that most workloads run in. */
export function busiest(bindings: readonly ResourceBinding[]): string {
  const counts = new Map<string, number>()
  for (const { spec } of bindings)
    for (const { name } of spec.clusters ?? []) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))[0]?.[0] ?? ''
}

type Places = readonly { name: string; replicas?: number | undefined }[]
const textOf = (places: Places): string =>
  places
    .map(({ name, replicas = 0 }) => `${name}:${replicas}`)
    .sort()
    .join(' ')
const sumOf = (places: Places): number => places.reduce((sum, { replicas = 0 }) => sum + replicas, 0)

function compare(
  targets: readonly WhatIfTarget[],
  bindings: readonly ResourceBinding[],
  facts: Pick<OutageReplay, 'cluster' | 'answerMs'>,
): OutageReplay {
  const byName = new Map(bindings.map((binding) => [binding.spec.resource.name, binding]))
  const differences: Difference[] = []
  let matchedCounts = 0
  for (const { workload, after, isOpen } of targets) {
    const binding = byName.get(workload.name)
    const became = binding?.spec.clusters ?? []
    if (sumOf(after) === sumOf(became)) matchedCounts += 1
    const [foretold, real] = [textOf(after), textOf(became)]
    const placement = binding?.metadata.annotations?.['clusterpropagationpolicy.karmada.io/name'] ?? ''
    if (foretold !== real)
      differences.push({ workload: workload.name, placement, foretold, became: real, open: isOpen })
  }
  return {
    ...facts,
    concerned: targets.length,
    matchedCounts,
    matchedDestinations: targets.length - differences.length,
    open: targets.filter(({ isOpen }) => isOpen).length,
    differences,
  }
}
