/** Boxes of the federation picture, and how they stand in rows. */
import type { Block } from './blocks'
import type { ClusterPicture, RegionPicture } from './federation'
import type { NodeColumn } from './node-columns'

/** `blocks`: a replica is a block. `tiles`: a cluster is a tile with its fill and number. `dense`: small tiles. */
export type Density = 'blocks' | 'tiles' | 'dense'

export interface Box {
  x: number
  y: number
  width: number
  height: number
}

/** The CPU of nodes may differ a hundredfold. */
export type NodeScale = 'linear' | 'root'

export interface BlockPlace extends Box {
  block: Block
}

/** A node, or a whole cluster whose nodes are not known, with its replicas. */
export interface Frame extends Box {
  node?: NodeColumn
  blocks: BlockPlace[]
}

export interface TilePlace extends Box {
  picture: ClusterPicture
  region: number
  /** The name below a tile that has room for one. */
  label?: string
  /** Where replicas are blocks. */
  frames?: Frame[]
}

export interface RegionPlace extends Box {
  name: string
  /** Row and column of the grid of regions; arcs run between them. */
  row: number
  column: number
  clusters: number
  ready: number
  desired: number
}

export interface FederationLayout {
  density: Density
  width: number
  height: number
  regions: RegionPlace[]
  tiles: TilePlace[]
  /** How the height of a node stands for its CPU; absent where no node is drawn. */
  nodeScale?: NodeScale
}

/** Between regions: arcs run here. */
export const GUTTER = { x: 20, y: 34 } as const
export const PADDING = 10
/** Below the tiles of a region: names and figures, two lines with blocks, one with tiles. */
export const FOOT: Record<Density, number> = { blocks: 68, tiles: 26, dense: 22 }
/** As many columns as fit. Of several rows, arcs reach the next by a gutter at the right, too. */
export function columnsFor(count: number, least: number, width: number): { columns: number; inner: number } {
  const fitting = (inner: number): number =>
    Math.max(1, Math.min(count, Math.floor((inner + GUTTER.x) / (least + GUTTER.x))))
  const inner = fitting(width) < count ? width - GUTTER.x : width
  return { columns: fitting(inner), inner }
}

export interface Cell {
  row: number
  column: number
}

export const gridCells = (count: number, perRow: number): Cell[] =>
  Array.from({ length: count }, (_, index) => ({ row: Math.floor(index / perRow), column: index % perRow }))

export function chunksByRow<T>(items: readonly T[], cells: readonly Cell[]): { item: T; cell: Cell }[][] {
  const placed = items.map((item, index) => ({ item, cell: cells[index]! }))
  return [...Map.groupBy(placed, ({ cell }) => cell.row).values()]
}

export const regionFacts = ({ name, clusters }: RegionPicture) => ({
  name,
  clusters: clusters.length,
  ready: clusters.reduce((sum, { ready }) => sum + ready, 0),
  desired: clusters.reduce((sum, { desired }) => sum + desired, 0),
})
