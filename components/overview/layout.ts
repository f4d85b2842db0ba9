/** Where regions and clusters stand in the federation picture. Depends on names, capacities and the width; never on load. */
import { type ClusterPicture, MOST_FOR_BLOCKS, type RegionPicture } from './federation'

/** `blocks`: a replica is a block. `tiles`: a cluster is a tile with its fill and number. `dense`: small tiles. */
export type Density = 'blocks' | 'tiles' | 'dense'

export interface Box {
  x: number
  y: number
  width: number
  height: number
}

export interface TilePlace extends Box {
  picture: ClusterPicture
  region: number
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
  /** Blocks of a tile stand in so many columns, and so many fit above each other. */
  blockColumns: number
  blockRows: number
}

const MOST_BLOCKS = 60
const MOST_FOR_TILES = 100

/** Between regions: arcs run here. */
export const GUTTER = { x: 20, y: 34 } as const
const PADDING = 10
export const BLOCK = { height: 14, gap: 2 } as const
/** Below the tiles of a region: names and figures, two lines with blocks, one with tiles. */
export const FOOT: Record<Density, number> = { blocks: 68, tiles: 26, dense: 22 }
const TILE: Record<'tiles' | 'dense', { width: number; height: number; gap: number; label: number }> = {
  tiles: { width: 38, height: 62, gap: 6, label: 16 },
  dense: { width: 20, height: 24, gap: 4, label: 0 },
}

export function densityOf(regions: readonly RegionPicture[]): Density {
  const clusters = regions.flatMap((region) => region.clusters)
  if (clusters.length <= MOST_FOR_BLOCKS && clusters.every(({ blocks }) => blocks.length <= MOST_BLOCKS))
    return 'blocks'
  return clusters.length <= MOST_FOR_TILES ? 'tiles' : 'dense'
}

export function layoutFederation(regions: readonly RegionPicture[], width: number): FederationLayout {
  const density = densityOf(regions)
  return density === 'blocks' ? layoutBlocks(regions, width) : layoutTiles(regions, width, density)
}

/** Equal tiles side by side, as many as fit; a region that needs more than one row has them below each other. */
function layoutBlocks(regions: readonly RegionPicture[], width: number): FederationLayout {
  const all = regions.flatMap(({ clusters }) => clusters)
  const { columns: perRow, inner } = columnsFor(all.length, 180, width)
  const tileWidth = (inner - (perRow - 1) * GUTTER.x) / perRow - 2 * PADDING
  const blockColumns = Math.max(1, Math.min(4, Math.floor(tileWidth / 68)))
  const needed = Math.max(8, ...all.map(({ blocks }) => Math.ceil(blocks.length / blockColumns)))
  // In steps, so that a few replicas more move nothing below.
  const blockRows = Math.ceil(needed / 4) * 4
  const tileHeight = blockRows * (BLOCK.height + BLOCK.gap) + BLOCK.gap + 4
  const size = { tileWidth, tileHeight, height: tileHeight + FOOT.blocks + 2 * PADDING }
  const cells = gridCells(all.length, perRow)
  const tiles: TilePlace[] = []
  const places: RegionPlace[] = []
  let at = 0
  regions.forEach((region) => {
    for (const row of chunksByRow(region.clusters, cells.slice(at, at + region.clusters.length))) {
      const first = row[0]!.cell
      const x = first.column * (tileWidth + 2 * PADDING + GUTTER.x)
      const y = GUTTER.y + first.row * (size.height + GUTTER.y)
      const boxWidth = row.length * (tileWidth + 2 * PADDING) + (row.length - 1) * GUTTER.x
      places.push({ ...regionFacts(region), x, y, width: boxWidth, height: size.height, ...first })
      row.forEach(({ item }, index) => {
        tiles.push({
          picture: item,
          region: places.length - 1,
          x: x + PADDING + index * (tileWidth + 2 * PADDING + GUTTER.x),
          y: y + PADDING,
          width: tileWidth,
          height: tileHeight,
        })
      })
    }
    at += region.clusters.length
  })
  const rows = (cells.at(-1)?.row ?? 0) + 1
  return {
    density: 'blocks',
    width,
    height: rows * (size.height + GUTTER.y) + 2,
    regions: places,
    tiles,
    blockColumns,
    blockRows,
  }
}

/** As many columns as fit. Of several rows, arcs reach the next by a gutter at the right, too. */
function columnsFor(count: number, least: number, width: number): { columns: number; inner: number } {
  const fitting = (inner: number): number =>
    Math.max(1, Math.min(count, Math.floor((inner + GUTTER.x) / (least + GUTTER.x))))
  const inner = fitting(width) < count ? width - GUTTER.x : width
  return { columns: fitting(inner), inner }
}

interface Cell {
  row: number
  column: number
}

const gridCells = (count: number, perRow: number): Cell[] =>
  Array.from({ length: count }, (_, index) => ({ row: Math.floor(index / perRow), column: index % perRow }))

function chunksByRow<T>(items: readonly T[], cells: readonly Cell[]): { item: T; cell: Cell }[][] {
  const placed = items.map((item, index) => ({ item, cell: cells[index]! }))
  return [...Map.groupBy(placed, ({ cell }) => cell.row).values()]
}

const regionFacts = ({ name, clusters }: RegionPicture) => ({
  name,
  clusters: clusters.length,
  ready: clusters.reduce((sum, { ready }) => sum + ready, 0),
  desired: clusters.reduce((sum, { desired }) => sum + desired, 0),
})

/** Regions in a grid, each with its clusters in rows; the tiles of a row stand on one line, so heights compare. */
function layoutTiles(regions: readonly RegionPicture[], width: number, density: 'tiles' | 'dense'): FederationLayout {
  const tile = TILE[density]
  const { columns, inner } = columnsFor(regions.length, 206, width)
  const boxWidth = (inner - (columns - 1) * GUTTER.x) / columns
  const perRow = Math.max(1, Math.floor((boxWidth - 2 * PADDING + tile.gap) / (tile.width + tile.gap)))
  const largest = Math.max(1, ...regions.flatMap(({ clusters }) => clusters.map(capacityOf)))
  const lineHeight = tile.height + tile.label + tile.gap
  const rows = Map.groupBy(
    regions.map((region, index) => ({ region, index })),
    ({ index }) => Math.floor(index / columns),
  )
  const tiles: TilePlace[] = []
  const places: RegionPlace[] = []
  let y = GUTTER.y
  for (const [row, members] of rows) {
    const lines = Math.max(...members.map(({ region }) => Math.ceil(region.clusters.length / perRow)))
    const height = lines * lineHeight + 2 * PADDING + FOOT[density]
    members.forEach(({ region }, column) => {
      const x = column * (boxWidth + GUTTER.x)
      const place = { ...regionFacts(region), x, y, width: boxWidth, height, row, column }
      places.push(place)
      region.clusters.forEach((picture, index) => {
        const tall = tile.height * (0.45 + 0.55 * Math.sqrt(capacityOf(picture) / largest))
        const base = y + PADDING + tile.height + Math.floor(index / perRow) * lineHeight
        tiles.push({
          picture,
          region: places.length - 1,
          x: x + PADDING + (index % perRow) * (tile.width + tile.gap),
          y: base - tall,
          width: tile.width,
          height: tall,
        })
      })
    })
    y += height + GUTTER.y
  }
  return { density, width, height: y - GUTTER.y + 2, regions: places, tiles, blockColumns: 0, blockRows: 0 }
}

/** CPU where it is reported; a cluster that reports none still has a place. */
const capacityOf = ({ cluster: { cpu } }: ClusterPicture): number => cpu?.allocatable ?? 0

/** The next tile in a direction: the nearest whose centre lies there. */
export function neighbour(tiles: readonly Box[], from: number, key: string): number {
  const here = tiles[from]
  const direction = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key]
  if (here === undefined || direction === undefined) return from
  const [dx = 0, dy = 0] = direction
  let best = from
  let least = Infinity
  tiles.forEach((tile, index) => {
    const right = tile.x + tile.width / 2 - (here.x + here.width / 2)
    const down = tile.y + tile.height - (here.y + here.height)
    const along = right * dx + down * dy
    const aside = Math.abs(right * dy) + Math.abs(down * dx)
    if (index === from || along <= 1) return
    const cost = along + 3 * aside
    if (cost < least) [least, best] = [cost, index]
  })
  return best
}
