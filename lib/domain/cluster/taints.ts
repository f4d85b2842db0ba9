/** Derives taints of a cluster from its Ready condition. */
import type { Taint } from '../../kube/kinds'
import type { Condition } from '../../kube/object'
import { formatTime, parseTime, type EpochMs } from '../../std/clock'

export const TAINT_NOT_READY = 'cluster.karmada.io/not-ready'
export const TAINT_UNREACHABLE = 'cluster.karmada.io/unreachable'

export interface ReadinessTaintSnapshot {
  now: EpochMs
  taints: readonly Taint[]
  /** The published Ready condition; undefined if there is none yet. */
  ready: Condition | undefined
  /**
   * A cluster that is not Ready for this long gets a NoExecute taint, which evicts its workloads. Undefined: never, as
   * upstream, where only users and ClusterTaintPolicies set NoExecute.
   */
  noExecuteAfterMs: number | undefined
}

export interface TaintPlan {
  taints: Taint[]
  /** False: no write is needed. */
  changed: boolean
  /** Time until a NoExecute taint is due. */
  recheckAfterMs?: number
}

/**
 * Plans the taints of a cluster. Taints of users are never changed, and an existing taint keeps its `timeAdded`, from
 * which tolerations count. New taints are appended.
 */
export function planReadinessTaints(snapshot: ReadinessTaintSnapshot): TaintPlan {
  const { taints: before, now } = snapshot
  const wanted = wantedTaints(snapshot)
  const kept = before.filter((taint) => !isOurs(taint, snapshot) || wanted.some((one) => isSame(one, taint)))
  const added = wanted
    .filter((one) => !before.some((taint) => isSame(one, taint)))
    .map((one) => ({ ...one, timeAdded: formatTime(now) }))
  const plan = { taints: [...kept, ...added], changed: added.length > 0 || kept.length < before.length }
  const due = noExecuteDue(snapshot)
  return due !== undefined && due > now ? { ...plan, recheckAfterMs: due - now } : plan
}

/** Returns the message of the event about changed taints. */
export function describeTaints(taints: readonly Taint[]): string {
  // upstream: Karmada taint events
  if (taints.length === 0) return 'cluster now does not have taints'
  const texts = taints.map(({ key, value, effect }) => `{Key:${key},${value ? `Value:${value},` : ''}Effect:${effect}}`)
  // upstream: Karmada taint events
  return `cluster now has taints([${texts.join(',')}])`
}

function wantedTaints(snapshot: ReadinessTaintSnapshot): Taint[] {
  const { ready, now } = snapshot
  if (ready?.status === 'True') return []
  const key = ready?.status === 'Unknown' ? TAINT_UNREACHABLE : TAINT_NOT_READY
  const due = noExecuteDue(snapshot)
  return [{ key, effect: 'NoSchedule' }, ...(due !== undefined && due <= now ? [{ key, effect: 'NoExecute' }] : [])]
}

/** A cluster that was never observed has no known failure, so it gets no NoExecute taint. */
function noExecuteDue({ ready, noExecuteAfterMs }: ReadinessTaintSnapshot): EpochMs | undefined {
  if (noExecuteAfterMs === undefined || !ready || ready.status === 'True') return undefined
  return parseTime(ready.lastTransitionTime) + noExecuteAfterMs
}

/**
 * Reports whether this controller manages the taint. Without a Ready condition, taints are only added; with one, those
 * of other states are removed.
 */
function isOurs({ key, effect }: Taint, { ready, noExecuteAfterMs }: ReadinessTaintSnapshot): boolean {
  if (!ready || (key !== TAINT_NOT_READY && key !== TAINT_UNREACHABLE)) return false
  return effect === 'NoSchedule' || (effect === 'NoExecute' && noExecuteAfterMs !== undefined)
}

const isSame = (a: Taint, b: Taint): boolean => a.key === b.key && a.effect === b.effect
