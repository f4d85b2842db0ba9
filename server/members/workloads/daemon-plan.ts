/** Which pods of a DaemonSet to create or delete next, and the counts of its status. */

/** A pod of the DaemonSet. */
export interface DaemonPod {
  name: string
  /** Created from the current template. */
  updated: boolean
  ready: boolean
  available: boolean
  /** Has ended and is to be replaced. */
  failed: boolean
}

/** One node with the pods of the DaemonSet on it, without terminating pods. */
export interface DaemonNode {
  name: string
  /** The node accepts pods of the DaemonSet. */
  wanted: boolean
  /** Existing pods may stay. A node may keep them and accept no new ones. */
  tolerated: boolean
  pods: readonly DaemonPod[]
}

/** Concurrent updates, in nodes; undefined: updated by users (`OnDelete`). */
export type DaemonUpdate = { maxUnavailable: number; maxSurge: number } | undefined

export interface DaemonPlan {
  /** Names of nodes. */
  create: string[]
  /** Names of pods. */
  remove: string[]
}

/**
 * First every eligible node gets one pod, surplus pods are deleted, and failed pods are replaced. Then pods of an older
 * template are deleted within `maxUnavailable`; unavailable ones do not count. With `maxSurge` new pods are created
 * first, and old ones are deleted when the new ones are available.
 */
export function planDaemons(nodes: readonly DaemonNode[], update: DaemonUpdate): DaemonPlan {
  const plans = nodes.map((node) => settleNode(node, (update?.maxSurge ?? 0) > 0))
  const create = plans.flatMap((plan) => plan.create)
  const remove = plans.flatMap((plan) => plan.remove)
  if (create.length + remove.length > 0 || !update) return { create, remove }
  return update.maxSurge > 0 ? surge(nodes, update.maxSurge) : roll(nodes, update.maxUnavailable)
}

/** While pods surge, an old and a new one share a node. */
function settleNode({ name, wanted, tolerated, pods }: DaemonNode, mayShare: boolean): DaemonPlan {
  const failed = pods.filter((pod) => pod.failed).map((pod) => pod.name)
  const running = pods.filter((pod) => !pod.failed)
  if (!tolerated) return { create: [], remove: pods.map((pod) => pod.name) }
  if (wanted && running.length === 0) return { create: failed.length > 0 ? [] : [name], remove: failed }
  const groups = mayShare
    ? [running.filter(({ updated }) => updated), running.filter(({ updated }) => !updated)]
    : [running]
  return { create: [], remove: [...failed, ...groups.flatMap((group) => group.slice(1).map((pod) => pod.name))] }
}

function roll(nodes: readonly DaemonNode[], maxUnavailable: number): DaemonPlan {
  const wanted = nodes.filter((node) => node.wanted)
  const old = wanted.flatMap(({ pods }) => pods.filter(({ updated }) => !updated))
  const idle = old.filter(({ available }) => !available)
  const serving = wanted.filter(({ pods }) => pods.some(({ available }) => available)).length
  const spare = Math.max(0, maxUnavailable - (wanted.length - serving))
  const next = old.filter(({ available }) => available).slice(0, spare)
  return { create: [], remove: [...idle, ...next].map(({ name }) => name) }
}

function surge(nodes: readonly DaemonNode[], maxSurge: number): DaemonPlan {
  const wanted = nodes.filter((node) => node.wanted)
  const replaced = wanted.filter(({ pods }) => pods.some((pod) => pod.updated && pod.available))
  const remove = replaced.flatMap(({ pods }) => pods.filter(({ updated }) => !updated)).map(({ name }) => name)
  const outdated = wanted.filter(({ pods }) => pods.every(({ updated }) => !updated))
  const under = wanted.filter(
    ({ pods }) => pods.some(({ updated }) => updated) && pods.some(({ updated }) => !updated),
  ).length
  return { create: outdated.slice(0, Math.max(0, maxSurge - under)).map(({ name }) => name), remove }
}

/** The counts of the status. */
export interface DaemonCounts {
  desiredNumberScheduled: number
  currentNumberScheduled: number
  numberMisscheduled: number
  numberReady: number
  numberAvailable: number
  numberUnavailable: number
  updatedNumberScheduled: number
}

/** Counts nodes, not pods: a node with several pods counts once. */
export function countDaemons(nodes: readonly DaemonNode[]): DaemonCounts {
  const wanted = nodes.filter((node) => node.wanted)
  const having = (test: (pod: DaemonPod) => boolean): number => wanted.filter(({ pods }) => pods.some(test)).length
  const available = having((pod) => pod.available)
  return {
    desiredNumberScheduled: wanted.length,
    currentNumberScheduled: having(() => true),
    numberMisscheduled: nodes.filter((node) => !node.wanted && node.pods.length > 0).length,
    numberReady: having((pod) => pod.ready),
    numberAvailable: available,
    numberUnavailable: wanted.length - available,
    updatedNumberScheduled: having((pod) => pod.updated),
  }
}
