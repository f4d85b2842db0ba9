/** Taints of clusters and what a placement tolerates. */
import type { Taint, Toleration } from '../../kube/kinds'
import { tolerates } from '../../kube/taint'

/** What `matchTolerations` found. */
export interface TolerationMatch {
  /** The first taint that nothing tolerates. */
  untolerated?: Taint
  /** The first toleration that matches each taint, in the order of the taints; empty when one is untolerated. */
  used: readonly Toleration[]
}

/** Finds for each taint the first toleration that matches it. */
export function matchTolerations(taints: readonly Taint[], tolerations: readonly Toleration[]): TolerationMatch {
  const used: Toleration[] = []
  for (const taint of taints) {
    const match = tolerations.find((candidate) => tolerates(candidate, taint))
    if (!match) return { untolerated: taint, used: [] }
    used.push(match)
  }
  return { used }
}
