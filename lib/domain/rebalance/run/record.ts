/**
 * The record that a plan writes to each binding in the same write that triggers it. It makes the run durable: after a
 * restart or a change of leader, the controller reads from it what the plan asked for, what protects the old replicas
 * and where the workload ran before. It stays after the run, as the record of the previous distribution.
 */
import type { TargetCluster } from '@/lib/kube/kinds/binding'
import type { Binding } from '../../placement'

/** Annotation of a binding that carries the record, as JSON. */
export const RUN_ANNOTATION = 'rebalance.evenkeel.io/run'

export interface RunRecord {
  /** Name and uid of the RebalancePlan. */
  plan: string
  uid: string
  wave: number
  /** When it was written, by the clock of the loop. */
  at: string
  /** `trigger`: the scheduler decides; `restore`: the clusters were written as they are to be. */
  mode: 'trigger' | 'restore'
  /** `metadata.generation` of the binding with this write. */
  generation: number
  /** `status.lastScheduledTime` and `spec.rescheduleTriggeredAt` before it. */
  lastScheduled?: string
  triggeredBefore?: string
  /** Condition Scheduled was True before it. */
  wasScheduled: boolean
  before: TargetCluster[]
  predicted: TargetCluster[]
  /** Ready replicas that must remain. */
  floor: number
  /** Clusters whose copies are not cut down yet, and clusters whose copies are not removed yet. */
  hold: string[]
  keep: string[]
  /** The protection is over; with `withdrawn` because the scheduler did nothing and shall not do it unseen later. */
  released?: 'settled' | 'withdrawn'
}

/** The record on a binding; undefined when there is none, or none that can be read. */
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

/** Whether a record still protects copies or awaits its end. */
export function isOpen(record: RunRecord | undefined): record is RunRecord {
  return record !== undefined && record.released === undefined
}

/** Clusters whose copies a plan holds at their size for now, by `suspension.dispatchingOnClusters`. */
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
