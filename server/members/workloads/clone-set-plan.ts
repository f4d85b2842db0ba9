/** Which pods a CloneSet creates and deletes, step by step. */
import type { CloneSet, Pod } from '@/lib/kube/kinds'
import type { EpochMs } from '@/lib/std/clock'
import { boundedReplicas } from '../pod-limits'
import { isReady } from '../pod-state'
import { portion } from './rollout'
import { orderForScaleDown } from './scale-down-order'

export interface CloneSetSnapshot {
  set: CloneSet
  /** Active pods. */
  pods: readonly Pod[]
  /** Recently created pods of the current template. */
  unseen: number
  /** Created from the current template. */
  isUpdated(pod: Pod): boolean
  now: EpochMs
}

export interface CloneSetPlan {
  /** Number of pods to create. */
  missing: number
  leaving: Pod[]
  /** Remaining pods of the current template. */
  updated: Pod[]
}

/**
 * Pods in `podsToDelete` are deleted first. Surplus pods are deleted in the order of a ReplicaSet, those of an older
 * template first. With the desired number, pods of an older template are replaced within `maxUnavailable`; `partition`
 * of them stay.
 */
export function planCloneSet(snapshot: CloneSetSnapshot): CloneSetPlan {
  const {
    set: { spec },
    pods,
    unseen,
    isUpdated,
  } = snapshot
  const named = new Set(spec?.scaleStrategy?.podsToDelete)
  const dismissed = pods.filter(({ metadata }) => named.has(metadata.name))
  const staying = pods.filter((pod) => !dismissed.includes(pod))
  const surplus = staying.length + unseen - boundedReplicas(spec?.replicas ?? 1)
  const updated = staying.filter(isUpdated)
  if (surplus < 0) return { missing: -surplus, leaving: dismissed, updated }
  const leaving = surplus > 0 ? inOrder(staying, snapshot).slice(0, surplus) : outdated(staying, snapshot)
  return { missing: 0, leaving: [...dismissed, ...leaving], updated: updated.filter((pod) => !leaving.includes(pod)) }
}

function inOrder(pods: readonly Pod[], { isUpdated, now }: CloneSetSnapshot): Pod[] {
  return orderForScaleDown({ pods, related: pods, now }).toSorted((a, b) => Number(isUpdated(a)) - Number(isUpdated(b)))
}

/** Old pods that may be replaced now. */
function outdated(pods: readonly Pod[], snapshot: CloneSetSnapshot): Pod[] {
  const {
    set: { spec },
    isUpdated,
    unseen,
  } = snapshot
  const { paused = false, partition = 0, maxUnavailable = '20%' } = spec?.updateStrategy ?? {}
  const wanted = boundedReplicas(spec?.replicas ?? 1)
  const old = inOrder(
    pods.filter((pod) => !isUpdated(pod)),
    snapshot,
  )
  if (paused || old.length === 0) return []
  const unavailable = wanted - pods.filter(isReady).length + unseen
  const budget = Math.max(1, Math.floor(portion(maxUnavailable, wanted))) - unavailable
  const broken = old.filter((pod) => !isReady(pod))
  const room = Math.max(0, budget) + broken.length
  return old.slice(0, Math.min(room, Math.max(0, old.length - Math.ceil(portion(partition, wanted)))))
}
