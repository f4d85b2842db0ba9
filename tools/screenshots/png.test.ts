import { deflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { chunk, compare, decode, encode, headerOf, type Picture, SIGNATURE } from './png'

/** A picture with one colour for each pixel. */
function picture(width: number, height: number, colourAt: (x: number, y: number) => readonly number[]): Picture {
  const rgb = new Uint8Array(width * height * 3)
  for (let y = 0; y < height; y += 1) for (let x = 0; x < width; x += 1) rgb.set(colourAt(x, y), (y * width + x) * 3)
  return { width, height, rgb }
}

const stripes = picture(30, 20, (x) => (x % 3 === 0 ? [20, 40, 60] : [250, 250, 250]))

test('a picture of few colours comes back as it was', () => {
  expect(decode(encode(stripes))).toEqual(stripes)
})

test('of more colours than a palette holds, each comes back nearly as it was', () => {
  const many = picture(24, 24, (x, y) => [x * 10, y * 10, 128])
  const { pixels } = compare(many, decode(encode(many)))
  expect(pixels).toBe(0)
})

test('reads each of the filters that browsers write', () => {
  // Each line with another filter.
  const grey = (x: number) => [100 + x * 10, 100 + x * 10, 100 + x * 10]
  expect(decode(withFilters())).toEqual(picture(2, 5, grey))
})

test('what differs is counted and drawn in red, and another size differs everywhere', () => {
  const changed = picture(30, 20, (x, y) =>
    x === 1 && y < 4 ? [0, 0, 0] : x % 3 === 0 ? [20, 40, 60] : [250, 250, 250],
  )
  const { pixels, picture: drawn } = compare(stripes, changed)
  expect(pixels).toBe(4)
  expect([...drawn.rgb.subarray(3, 6)]).toEqual([220, 0, 0])
  expect(
    compare(
      picture(2, 2, () => [0, 0, 0]),
      stripes,
    ).pixels,
  ).toBe(600)
})

function withFilters(): Buffer {
  const lines = [
    [0, 100, 110],
    [1, 100, 10],
    [2, 0, 0],
    [3, 50, 5],
    [4, 0, 0],
  ].flatMap(([filter, first, second]) => [filter, first, first, first, second, second, second] as number[])
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', headerOf({ width: 2, height: 5, colourType: 2 })),
    chunk('IDAT', deflateSync(Buffer.from(lines))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}
