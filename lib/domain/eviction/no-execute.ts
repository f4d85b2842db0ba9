/** Decides whether and when NoExecute taints of a cluster evict a binding. */
import type { Taint, Toleration } from '../../kube/kinds'
import { tolerates } from '../../kube/taint'
import { parseTime, type EpochMs } from '../../std/clock'
import { matchTolerations } from './tolerations'

/** Input of the decision for one binding in one cluster. */
export interface NoExecuteSnapshot {
  now: EpochMs
  /** All taints of the cluster, with any effect. */
  taints: readonly Taint[]
  /**
   * Annotation `policy.karmada.io/applied-placement` of the binding. The placement at the last scheduling counts, not
   * the current one.
   */
  appliedPlacement: string | undefined
}

/** The decision, with its reason. */
export type NoExecuteVerdict =
  | { decision: 'evict'; reason: 'untolerated'; taint: Taint }
  | { decision: 'evict'; reason: 'expired'; deadline: EpochMs }
  | { decision: 'after'; deadline: EpochMs }
  | { decision: 'never' }
  /** The decision is impossible. The binding stays and is checked again later. */
  | { decision: 'error'; error: Error }

/** Returns the taints that evict workloads. */
export function noExecuteTaints(taints: readonly Taint[] | undefined): Taint[] {
  return (taints ?? []).filter((taint) => taint.effect === 'NoExecute')
}

/**
 * Decides for one binding and one cluster. A NoExecute taint without a matching toleration evicts at once. Otherwise
 * the deadline is the earliest `timeAdded + tolerationSeconds` of the matching tolerations, over all taints that they
 * tolerate. A taint without `timeAdded` and a toleration without `tolerationSeconds` never expire; negative seconds
 * count as zero; a deadline equal to now has expired.
 */
export function decideNoExecute(snapshot: NoExecuteSnapshot): NoExecuteVerdict {
  const tolerations = readTolerations(snapshot.appliedPlacement)
  if ('error' in tolerations) return { decision: 'error', error: tolerations.error }
  const taints = noExecuteTaints(snapshot.taints)
  const { untolerated, used } = matchTolerations(taints, tolerations.list)
  if (untolerated) return { decision: 'evict', reason: 'untolerated', taint: untolerated }
  const deadline = earliestDeadline(taints, used)
  if (deadline === Infinity) return { decision: 'never' }
  return deadline <= snapshot.now ? { decision: 'evict', reason: 'expired', deadline } : { decision: 'after', deadline }
}

function earliestDeadline(taints: readonly Taint[], used: readonly Toleration[]): EpochMs {
  let earliest = Infinity
  for (const toleration of used) {
    const { tolerationSeconds } = toleration
    if (tolerationSeconds === undefined) continue
    for (const taint of taints) {
      if (taint.timeAdded === undefined || !tolerates(toleration, taint)) continue
      earliest = Math.min(earliest, parseTime(taint.timeAdded) + Math.max(0, tolerationSeconds) * 1000)
    }
  }
  return earliest
}

function readTolerations(placement: string | undefined): { list: readonly Toleration[] } | { error: Error } {
  if (!placement) return { error: new Error('The applied placement of the binding is empty') }
  try {
    const parsed: unknown = JSON.parse(placement)
    return { list: (parsed as { clusterTolerations?: Toleration[] } | null)?.clusterTolerations ?? [] }
  } catch (error) {
    return { error: new Error('The applied placement of the binding is not JSON', { cause: error }) }
  }
}
