/** Taints of clusters and what a placement tolerates. */
import type { Infer } from '../../kube/schema'
import type { Cluster } from '../../kube/kinds/cluster'
import type { toleration } from '../../kube/kinds/placement'

export type Toleration = Infer<typeof toleration>
export type Taint = NonNullable<Cluster['spec']['taints']>[number]

/**
 * Whether one toleration tolerates one taint. An empty effect or key matches all; an empty key with operator `Equal`
 * still compares values; every operator but `Exists`, `Equal` and none never matches.
 */
export function tolerates(toleration: Toleration, taint: Taint): boolean {
  if (toleration.effect && toleration.effect !== taint.effect) return false
  if (toleration.key && toleration.key !== taint.key) return false
  switch (toleration.operator ?? '') {
    case 'Exists': return true
    case '':
    case 'Equal': return (toleration.value ?? '') === (taint.value ?? '')
    default: return false
  }
}

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
