/**
 * Positions of regions and clusters in the federation picture. Depend on names, capacities and the width, never on
 * load.
 */
import { LETTER } from '../picture/letters'
import { layoutBlocks } from './block-layout'
import { cutAlike } from './cut-to'
import { type ClusterPicture, MAX_FOR_BLOCKS, type RegionPicture } from './federation'
import {
  type Box,
  columnsFor,
  type Density,
  type FederationLayout,
  FOOT,
  GUTTER,
  PADDING,
  regionFacts,
  type RegionPlace,
  type TilePlace,
} from './places'

const MAX_BLOCKS = 60
const MAX_FOR_TILES = 100

const TILE: Record<'tiles' | 'dense', { width: number; broadest: number; height: number; gap: number; label: number }> =
  {
    tiles: { width: 38, broadest: 96, height: 62, gap: 6, label: 16 },
    dense: { width: 20, broadest: 32, height: 24, gap: 4, label: 0 },
  }

/** What a label may take of the gaps beside its tile. */
const LABEL_OVERHANG = 4

export function densityOf(regions: readonly RegionPicture[]): Density {
  const clusters = regions.flatMap((region) => region.clusters)
  if (clusters.length <= MAX_FOR_BLOCKS && clusters.every(({ blocks }) => blocks.length <= MAX_BLOCKS)) return 'blocks'
  return clusters.length <= MAX_FOR_TILES ? 'tiles' : 'dense'
}

export function layoutFederation(regions: readonly RegionPicture[], width: number): FederationLayout {
  const density = densityOf(regions)
  return density === 'blocks' ? layoutBlocks(regions, width) : layoutTiles(regions, width, density)
}

/** Regions in a grid, each with its clusters in rows; the tiles of a row stand on one line, so heights compare. */
function layoutTiles(regions: readonly RegionPicture[], width: number, density: 'tiles' | 'dense'): FederationLayout {
  const tile = TILE[density]
  const { columns, inner } = columnsFor(regions.length, 206, width)
  const boxWidth = (inner - (columns - 1) * GUTTER.x) / columns
  const room = boxWidth - 2 * PADDING + tile.gap
  const most = Math.max(1, ...regions.map(({ clusters }) => clusters.length))
  const perRow = Math.max(1, Math.min(most, Math.floor(room / (tile.width + tile.gap))))
  // The same in every region, so that widths compare; where rows are short, tiles fill them up to their broadest.
  const tileWidth = Math.min(tile.broadest, room / perRow - tile.gap)
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
      const names = region.clusters.map(({ shortName }) => shortName)
      const labels = tile.label > 0 ? cutAlike(names, tileWidth + LABEL_OVERHANG, LETTER) : []
      region.clusters.forEach((picture, index) => {
        const tall = tile.height * (0.45 + 0.55 * Math.sqrt(capacityOf(picture) / largest))
        const base = y + PADDING + tile.height + Math.floor(index / perRow) * lineHeight
        tiles.push({
          picture,
          region: places.length - 1,
          ...(labels[index] !== undefined && { label: labels[index] }),
          x: x + PADDING + (index % perRow) * (tileWidth + tile.gap),
          y: base - tall,
          width: tileWidth,
          height: tall,
        })
      })
    })
    y += height + GUTTER.y
  }
  return { density, width, height: y - GUTTER.y + 2, regions: places, tiles }
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
