/**
 * The record that a plan writes to each binding in the same write that triggers it. It makes the run durable: after a
 * restart or a change of leader, the controller reads from it what the plan requested, how the old replicas are
 * protected, and where the workload ran before. It stays after the run as the record of the previous distribution.
 */
import type { TargetCluster } from '@/lib/kube/kinds/binding'
import type { Binding } from '../../placement'

/** Annotation of a binding with the record, as JSON. */
export const RUN_ANNOTATION = 'rebalance.evenkeel.io/run'

export interface RunRecord {
  /** Name and UID of the RebalancePlan. */
  plan: string
  uid: string
  wave: number
  /** Time of the write, by the controller's clock. */
  at: string
  /** `trigger`: the scheduler decides. `restore`: the plan wrote the clusters itself. */
  mode: 'trigger' | 'restore'
  /** `metadata.generation` of the binding after this write. */
  generation: number
  /** `status.lastScheduledTime` and `spec.rescheduleTriggeredAt` before the write. */
  lastScheduled?: string
  triggeredBefore?: string
  /** Condition Scheduled was True before the write. */
  wasScheduled: boolean
  before: TargetCluster[]
  predicted: TargetCluster[]
  /** Ready replicas that must remain. */
  floor: number
  /** Clusters that are not scaled down yet, and clusters whose replicas are not deleted yet. */
  hold: string[]
  keep: string[]
  /**
   * `metadata.generation` of the write that removed the request. The scheduler may have read the binding before it, and
   * still act: the protection stays until it has observed this generation.
   */
  recalled?: number
  /**
   * The protection has ended. `withdrawn`: the scheduler did nothing, and the trigger was removed so that it does not
   * act later without protection.
   */
  released?: 'settled' | 'withdrawn'
}

/** Returns the record on a binding; undefined if it is absent or invalid. */
export function readRunRecord({ metadata }: Pick<Binding, 'metadata'>): RunRecord | undefined {
  const text = metadata.annotations?.[RUN_ANNOTATION]
  if (text === undefined) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Reports whether a record still protects replicas or waits for its end. */
export function isOpen(record: RunRecord | undefined): record is RunRecord {
  return record !== undefined && record.released === undefined
}

/** Returns the clusters that a plan currently protects from scaling down, by `suspension.dispatchingOnClusters`. */
export function protectedClusters(binding: Pick<Binding, 'metadata'>): readonly string[] {
  const record = readRunRecord(binding)
  return isOpen(record) ? record.hold : []
}

function isRecord(value: unknown): value is RunRecord {
  if (typeof value !== 'object' || value === null) return false
  const { plan, uid, generation, before, predicted, hold, keep, at } = value as Partial<
    Record<keyof RunRecord, unknown>
  >
  return (
    [plan, uid, at].every(isText)
    && typeof generation === 'number'
    && [before, predicted].every((list) => isListOf(list, isTarget))
    && [hold, keep].every((list) => isListOf(list, isText))
  )
}

const isText = (value: unknown): boolean => typeof value === 'string'
const isTarget = (value: unknown): boolean => isText((value as { name?: unknown } | null)?.name)
const isListOf = (list: unknown, test: (value: unknown) => boolean): boolean => Array.isArray(list) && list.every(test)
