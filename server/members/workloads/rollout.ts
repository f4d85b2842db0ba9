/** One step of a Deployment's rollout. */

/** One ReplicaSet of the Deployment. */
export interface ReplicaSetState {
  name: string
  /** `spec.replicas`. */
  replicas: number
  /** Existing pods, from `status.replicas`. */
  pods: number
  available: number
}

export interface RolloutSnapshot {
  desired: number
  strategy: RolloutStrategy
  fresh: ReplicaSetState
  /** Oldest first. */
  old: readonly ReplicaSetState[]
}

/** `RollingUpdate` with its bounds already counted in pods, or `Recreate`. */
export type RolloutStrategy = { type: 'RollingUpdate'; maxSurge: number; maxUnavailable: number } | { type: 'Recreate' }

/** Desired `spec.replicas` by ReplicaSet; unchanged ones are absent. */
export type RolloutPlan = Map<string, number>

/**
 * Plans one step. At most `desired + maxSurge` pods are requested; old pods are removed only while at least `desired -
 * maxUnavailable` are available, unavailable ones first.
 */
export function planRollout(snapshot: RolloutSnapshot): RolloutPlan {
  const wanted = snapshot.strategy.type === 'Recreate' ? recreate(snapshot) : rollOver(snapshot, snapshot.strategy)
  const present = [snapshot.fresh, ...snapshot.old]
  return new Map(
    [...wanted].filter(([name, replicas]) => present.find((one) => one.name === name)?.replicas !== replicas),
  )
}

/**
 * Counts `maxSurge` (rounded up) and `maxUnavailable` (rounded down); never both zero, which would block the rollout.
 */
export function boundsOf(
  rollingUpdate: { maxSurge?: number | string; maxUnavailable?: number | string } | undefined,
  desired: number,
): RolloutStrategy {
  const maxSurge = Math.ceil(portion(rollingUpdate?.maxSurge ?? '25%', desired))
  const maxUnavailable = Math.floor(portion(rollingUpdate?.maxUnavailable ?? '25%', desired))
  return {
    type: 'RollingUpdate',
    maxSurge,
    maxUnavailable: maxSurge === 0 && maxUnavailable === 0 ? 1 : Math.min(maxUnavailable, desired),
  }
}

/** Returns a number unchanged, or a percentage of `whole`, not rounded. */
export function portion(value: number | string, whole: number): number {
  if (typeof value === 'number') return value
  const percent = /^(\d+)%$/.exec(value)?.[1]
  return percent === undefined ? Number.parseInt(value, 10) || 0 : (Number(percent) * whole) / 100
}

function recreate({ desired, fresh, old }: RolloutSnapshot): RolloutPlan {
  const plan: RolloutPlan = new Map(old.map(({ name }) => [name, 0]))
  const cleared = old.every(({ replicas, pods }) => replicas === 0 && pods === 0)
  return plan.set(fresh.name, cleared ? desired : Math.min(fresh.replicas, desired))
}

function rollOver(
  { desired, fresh, old }: RolloutSnapshot,
  bounds: { maxSurge: number; maxUnavailable: number },
): RolloutPlan {
  const oldReplicas = sum(old, 'replicas')
  const room = Math.max(0, desired + bounds.maxSurge - oldReplicas - fresh.replicas)
  const freshReplicas = Math.min(desired, fresh.replicas + (oldReplicas === 0 ? desired : room))
  const plan: RolloutPlan = new Map([[fresh.name, freshReplicas]])
  const minAvailable = desired - bounds.maxUnavailable
  const freshMissing = Math.max(0, freshReplicas - fresh.available)
  let removable = Math.max(0, oldReplicas + freshReplicas - minAvailable - freshMissing)
  let spare = Math.max(0, fresh.available + sum(old, 'available') - minAvailable)
  const left = new Map(
    old.map((one) => [one.name, { replicas: one.replicas, available: Math.min(one.available, one.replicas) }]),
  )
  for (const one of left.values()) {
    const broken = Math.min(removable, one.replicas - one.available)
    one.replicas -= broken
    removable -= broken
  }
  for (const one of left.values()) {
    const going = Math.min(removable, spare, one.replicas)
    one.replicas -= going
    removable -= going
    spare -= going
  }
  for (const [name, { replicas }] of left) plan.set(name, replicas)
  return plan
}

function sum(list: readonly ReplicaSetState[], field: 'replicas' | 'available'): number {
  return list.reduce((total, one) => total + one[field], 0)
}
