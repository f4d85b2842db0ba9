/** The columns at the left of the matrix, and where the clusters begin. */
export const SELECT = 0
export const NAME = 1
export const SUM = 2
/** Replicas that a rebalance would move. */
export const DRIFT = 3
export const FIRST_CLUSTER = 4

export const ROW_HEIGHT = 28
export const HEADER_HEIGHT = 48

const SELECT_WIDTH = 40
const SUM_WIDTH = 264
const DRIFT_WIDTH = 64
/** The bar in front of the figures, where there is room for it. */
export const BAR_WIDTH = 176
/** More clusters than this are not told apart in a bar. */
export const MAX_FOR_BARS = 8
/** What the navigation takes of the screen. */
const SIDEBAR_WIDTH = 176

/** How wide the names are, in pixels. On a narrow screen they leave room for a cluster beside them. */
export const NAME_WIDTHS = { wide: 240, narrow: 136 }

/** What the sticky margin covers of the scrolling area. */
export const stickyWidth = (names: number): number => SELECT_WIDTH + names

/** Left edge of the first cluster column. */
export const clustersLeft = ({ names, bar }: Pick<GridShape, 'names' | 'bar'>): number =>
  stickyWidth(names) + bar + SUM_WIDTH + DRIFT_WIDTH

/** Screens on which the bars push no cluster out of sight. */
export const roomForBars = ({ names, clusters, width }: Omit<GridShape, 'bar'>): string =>
  `(min-width: ${SIDEBAR_WIDTH + clustersLeft({ names, bar: BAR_WIDTH }) + clusters * width}px)`

interface GridShape {
  names: number
  clusters: number
  /** Of each cluster column, in pixels. */
  width: number
  /** Width of the bars in front of the figures; 0 without. */
  bar: number
}

export function gridTemplate({ names, clusters, width, bar }: GridShape): string {
  return `${SELECT_WIDTH}px ${names}px ${bar + SUM_WIDTH}px ${DRIFT_WIDTH}px repeat(${clusters}, ${width}px) 1fr`
}

/** Returns the position of a cell in its row, which is required because columns off screen are not rendered. */
export function gridColumn(column: number): { gridColumn: number } {
  return { gridColumn: column + 1 }
}

/** Selection and name stay at the left while the clusters scroll below them. */
export function stickyAt(column: number): { left: number } | undefined {
  if (column === SELECT) return { left: 0 }
  return column === NAME ? { left: SELECT_WIDTH } : undefined
}
