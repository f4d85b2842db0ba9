/** Pictures in a row as an animated PNG: each frame holds only the part that changed (APNG specification 1.0). */
import {
  chunk,
  countColours,
  headerOf,
  indexing,
  linesOf,
  PALETTE,
  paletteChunk,
  paletteOf,
  type Picture,
  SIGNATURE,
} from './png'

export interface Frame {
  picture: Picture
  /** How long it is shown. */
  ms: number
}

interface Part {
  x: number
  y: number
  picture: Picture
}

/** All frames have the size of the first. Unchanged frames prolong the previous one. */
export function animate(frames: readonly Frame[]): Buffer {
  const steps = withoutRepeats(frames)
  const counts = new Map<number, number>()
  for (const { part } of steps) countColours(part.picture, counts)
  const palette = paletteOf(counts, 255)
  const clear = palette.length
  const indexOf = indexing(palette)
  let sequence = 0
  const first = frames[0]!.picture
  const parts = steps.flatMap(({ part, ms, before }, index) => {
    const keptAt = before && sameIn(before, part)
    const lines = linesOf(part.picture, (colour, pixel) => (keptAt?.(pixel) ? clear : indexOf(colour)))
    const control = chunk('fcTL', controlOf({ ...part, ms, sequence: sequence++ }))
    return [control, index === 0 ? chunk('IDAT', lines) : chunk('fdAT', Buffer.concat([uint32(sequence++), lines]))]
  })
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', headerOf({ ...first, colourType: PALETTE })),
    chunk('acTL', Buffer.concat([uint32(steps.length), uint32(0)])),
    paletteChunk([...palette, 0]),
    chunk('tRNS', Buffer.from([...palette.map(() => 255), 0])),
    ...parts,
    chunk('IEND', Buffer.alloc(0)),
  ])
}

interface Step {
  part: Part
  ms: number
  before?: Picture
}

function withoutRepeats(frames: readonly Frame[]): Step[] {
  const steps: Step[] = []
  frames.forEach(({ picture, ms }, index) => {
    const before = frames[index - 1]?.picture
    const part = before ? changedPart(before, picture) : { x: 0, y: 0, picture }
    if (part) steps.push({ part, ms, ...(before && { before }) })
    else steps.at(-1)!.ms += ms
  })
  return steps
}

/** The smallest rectangle that holds all pixels that differ. */
function changedPart(before: Picture, { width, height, rgb }: Picture): Part | undefined {
  let [left, right, top, bottom] = [width, -1, height, -1]
  for (let at = 0; at < rgb.length; at += 3) {
    if (rgb[at] === before.rgb[at] && rgb[at + 1] === before.rgb[at + 1] && rgb[at + 2] === before.rgb[at + 2]) continue
    const [x, y] = [(at / 3) % width, Math.floor(at / 3 / width)]
    left = Math.min(left, x)
    right = Math.max(right, x)
    top = Math.min(top, y)
    bottom = Math.max(bottom, y)
  }
  if (right < 0) return undefined
  const size = { width: right - left + 1, height: bottom - top + 1 }
  const part = new Uint8Array(size.width * size.height * 3)
  for (let row = 0; row < size.height; row += 1) {
    const from = ((top + row) * width + left) * 3
    part.set(rgb.subarray(from, from + size.width * 3), row * size.width * 3)
  }
  return { x: left, y: top, picture: { ...size, rgb: part } }
}

/** Whether a pixel of the part is as it was. */
function sameIn(before: Picture, { x, y, picture }: Part): (pixel: number) => boolean {
  return (pixel) => {
    const old = ((y + Math.floor(pixel / picture.width)) * before.width + x + (pixel % picture.width)) * 3
    return [0, 1, 2].every((channel) => before.rgb[old + channel] === picture.rgb[pixel * 3 + channel])
  }
}

/** Leaves the frame standing, and draws the next one over it. */
function controlOf({ sequence, picture, x, y, ms }: Part & { sequence: number; ms: number }): Buffer {
  const delay = Buffer.alloc(4)
  delay.writeUInt16BE(Math.min(65_535, Math.round(ms)), 0)
  delay.writeUInt16BE(1000, 2)
  const place = [sequence, picture.width, picture.height, x, y].map(uint32)
  return Buffer.concat([...place, delay, Buffer.from([0, 1])])
}

function uint32(value: number): Buffer {
  const buffer = Buffer.alloc(4)
  buffer.writeUInt32BE(value)
  return buffer
}
