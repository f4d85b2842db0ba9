/** Whether a binding must leave a cluster because of the cluster's NoExecute taints, and when. */
import type { Taint, Toleration } from '../../kube/kinds'
import { tolerates } from '../../kube/taint'
import { parseTime, type EpochMs } from '../../std/clock'
import { matchTolerations } from './tolerations'

/** Everything that the decision for one binding in one cluster depends on. */
export interface NoExecuteSnapshot {
  now: EpochMs
  /** All taints of the cluster, whatever their effect. */
  taints: readonly Taint[]
  /**
   * Annotation `policy.karmada.io/applied-placement` of the binding: the placement by which it was scheduled counts,
   * not the one that it asks for by now.
   */
  appliedPlacement: string | undefined
}

/** The decision, with its reason. */
export type NoExecuteVerdict =
  | { decision: 'evict'; reason: 'untolerated'; taint: Taint }
  | { decision: 'evict'; reason: 'expired'; deadline: EpochMs }
  | { decision: 'after'; deadline: EpochMs }
  | { decision: 'never' }
  /** It cannot be decided; the binding is looked at again later and stays where it is. */
  | { decision: 'error'; error: Error }

/** The taints that drive workloads out. */
export function noExecuteTaints(taints: readonly Taint[] | undefined): Taint[] {
  return (taints ?? []).filter((taint) => taint.effect === 'NoExecute')
}

/**
 * Decides for one binding and one cluster. Every NoExecute taint must be tolerated, else it is evicted now. Of the
 * tolerations used, the earliest `timeAdded + tolerationSeconds` over every taint that they tolerate is the deadline;
 * a taint without `timeAdded` and a toleration without `tolerationSeconds` never expire; negative seconds
 * count as none; exactly now is too late.
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
