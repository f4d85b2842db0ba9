/** Which pods of a StatefulSet to create or delete next. */

/** The facts of a pod. */
export interface NumberedPod {
  ordinal: number
  ready: boolean
  /** Created from the current template. */
  updated: boolean
  /** Being deleted. */
  going: boolean
}

export interface OrdinalSnapshot {
  replicas: number
  start: number
  parallel: boolean
  /** Pods from this ordinal on are updated; undefined: updated by users (`OnDelete`). */
  updateFrom: number | undefined
  pods: readonly NumberedPod[]
}

export interface OrdinalPlan {
  create: number[]
  remove: number[]
}

/**
 * OrderedReady: pods are created from the lowest ordinal, each when all before it are ready; surplus pods are deleted
 * from the highest; then pods of an older template from the highest, each when all others are ready. Parallel: the
 * first two do not wait.
 */
export function planOrdinals(snapshot: OrdinalSnapshot): OrdinalPlan {
  const { replicas, start, parallel, pods } = snapshot
  const present = new Map(pods.map((pod) => [pod.ordinal, pod]))
  const wanted = Array.from({ length: replicas }, (_, index) => start + index)
  const missing = wanted.filter((ordinal) => !present.has(ordinal))
  const surplus = pods
    .filter(({ ordinal }) => ordinal < start || ordinal >= start + replicas)
    .toSorted((a, b) => b.ordinal - a.ordinal)
  if (parallel) {
    const remove = surplus.filter(({ going }) => !going).map(({ ordinal }) => ordinal)
    return missing.length + surplus.length > 0
      ? { create: missing, remove }
      : { create: [], remove: nextUpdate(snapshot) }
  }
  const blocked = wanted.find((ordinal) => !isServing(present.get(ordinal)))
  if (blocked !== undefined && !present.has(blocked)) return { create: [blocked], remove: [] }
  if (blocked === undefined && surplus.length > 0)
    return { create: [], remove: surplus[0]!.going ? [] : [surplus[0]!.ordinal] }
  return { create: [], remove: nextUpdate(snapshot) }
}

/** The highest outdated pod, if all updated pods are ready. */
function nextUpdate({ pods, updateFrom }: OrdinalSnapshot): number[] {
  if (updateFrom === undefined || pods.some(({ going }) => going)) return []
  for (const pod of pods.toSorted((a, b) => b.ordinal - a.ordinal)) {
    if (pod.ordinal < updateFrom) return []
    if (!pod.updated) return [pod.ordinal]
    if (!pod.ready) return []
  }
  return []
}

const isServing = (pod: NumberedPod | undefined): boolean => pod !== undefined && pod.ready && !pod.going
