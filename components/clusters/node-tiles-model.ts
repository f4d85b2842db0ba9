/** How nodes are drawn: in tiles, small squares, or a strip. */
import type { NodeView } from '@/lib/view/member-model'

export function densityOf(nodes: number): 'tiles' | 'small' | 'strip' {
  if (nodes <= 60) return 'tiles'
  return nodes <= 400 ? 'small' : 'strip'
}

/** The most serious first. */
export function stateOfNode({ ready, unschedulable, taints }: NodeView): 'fail' | 'held' | 'warn' | 'ok' {
  if (!ready) return 'fail'
  if (unschedulable) return 'held'
  return taints.some(({ effect }) => effect !== 'PreferNoSchedule') ? 'warn' : 'ok'
}

/** Where the arrow keys lead in rows of equal length. */
export function stepInGrid(count: number, columns: number): (from: number, key: string) => number {
  const by: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns }
  return (from, key) => {
    const next = from + (by[key] ?? 0)
    return next >= 0 && next < count ? next : from
  }
}

/** Squares in a row, so that the picture is wide rather than tall. */
export function stripColumns(nodes: number, size: number): number {
  return Math.max(1, Math.min(nodes, Math.floor(900 / (size + 2))))
}
