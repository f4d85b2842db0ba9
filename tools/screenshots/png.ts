/** Pictures of screens as PNG with a palette: a third of the size, and the eye sees no difference. */
import { crc32, deflateSync, inflateSync } from 'node:zlib'

export interface Picture {
  width: number
  height: number
  /** Red, green and blue of each pixel, by rows. */
  rgb: Uint8Array
}

export const SIGNATURE = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10])
export const PALETTE = 3
/** Channels by colour type. */
const COLOUR_TYPES: Record<number, number> = { 2: 3, [PALETTE]: 1, 6: 4 }

/** Reads what browsers and `encode` write: 8 bits, not interlaced, with or without palette. Transparency is left out. */
export function decode(png: Buffer): Picture {
  const chunks = chunksOf(png)
  const header = chunks.find(({ type }) => type === 'IHDR')!.data
  const [width, height, colourType] = [header.readUInt32BE(0), header.readUInt32BE(4), header[9]!]
  const channels = COLOUR_TYPES[colourType]
  if (header[8] !== 8 || header[12] !== 0 || channels === undefined) throw new Error('not a PNG of this kind')
  const data = inflateSync(Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data)))
  const lines = unfiltered(data, { height, stride: width * channels, channels })
  const palette = chunks.find(({ type }) => type === 'PLTE')?.data
  const rgb = new Uint8Array(width * height * 3)
  for (let pixel = 0; pixel < width * height; pixel += 1)
    for (let channel = 0; channel < 3; channel += 1)
      rgb[pixel * 3 + channel] = palette ? palette[lines[pixel]! * 3 + channel]! : lines[pixel * channels + channel]!
  return { width, height, rgb }
}

interface Chunk {
  type: string
  data: Buffer
}

function chunksOf(png: Buffer): Chunk[] {
  const chunks: Chunk[] = []
  for (let at = SIGNATURE.length; at < png.length;) {
    const length = png.readUInt32BE(at)
    chunks.push({ type: png.toString('latin1', at + 4, at + 8), data: png.subarray(at + 8, at + 8 + length) })
    at += length + 12
  }
  return chunks
}

interface Lines {
  height: number
  stride: number
  channels: number
}

/** Undoes the filter of each line (PNG specification, section 9). */
function unfiltered(data: Buffer, { height, stride, channels }: Lines): Uint8Array {
  const out = new Uint8Array(height * stride)
  for (let row = 0; row < height; row += 1) {
    const filter = data[row * (stride + 1)]!
    for (let at = 0; at < stride; at += 1) {
      const here = row * stride + at
      const onLeft = at >= channels
      const left = onLeft ? out[here - channels]! : 0
      const up = row > 0 ? out[here - stride]! : 0
      const upLeft = row > 0 && onLeft ? out[here - stride - channels]! : 0
      const predicted =
        filter === 0
          ? 0
          : filter === 1
            ? left
            : filter === 2
              ? up
              : filter === 3
                ? (left + up) >> 1
                : paeth(left, up, upLeft)
      out[here] = data[row * (stride + 1) + 1 + at]! + predicted
    }
  }
  return out
}

function paeth(left: number, up: number, upLeft: number): number {
  const a = Math.abs(up - upLeft)
  const b = Math.abs(left - upLeft)
  const c = Math.abs(left + up - 2 * upLeft)
  return a <= b && a <= c ? left : b <= c ? up : upLeft
}

/** Writes a picture with at most 256 colours: the ones that most pixels have, and for the others the nearest of them. */
export function encode(picture: Picture): Buffer {
  const palette = paletteOf(countColours(picture))
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', headerOf({ ...picture, colourType: PALETTE })),
    paletteChunk(palette),
    chunk('IDAT', linesOf(picture, indexing(palette))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

export const paletteChunk = (palette: readonly number[]): Buffer =>
  chunk('PLTE', Buffer.from(palette.flatMap(channelsOf)))

/** The lines of a picture as indices of colours, compressed. */
export function linesOf({ width, height, rgb }: Picture, indexOf: (colour: number, pixel: number) => number): Buffer {
  const lines = Buffer.alloc(height * (width + 1))
  for (let pixel = 0; pixel < width * height; pixel += 1)
    lines[pixel + Math.floor(pixel / width) + 1] = indexOf(colourAt(rgb, pixel), pixel)
  return deflateSync(lines, { level: 9, memLevel: 9 })
}

/** The index of the colour of a palette that is nearest to a colour. */
export function indexing(palette: readonly number[]): (colour: number) => number {
  const indices = new Map(palette.map((colour, index) => [colour, index]))
  let [last, index] = [-1, 0]
  return (colour) => {
    if (colour === last) return index
    last = colour
    index = indices.get(colour) ?? nearest(palette, colour)
    indices.set(colour, index)
    return index
  }
}

export function headerOf({ width, height, colourType }: { width: number; height: number; colourType: number }): Buffer {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, colourType, 0, 0, 0])
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  return header
}

const colourAt = (rgb: Uint8Array, pixel: number): number =>
  (rgb[pixel * 3]! << 16) | (rgb[pixel * 3 + 1]! << 8) | rgb[pixel * 3 + 2]!

const channelsOf = (colour: number): [number, number, number] => [colour >> 16, (colour >> 8) & 255, colour & 255]

/** Pixels by colour, of one picture or of several together. */
export function countColours({ rgb }: Picture, counts = new Map<number, number>()): Map<number, number> {
  const pixels = rgb.length / 3
  // Neighbours mostly have the same colour.
  for (let pixel = 0, begin = 0; pixel < pixels; pixel += 1) {
    const colour = colourAt(rgb, pixel)
    if (pixel + 1 < pixels && colourAt(rgb, pixel + 1) === colour) continue
    counts.set(colour, (counts.get(colour) ?? 0) + pixel + 1 - begin)
    begin = pixel + 1
  }
  return counts
}

/** The commonest colours; of those that are as good as the same and rare, only one. */
export function paletteOf(counts: ReadonlyMap<number, number>, most = 256): number[] {
  const ordered = [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0])
  const total = ordered.reduce((sum, [, count]) => sum + count, 0)
  const groups = new Map<number, { colour: number; count: number }>()
  for (const [colour, count] of ordered) {
    const known = groups.get(colour & 0xf0f0f0)
    if (known) known.count += count
    else groups.set(colour & 0xf0f0f0, { colour, count })
  }
  const common = ordered.filter(([, count]) => count > total / 2000).slice(0, most / 2)
  const others = [...groups.values()].sort((a, b) => b.count - a.count || a.colour - b.colour)
  const colours = [...common.map(([colour]) => colour), ...others.map(({ colour }) => colour)]
  return [...new Set(colours)].slice(0, most)
}

function nearest(palette: readonly number[], colour: number): number {
  const [red, green, blue] = channelsOf(colour)
  let [best, least] = [0, Infinity]
  palette.forEach((each, index) => {
    const [r, g, b] = channelsOf(each)
    const distance = 3 * (r - red) ** 2 + 4 * (g - green) ** 2 + 2 * (b - blue) ** 2
    if (distance < least) [best, least] = [index, distance]
  })
  return best
}

export function chunk(type: string, data: Buffer): Buffer {
  const name = Buffer.from(type, 'latin1')
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const check = Buffer.alloc(4)
  check.writeUInt32BE(crc32(Buffer.concat([name, data])))
  return Buffer.concat([length, name, data, check])
}

export interface Difference {
  /** How many pixels differ visibly. */
  pixels: number
  /** The new picture, pale, with what differs in red. */
  picture: Picture
}

/** Channels that differ by no more look the same; colours outside the palette are that far off. */
const SAME = 24

/** Pictures of different sizes differ everywhere. */
export function compare(before: Picture, after: Picture): Difference {
  const { width, height, rgb } = after
  const isSameSize = before.width === width && before.height === height
  const drawn = new Uint8Array(rgb.length)
  let pixels = 0
  for (let at = 0; at < rgb.length; at += 3) {
    const differs = !isSameSize || [0, 1, 2].some((it) => Math.abs(before.rgb[at + it]! - rgb[at + it]!) > SAME)
    if (differs) pixels += 1
    for (let it = 0; it < 3; it += 1) drawn[at + it] = differs ? (it === 0 ? 220 : 0) : 192 + (rgb[at + it]! >> 2)
  }
  return { pixels, picture: { width, height, rgb: drawn } }
}
