/** The parts of the bar of a workload: what is ready, starts or is unknown in each cluster, in the order of the columns. */
import type { CellView } from '@/lib/view/model'
import type { MatrixColumn } from './matrix-model'

export interface BarPart {
  kind: 'ready' | 'starting' | 'unknown'
  cluster: string
  /** The place of the cluster among the columns. */
  at: number
  /** In pixels. */
  x: number
  width: number
  replicas: number
}

export function barParts(
  columns: readonly Pick<MatrixColumn, 'name'>[],
  cells: ReadonlyMap<string, CellView>,
  pixelsOfOne: number,
): BarPart[] {
  let x = 0
  return columns.flatMap(({ name: cluster }, at) => {
    const { ready = 0, old = 0, desired = 0, unknown = 0 } = cells.get(cluster) ?? {}
    const counts = { ready: ready + old, starting: Math.max(0, desired - ready - unknown), unknown }
    return (['ready', 'starting', 'unknown'] as const).flatMap((kind) => {
      if (counts[kind] === 0) return []
      const part = { kind, cluster, at, x, width: counts[kind] * pixelsOfOne, replicas: counts[kind] }
      x += part.width
      return [part]
    })
  })
}

/** Tints of clusters that are told apart, neighbours differ; with more clusters there is one. */
const TINTS = ['dark', 'middle', 'pale'] as const
export type Tint = (typeof TINTS)[number] | 'other'

export const tintOf = (at: number, columns: number): Tint => (columns > TINTS.length ? 'other' : (TINTS[at] ?? 'other'))
