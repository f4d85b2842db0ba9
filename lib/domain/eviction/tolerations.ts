/** Matches taints of clusters with the tolerations of a placement. */
import type { Taint, Toleration } from '../../kube/kinds'
import { tolerates } from '../../kube/taint'

/** Result of `matchTolerations`. */
export interface TolerationMatch {
  /** The first taint without a matching toleration. */
  untolerated?: Taint
  /** The first toleration that matches each taint, in the order of the taints; empty if one taint is not tolerated. */
  used: readonly Toleration[]
}

/** Finds the first matching toleration for each taint. */
export function matchTolerations(taints: readonly Taint[], tolerations: readonly Toleration[]): TolerationMatch {
  const used: Toleration[] = []
  for (const taint of taints) {
    const match = tolerations.find((candidate) => tolerates(candidate, taint))
    if (!match) return { untolerated: taint, used: [] }
    used.push(match)
  }
  return { used }
}
