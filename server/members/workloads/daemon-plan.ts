/** Which pods of a DaemonSet are to be made or removed next, and what its status counts. */

/** A pod of the DaemonSet. */
export interface DaemonPod {
  name: string
  /** Made from the present template. */
  updated: boolean
  ready: boolean
  available: boolean
  /** Has ended by itself and is to be replaced. */
  failed: boolean
}

/** One node with the pods of the DaemonSet on it. Pods that are going do not count. */
export interface DaemonNode {
  name: string
  /** The node takes pods of the DaemonSet. */
  wanted: boolean
  /** Pods that are there may stay. A node may let them stay and take no new ones. */
  tolerated: boolean
  pods: readonly DaemonPod[]
}

/** How far an update goes at once, in nodes; undefined leaves updating to people. */
export type DaemonUpdate = { maxUnavailable: number; maxSurge: number } | undefined

export interface DaemonPlan {
  /** Names of nodes. */
  create: string[]
  /** Names of pods. */
  remove: string[]
}

/**
 * First every wanted node gets one pod, and surplus and unwanted ones go; a pod that failed is replaced. When that is
 * done, pods of an older template go, at most as many as `maxUnavailable` leaves; those that do not serve anyway cost
 * nothing. With `maxSurge` new pods come first and the old ones go when the new ones serve.
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
