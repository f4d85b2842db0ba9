/**
 * Signatures of pictures that are compared and not kept: a page in another theme or state shows little that is new to a
 * reader, and its picture would be a hundred times as large.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Picture } from './png'

/** Width and height of a cell in pixels: a digit that changes is visible in the mean of one. */
const CELL = 32
/** Levels that the two values of a cell are rounded to, one character each. */
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
/** Rounding, and letters that are drawn half a pixel to the side. */
const SAME_LEVELS = 1

/** File name to signature. */
export type Signatures = ReadonlyMap<string, string>

/** Returns the size, and the mean brightness and the mean hue of each cell. */
export function signatureOf({ width, height, rgb }: Picture): string {
  const cells: string[] = []
  for (let top = 0; top < height; top += CELL)
    for (let left = 0; left < width; left += CELL) {
      const right = Math.min(width, left + CELL)
      const bottom = Math.min(height, top + CELL)
      cells.push(cellOf(rgb, width, { left, right, top, bottom }))
    }
  return `${width}x${height} ${cells.join('')}`
}

interface Box {
  left: number
  right: number
  top: number
  bottom: number
}

function cellOf(rgb: Uint8Array, width: number, { left, right, top, bottom }: Box): string {
  let [light, warmth] = [0, 0]
  for (let y = top; y < bottom; y += 1)
    for (let x = left; x < right; x += 1) {
      const at = 3 * (y * width + x)
      light += 0.3 * rgb[at]! + 0.6 * rgb[at + 1]! + 0.1 * rgb[at + 2]!
      warmth += rgb[at]! - rgb[at + 2]!
    }
  const pixels = (right - left) * (bottom - top)
  return letter(light / pixels) + letter((warmth / pixels + 255) / 2)
}

const letter = (value: number): string => LETTERS[Math.min(63, Math.round((value / 255) * 63))]!

/** Returns how many cells look different; all of them if the sizes differ. */
export function differingCells(before: string, after: string): number {
  const [size = '', cells = ''] = before.split(' ')
  const [newSize = '', newCells = ''] = after.split(' ')
  if (size !== newSize || cells.length !== newCells.length) return newCells.length / 2
  let count = 0
  for (let at = 0; at < cells.length; at += 2)
    if ([at, at + 1].some((each) => Math.abs(levelAt(cells, each) - levelAt(newCells, each)) > SAME_LEVELS)) count += 1
  return count
}

const levelAt = (cells: string, at: number): number => LETTERS.indexOf(cells[at]!)

const fileIn = (folder: string): string => join(folder, 'signatures.json')

export function readSignatures(folder: string): Signatures {
  if (!existsSync(fileIn(folder))) return new Map()
  return new Map(Object.entries(JSON.parse(readFileSync(fileIn(folder), 'utf8')) as Record<string, string>))
}

/** One line each, in the order of names, so that a diff names the pictures that changed. */
export function writeSignatures(folder: string, signatures: Signatures): void {
  const ordered = [...signatures].sort(([a], [b]) => (a < b ? -1 : 1))
  writeFileSync(fileIn(folder), `${JSON.stringify(Object.fromEntries(ordered), undefined, 1)}\n`)
}
