/** Positions of cells in the triangle of pairs, and their drawing: one path for each depth. */
export interface Labelled {
  name: string
  region?: string | undefined
}

export interface MatrixLayout {
  /** Side of a cell without the gap after it. */
  cell: number
  /** The start of each row, which is also that of the column. */
  starts: readonly number[]
  size: number
  /** What is written at the edges: regions, or clusters where cells are large. */
  labels: readonly { name: string; at: number; from: number; to: number }[]
}

const MAX_CELL = 36
const MIN_CELL = 3
/** From this size on each cluster has its name. */
const NAMED_CELL = 15

/** Regions stand apart. Where cells would become too small, the matrix is wider than its room and scrolls. */
export function layoutMatrix(clusters: readonly Labelled[], room: number): MatrixLayout {
  const breaks = clusters.filter(({ region }, at) => at > 0 && region !== clusters[at - 1]!.region).length
  const pitch = Math.max(MIN_CELL + 1, Math.min(MAX_CELL, (room - breaks * 2) / Math.max(1, clusters.length)))
  const gap = pitch >= 8 ? 2 : 1
  const whole = Math.floor(pitch)
  const starts: number[] = []
  let at = 0
  clusters.forEach(({ region }, index) => {
    if (index > 0 && region !== clusters[index - 1]!.region) at += 2
    starts.push(at)
    at += whole
  })
  const cell = whole - gap
  return { cell, starts, size: Math.max(0, at - gap), labels: labelsOf(clusters, starts, cell) }
}

function labelsOf(clusters: readonly Labelled[], starts: readonly number[], cell: number): MatrixLayout['labels'] {
  const groups: { name: string; from: number; to: number }[] = []
  clusters.forEach(({ name, region = '' }, index) => {
    const last = groups.at(-1)
    if (cell < NAMED_CELL && last?.name === region) last.to = index
    else groups.push({ name: cell < NAMED_CELL ? region : name, from: index, to: index })
  })
  return groups.map((group) => ({ ...group, at: (starts[group.from]! + starts[group.to]! + cell) / 2 }))
}

export interface CellPlace {
  row: number
  column: number
}

/** The cell at a point; undefined above the diagonal. A gap belongs to the cell before it. */
export function cellAt({ starts, size }: MatrixLayout, x: number, y: number): CellPlace | undefined {
  if (x < 0 || y < 0 || y > size) return undefined
  const row = starts.findLastIndex((start) => start <= y)
  const column = starts.findLastIndex((start) => start <= x)
  return row < 0 || column < 0 || column > row ? undefined : { row, column }
}

/** Where an arrow key leads to: within the triangle. */
export function stepInTriangle({ row, column }: CellPlace, key: string, count: number): CellPlace {
  switch (key) {
    case 'ArrowUp':
      return { row: Math.max(column, row - 1), column }
    case 'ArrowDown':
      return { row: Math.min(count - 1, row + 1), column }
    case 'ArrowLeft':
      return { row, column: Math.max(0, column - 1) }
    case 'ArrowRight':
      return { row, column: Math.min(row, column + 1) }
    default:
      return { row, column }
  }
}

/** 0: nothing is lost. 1 to 3: one or two, three to seven, eight or more workloads lose replicas. */
export function depthOf(losing: number): 0 | 1 | 2 | 3 {
  if (losing === 0) return 0
  return losing < 3 ? 1 : losing < 8 ? 2 : 3
}

export interface MatrixPaths {
  /** Grounds of pairs, of single clusters, and of what is not computed. */
  pair: string
  single: string
  unknown: string
  /** Squares by depth, larger for more, and the dots in the deepest. */
  depths: readonly [string, string, string]
  dots: string
}

/** How much of a cell its square leaves free at each side, by depth. */
const INSETS = [0.3, 0.14, 0] as const
const DOT_INSET = 0.33

export function pathsOf(
  { starts, cell }: MatrixLayout,
  losingAt: (row: number, column: number) => number | undefined,
): MatrixPaths {
  const paths = { pair: [] as string[], single: [] as string[], unknown: [] as string[], dots: [] as string[] }
  const depths: [string[], string[], string[]] = [[], [], []]
  const square = (x: number, y: number, inset: number): string => {
    const away = Math.round(cell * inset * 10) / 10
    const side = Math.max(1, cell - 2 * away)
    return `M${x + away} ${y + away}h${side}v${side}h${-side}z`
  }
  starts.forEach((y, row) => {
    for (let column = 0; column <= row; column += 1) {
      const x = starts[column]!
      const losing = losingAt(row, column)
      const depth = depthOf(losing ?? 0)
      paths[losing === undefined ? 'unknown' : row === column ? 'single' : 'pair'].push(square(x, y, 0))
      if (depth > 0) depths[depth - 1]!.push(square(x, y, INSETS[depth - 1]!))
      if (depth === 3) paths.dots.push(square(x, y, DOT_INSET))
    }
  })
  return {
    pair: paths.pair.join(''),
    single: paths.single.join(''),
    unknown: paths.unknown.join(''),
    depths: [depths[0].join(''), depths[1].join(''), depths[2].join('')],
    dots: paths.dots.join(''),
  }
}
