/**
 * Proves that a twin makes the same decisions as its source: each workload, scheduled without a reschedule, keeps its
 * placement.
 */
import type { TargetCluster } from '@/lib/kube/kinds/binding'
import type { Cluster } from '@/lib/kube/kinds/cluster'
import { type Message, message } from '@/lib/messages/message'
import type { EpochMs } from '@/lib/std/clock'
import {
  type Binding,
  defaultProfile,
  isSchedulingSuspended,
  type SchedulerProfile,
  scheduleBinding,
} from '../placement'
import { clustersInWords, isSameDistribution } from '../rebalance/distribution'

export interface ProofRequest {
  bindings: readonly Binding[]
  /** Clusters of the twin. */
  clusters: readonly Cluster[]
  now: EpochMs
  profile?: SchedulerProfile
}

/** A workload that the scheduler would place differently in the twin. */
export interface MovedWorkload {
  kind: string
  namespace?: string
  name: string
  before: readonly TargetCluster[]
  after: readonly TargetCluster[]
  reason: Message | string
}

export interface TwinProof {
  /** Number of placed workloads that were scheduled for the proof. */
  workloads: number
  kept: number
  moved: readonly MovedWorkload[]
  /** Workloads that cannot be compared: not placed in the source, suspended, or with another scheduler. */
  notCompared: number
}

const OWN_SCHEDULER = 'default-scheduler'

/** Schedules every placed workload with the scheduler's own code. Writes nothing. */
export function proveTwin({ bindings, clusters, now, profile = defaultProfile }: ProofRequest): TwinProof {
  const moved: MovedWorkload[] = []
  const placed = bindings.filter(isCompared)
  for (const binding of placed) {
    const difference = differenceOf(binding, { clusters, now, profile })
    if (difference) moved.push(difference)
  }
  return {
    workloads: placed.length,
    kept: placed.length - moved.length,
    moved,
    notCompared: bindings.length - placed.length,
  }
}

function isCompared({ spec, metadata }: Binding): boolean {
  const { placement, clusters, schedulerName = OWN_SCHEDULER } = spec
  return (
    placement !== undefined
    && !metadata.deletionTimestamp
    && (clusters?.length ?? 0) > 0
    && schedulerName === OWN_SCHEDULER
    && !isSchedulingSuspended(spec)
  )
}

function differenceOf(
  binding: Binding,
  { clusters, now, profile }: Required<Omit<ProofRequest, 'bindings'>>,
): MovedWorkload | undefined {
  const before = binding.spec.clusters ?? []
  const verdict = scheduleBinding({ binding, clusters, now, profile, mode: 'Steady' })
  const after = verdict.clusters
  if (after && isSameDistribution(before, after)) return undefined
  const { kind, namespace, name } = binding.spec.resource
  return {
    kind,
    ...(namespace !== undefined && { namespace }),
    name,
    before,
    after: after ?? [],
    reason: after
      ? message('twin.moved', { before: clustersInWords(before), after: clustersInWords(after) })
      : (verdict.failure?.message ?? message('twin.notScheduled')),
  }
}

/** Returns the share of workloads that keep their placement; 1 for an empty federation. */
export const keptShare = ({ workloads, kept }: Pick<TwinProof, 'workloads' | 'kept'>): number =>
  workloads === 0 ? 1 : kept / workloads

/** Returns the share as a percentage with one digit, rounded down, so that 100 means all. */
export const keptPercent = (proof: Pick<TwinProof, 'workloads' | 'kept'>): number =>
  Math.floor(keptShare(proof) * 1000) / 10

/** Returns `1,482 of 1,500 workloads keep their placement in the twin (98.8%)`. */
export function proofMessage(proof: Pick<TwinProof, 'workloads' | 'kept'>): Message {
  const { workloads, kept } = proof
  return message('twin.proof', { kept, workloads, percent: keptPercent(proof) })
}
