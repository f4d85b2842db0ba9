/** How many pods a CloneSet makes and which it gives up, step by step. */
import type { CloneSet, Pod } from '@/lib/kube/kinds'
import type { EpochMs } from '@/lib/std/clock'
import { boundedReplicas } from '../pod-limits'
import { isReady } from '../pod-state'
import { portion } from './rollout'
import { orderBySacrifice } from './sacrifice'

export interface CloneSetSnapshot {
  set: CloneSet
  /** Active ones. */
  pods: readonly Pod[]
  /** Pods made a moment ago, of the present template. */
  unseen: number
  /** Made from the present template. */
  isUpdated(pod: Pod): boolean
  now: EpochMs
}

export interface CloneSetPlan {
  /** To be made. */
  missing: number
  leaving: Pod[]
  /** Those that stay, and are of the present template. */
  updated: Pod[]
}

/**
 * Named pods go first (`podsToDelete`). Surplus pods go in the order of a ReplicaSet, those of an older template before
 * all others. When the number is right, pods of an older template are replaced, as many at a time as may be unavailable;
 * `partition` of them stay.
 */
export function planCloneSet(snapshot: CloneSetSnapshot): CloneSetPlan {
  const { set: { spec }, pods, unseen, isUpdated } = snapshot
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
  return orderBySacrifice({ pods, related: pods, now }).toSorted((a, b) => Number(isUpdated(a)) - Number(isUpdated(b)))
}

/** Old pods that may be replaced now. */
function outdated(pods: readonly Pod[], snapshot: CloneSetSnapshot): Pod[] {
  const { set: { spec }, isUpdated, unseen } = snapshot
  const { paused = false, partition = 0, maxUnavailable = '20%' } = spec?.updateStrategy ?? {}
  const wanted = boundedReplicas(spec?.replicas ?? 1)
  const old = inOrder(pods.filter((pod) => !isUpdated(pod)), snapshot)
  if (paused || old.length === 0) return []
  const unavailable = wanted - pods.filter(isReady).length + unseen
  const budget = Math.max(1, Math.floor(portion(maxUnavailable, wanted))) - unavailable
  const broken = old.filter((pod) => !isReady(pod))
  const room = Math.max(0, budget) + broken.length
  return old.slice(0, Math.min(room, Math.max(0, old.length - Math.ceil(portion(partition, wanted)))))
}
