import { expect, test } from 'vitest'
import { animate } from './animation'
import type { Picture } from './png'

const SIZE = { width: 40, height: 30 }

/** White, with a black square of 3 pixels at `x`. */
function square(x: number): Picture {
  const rgb = new Uint8Array(SIZE.width * SIZE.height * 3).fill(255)
  for (let row = 10; row < 13; row += 1) rgb.fill(0, (row * SIZE.width + x) * 3, (row * SIZE.width + x + 3) * 3)
  return { ...SIZE, rgb }
}

/** The control chunks: number in the sequence, width, height, left, top, milliseconds. */
function controlsOf(png: Buffer): number[][] {
  const controls: number[][] = []
  for (let at = 8; at < png.length; at += png.readUInt32BE(at) + 12) {
    if (png.toString('latin1', at + 4, at + 8) !== 'fcTL') continue
    const data = png.subarray(at + 8)
    controls.push([...[0, 4, 8, 12, 16].map((offset) => data.readUInt32BE(offset)), data.readUInt16BE(20)])
  }
  return controls
}

test('a frame holds what changed, and one without a change prolongs the one before', () => {
  const frames = [square(5), square(5), square(8)].map((picture) => ({ picture, ms: 250 }))
  expect(controlsOf(animate(frames))).toEqual([
    [0, 40, 30, 0, 0, 500],
    [1, 6, 3, 5, 10, 250],
  ])
})
