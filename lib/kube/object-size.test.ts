import { describe, expect, it } from 'vitest'
import { isTooLarge } from './object-size'

const MOST = 1.5 * 1024 * 1024

describe('an object that is too large to store', () => {
  it.each([
    ['letters of one byte', 'x', 1],
    ['letters of two bytes', 'é', 2],
    ['letters of three bytes', '工', 3],
    ['letters of four bytes', '😀', 4],
  ])('is counted in %s', (_, letter, bytes) => {
    const most = 'x'.repeat(MOST % bytes) + letter.repeat(Math.floor(MOST / bytes))
    expect([isTooLarge(most), isTooLarge(`${most}x`)]).toEqual([false, true])
  })
})
