import { expect, test } from 'vitest'
import type { Picture } from './png'
import { differingCells, signatureOf } from './signatures'

/** A white picture with a box of a colour. */
function picture(box: { x: number; y: number; width: number; height: number }, colour: [number, number, number]) {
  const [width, height] = [200, 100]
  const rgb = new Uint8Array(width * height * 3).fill(255)
  for (let y = box.y; y < box.y + box.height; y += 1)
    for (let x = box.x; x < box.x + box.width; x += 1) rgb.set(colour, 3 * (y * width + x))
  return { width, height, rgb } satisfies Picture
}
const INK: [number, number, number] = [28, 32, 36]
const digit = picture({ x: 40, y: 40, width: 5, height: 9 }, INK)

test('the same picture has the same signature, with a cell for each 32 pixels', () => {
  expect(signatureOf(digit)).toBe(signatureOf(picture({ x: 40, y: 40, width: 5, height: 9 }, INK)))
  expect(signatureOf(digit)).toMatch(/^200x100 [\w+/]{56}$/)
})

test('a line of text that is new or gone is seen, in the cells where it stands', () => {
  const text = picture({ x: 40, y: 40, width: 60, height: 9 }, INK)
  expect(differingCells(signatureOf(digit), signatureOf(text))).toBe(3)
})

test('a digit that becomes a space is seen', () => {
  const nothing = picture({ x: 0, y: 0, width: 0, height: 0 }, INK)
  expect(differingCells(signatureOf(digit), signatureOf(nothing))).toBe(1)
})

test('another colour of the same brightness is seen', () => {
  const [red, blue] = [
    picture({ x: 0, y: 0, width: 32, height: 14 }, [150, 25, 12]),
    picture({ x: 0, y: 0, width: 32, height: 14 }, [0, 66, 206]),
  ]
  expect(differingCells(signatureOf(red), signatureOf(blue))).toBe(1)
})

test('letters that are drawn a little to the side are the same', () => {
  const aside = picture({ x: 40, y: 40, width: 5, height: 9 }, [40, 44, 48])
  expect(differingCells(signatureOf(digit), signatureOf(aside))).toBe(0)
})

test('pictures of another size differ everywhere', () => {
  const small = { width: 32, height: 32, rgb: new Uint8Array(32 * 32 * 3) }
  expect(differingCells(signatureOf(digit), signatureOf(small))).toBe(1)
})
