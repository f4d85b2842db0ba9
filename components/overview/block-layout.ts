/** A small federation: every replica is a block, in the column of its node where the cluster lists its nodes. */
import type { ClusterPicture, RegionPicture } from './federation'
import type { NodeColumn } from './node-columns'
import {
  type Box,
  chunksByRow,
  columnsFor,
  type FederationLayout,
  FOOT,
  type Frame,
  gridCells,
  GUTTER,
  type NodeScale,
  PADDING,
  regionFacts,
  type RegionPlace,
  type TilePlace,
} from './places'

const BLOCK = { height: 14, gap: 2 } as const
const STEP = BLOCK.height + BLOCK.gap
/** Above a node: what is requested of it. */
const NODE_HEAD = 16
const NODE_GAP = 5
const MIN_NODE_WIDTH = 24
/** Higher nodes would push everything else off the screen. */
const MAX_ROWS = 24
const MIN_ROWS = 8
/** Up to here, heights are in proportion to the CPU; beyond, to its square root. */
const MAX_LINEAR = 4

/** Equal tiles side by side, as many as fit; a region that needs more than one row has them below each other. */
export function layoutBlocks(regions: readonly RegionPicture[], width: number): FederationLayout {
  const all = regions.flatMap(({ clusters }) => clusters)
  const { columns: perRow, inner } = columnsFor(all.length, 180, width)
  const tileWidth = (inner - (perRow - 1) * GUTTER.x) / perRow - 2 * PADDING
  const frames = framesFor(all, tileWidth)
  const tileHeight = frames.height
  const height = tileHeight + FOOT.blocks + 2 * PADDING
  const cells = gridCells(all.length, perRow)
  const tiles: TilePlace[] = []
  const places: RegionPlace[] = []
  let at = 0
  regions.forEach((region) => {
    for (const row of chunksByRow(region.clusters, cells.slice(at, at + region.clusters.length))) {
      const first = row[0]!.cell
      const x = first.column * (tileWidth + 2 * PADDING + GUTTER.x)
      const y = GUTTER.y + first.row * (height + GUTTER.y)
      const boxWidth = row.length * (tileWidth + 2 * PADDING) + (row.length - 1) * GUTTER.x
      places.push({ ...regionFacts(region), x, y, width: boxWidth, height, ...first })
      row.forEach(({ item }, index) => {
        const left = x + PADDING + index * (tileWidth + 2 * PADDING + GUTTER.x)
        const box = { x: left, y: y + PADDING, width: tileWidth, height: tileHeight }
        tiles.push({ picture: item, region: places.length - 1, ...box, frames: frames.of(item, box) })
      })
    }
    at += region.clusters.length
  })
  const rows = (cells.at(-1)?.row ?? 0) + 1
  return {
    density: 'blocks',
    width,
    height: rows * (height + GUTTER.y) + 2,
    regions: places,
    tiles,
    ...(frames.scale && { nodeScale: frames.scale }),
  }
}

interface Frames {
  height: number
  scale?: NodeScale
  of: (picture: ClusterPicture, tile: Box) => Frame[]
}

/** One scale for all nodes, so high that the fullest one holds its blocks. */
function framesFor(pictures: readonly ClusterPicture[], tileWidth: number): Frames {
  const blockColumns = Math.max(1, Math.min(4, Math.floor(tileWidth / 68)))
  const known = pictures.flatMap(({ nodes = [] }) => nodes)
  const { scale, partOf } = scaleOf(known)
  const rowsOf = (node: NodeColumn): number => node.blocks.length / partOf(node)
  const drawn = new Set(
    pictures.filter(
      ({ nodes = [] }) =>
        nodes.length > 0
        && nodeWidthOf(nodes.length, tileWidth) >= MIN_NODE_WIDTH
        && nodes.every((node) => rowsOf(node) <= MAX_ROWS),
    ),
  )
  const rows = pictures.flatMap((picture) =>
    drawn.has(picture)
      ? (picture.nodes ?? []).map((node) => Math.ceil(rowsOf(node)))
      : [Math.ceil(picture.blocks.length / blockColumns)],
  )
  // In steps, so that a few replicas more move nothing below.
  const most = Math.ceil(Math.max(MIN_ROWS, ...rows) / 4) * 4
  const inner = most * STEP + BLOCK.gap + 4
  return {
    height: inner + (drawn.size > 0 ? NODE_HEAD : 0),
    ...(drawn.size > 0 && { scale }),
    of: (picture, tile) =>
      drawn.has(picture) && picture.nodes
        ? nodeFrames(picture.nodes, tile, (node) => partOf(node) * inner)
        : [{ ...tile, blocks: placeBlocks(picture.blocks, tile, blockColumns) }],
  }
}

function scaleOf(nodes: readonly NodeColumn[]): { scale: NodeScale; partOf: (node: NodeColumn) => number } {
  const amounts = nodes.map(({ allocatable }) => allocatable)
  const most = Math.max(1, ...amounts)
  const scale = most / Math.max(1, Math.min(...amounts)) > MAX_LINEAR ? 'root' : 'linear'
  return {
    scale,
    partOf: ({ allocatable }) => {
      const part = allocatable / most
      // A node that reports no CPU is still there.
      return Math.max(0.05, scale === 'root' ? Math.sqrt(part) : part)
    },
  }
}

const nodeWidthOf = (nodes: number, tileWidth: number): number => (tileWidth - (nodes - 1) * NODE_GAP) / nodes

function nodeFrames(nodes: readonly NodeColumn[], tile: Box, heightOf: (node: NodeColumn) => number): Frame[] {
  const width = nodeWidthOf(nodes.length, tile.width)
  return nodes.map((node, index) => {
    const height = heightOf(node)
    const box = { x: tile.x + index * (width + NODE_GAP), y: tile.y + tile.height - height, width, height }
    return { ...box, node, blocks: placeBlocks(node.blocks, box, 1) }
  })
}

/** From the bottom up, then the next column. */
function placeBlocks(blocks: ClusterPicture['blocks'], frame: Box, columns: number): Frame['blocks'] {
  const rows = Math.max(1, Math.ceil(blocks.length / columns))
  const width = (frame.width - BLOCK.gap) / columns
  return blocks.map((block, index) => ({
    block,
    x: frame.x + BLOCK.gap + Math.floor(index / rows) * width,
    y: frame.y + frame.height - ((index % rows) + 1) * STEP,
    width: width - BLOCK.gap,
    height: BLOCK.height,
  }))
}
