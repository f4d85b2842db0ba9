/**
 * Positions of rows and columns of the heat matrix, and the row or column at a position. In pixels, without scrolling.
 */
import { countWhile } from '@/lib/std/search'
import { shortName } from '@/lib/view/short-name'
import type { MatrixColumn, MatrixRow } from '../matrix-model'

export const DENSITIES = ['comfortable', 'dense'] as const
export type Density = (typeof DENSITIES)[number]

interface Sizes {
  group: number
  workload: number
  /** The roll-up column of a region whose clusters are shown. */
  region: number
  /** Narrowest and widest column of a cluster. */
  cluster: readonly [least: number, most: number]
  gap: number
}

export const SIZES: Record<Density, Sizes> = {
  comfortable: { group: 24, workload: 20, region: 48, cluster: [14, 96], gap: 6 },
  dense: { group: 18, workload: 6, region: 28, cluster: [6, 40], gap: 4 },
}

/** A collapsed region has room for its name, and may be as wide as this. */
const COLLAPSED = { least: 64, most: 120 }

/** Consecutive stretches with gaps between them. */
export interface Tracks {
  /** Where each begins, and after the last one where all end. */
  starts: Float64Array
  sizes: Float64Array
}

export interface RegionTrack {
  kind: 'region'
  id: string
  region: string
  folded: boolean
  clusters: readonly MatrixColumn[]
}

export interface ClusterTrack {
  kind: 'cluster'
  id: string
  region: string
  column: MatrixColumn
  /** The name without what it shares with its region. */
  short: string
}

export type ColumnTrack = RegionTrack | ClusterTrack

export interface ColumnLayout extends Tracks {
  tracks: readonly ColumnTrack[]
  width: number
}

interface ColumnOptions {
  columns: readonly MatrixColumn[]
  /** Regions of which only the roll-up is shown. */
  folded: Pick<ReadonlySet<string>, 'has'>
  density: Density
  /** Width that is there; the columns take it if they can. */
  room: number
}

/** A roll-up column for each region of several clusters, and after it its clusters unless it is collapsed. */
export function layoutColumns({ columns, folded, density, room }: ColumnOptions): ColumnLayout {
  const regions = [...Map.groupBy(columns, ({ region }) => region)]
  const tracks = regions.flatMap(([region, clusters]): ColumnTrack[] => {
    if (clusters.length === 1) return clusters.map(clusterTrack)
    const isFolded = folded.has(region)
    const rollUp: RegionTrack = { kind: 'region', id: `region/${region}`, region, folded: isFolded, clusters }
    return isFolded ? [rollUp] : [rollUp, ...clusters.map(clusterTrack)]
  })
  const sizes = columnSizes(tracks, { density, room })
  const { gap } = SIZES[density]
  const isEdge = (index: number): boolean => tracks[index + 1]?.region !== tracks[index]?.region
  return { tracks, ...stretch(sizes, (index) => (isEdge(index) ? gap : 0)) }
}

function clusterTrack(column: MatrixColumn): ClusterTrack {
  const { name, region } = column
  return { kind: 'cluster', id: `cluster/${name}`, region, column, short: shortName(name, region) }
}

/**
 * Divides the width that the roll-ups leave among clusters, within their limits; collapsed regions share the remaining
 * width.
 */
function columnSizes(tracks: readonly ColumnTrack[], { density, room }: Pick<ColumnOptions, 'density' | 'room'>) {
  const sizes = SIZES[density]
  const regions = tracks.filter(({ kind }) => kind === 'region').length
  const clusters = tracks.length - regions
  const gaps = new Set(tracks.map(({ region }) => region)).size * sizes.gap
  const folded = tracks.filter((track) => track.kind === 'region' && track.folded).length
  const left = room - gaps - (regions - folded) * sizes.region - folded * COLLAPSED.least
  const [least, most] = sizes.cluster
  const cluster = clusters === 0 ? 0 : Math.max(least, Math.min(most, Math.floor(left / clusters)))
  const more = folded === 0 ? 0 : Math.max(0, Math.floor((left - clusters * cluster) / folded))
  return tracks.map((track) => {
    if (track.kind === 'cluster') return cluster
    return track.folded ? Math.min(COLLAPSED.most, COLLAPSED.least + more) : sizes.region
  })
}

function stretch(sizes: readonly number[], gapAfter: (index: number) => number): Tracks & { width: number } {
  const starts = new Float64Array(sizes.length + 1)
  for (const [index, size] of sizes.entries()) starts[index + 1] = starts[index]! + size + gapAfter(index)
  return { starts, sizes: Float64Array.from(sizes), width: starts[sizes.length]! }
}

export interface RowLayout extends Tracks {
  height: number
}

export function layoutRows(rows: readonly Pick<MatrixRow, 'kind'>[], density: Density): RowLayout {
  const { group, workload } = SIZES[density]
  const { starts, sizes, width } = stretch(
    rows.map(({ kind }) => (kind === 'group' ? group : workload)),
    () => 0,
  )
  return { starts, sizes, height: width }
}

/** The track at an offset; undefined in a gap and outside. */
export function trackAt({ starts, sizes }: Tracks, offset: number): number | undefined {
  if (offset < 0 || sizes.length === 0) return undefined
  const index = lastStartingAt(starts, sizes.length, offset)
  return offset < starts[index]! + sizes[index]! ? index : undefined
}

/** The tracks that show between two offsets: the first, and the one after the last. */
export function tracksBetween({ starts, sizes }: Tracks, from: number, to: number): readonly [number, number] {
  if (sizes.length === 0 || to <= 0) return [0, 0]
  return [lastStartingAt(starts, sizes.length, Math.max(0, from)), lastStartingAt(starts, sizes.length, to) + 1]
}

/** Reports whether both stand at the same places. */
export function sameTracks(a: Tracks, b: Tracks): boolean {
  if (a === b) return true
  return a.sizes.length === b.sizes.length && a.starts.every((start, index) => start === b.starts[index])
}

/** Of tracks from the first on: the last that starts at or before the offset. */
export const lastStartingAt = (starts: Float64Array, count: number, offset: number): number =>
  Math.max(0, countWhile(count, (index) => starts[index]! <= offset) - 1)

/** How far to scroll so that a track shows whole. */
export function scrollTo({ starts, sizes }: Tracks, index: number, view: { offset: number; room: number }): number {
  const [start, end] = [starts[index]!, starts[index]! + sizes[index]!]
  if (start < view.offset) return start
  return end > view.offset + view.room ? end - view.room : view.offset
}

/** Columns, rows, and the room of their heads. */
export interface Geometry {
  columns: ColumnLayout
  rows: RowLayout
  margins: Margins
}

/** Room of the row heads at the left and of the column heads above. */
export interface Margins {
  names: number
  heads: number
}
