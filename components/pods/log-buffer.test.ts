import { describe, expect, it } from 'vitest'
import { LogBuffer, MAX_LINES, rowsOnScreen } from './log-buffer'

describe('the lines that are kept of a log', () => {
  it('are put together from pieces, with their times', () => {
    const buffer = new LogBuffer()
    buffer.push('2026-01-01T00:00:00.5Z fir')
    buffer.push('st\n2026-01-01T00:00:01Z \nno time')
    expect(buffer.lines()).toEqual([
      { index: 0, at: '2026-01-01T00:00:00.5Z', text: 'first' },
      { index: 1, at: '2026-01-01T00:00:01Z', text: '' },
    ])
    expect(buffer.lastAt).toBe('2026-01-01T00:00:01Z')
    buffer.end()
    expect(buffer.lines().at(-1)).toEqual({ index: 2, text: 'no time' })
  })

  it('are the latest ones, of a log of 100 MB', () => {
    const buffer = new LogBuffer()
    const piece = `${'x'.repeat(999)}\n`.repeat(100)
    for (let count = 0; count < 1000; count += 1) buffer.push(piece)
    const lines = buffer.lines()
    expect(buffer.total).toBe(100_000)
    expect(lines.length).toBeLessThanOrEqual(MAX_LINES)
    expect(lines.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(8 * 1024 * 1024)
    expect(lines.at(-1)?.index).toBe(99_999)
  })

  it('are cut where they have no end', () => {
    const buffer = new LogBuffer()
    for (let count = 0; count < 100; count += 1) buffer.push('y'.repeat(10_000))
    buffer.push('\nnext\n')
    expect(buffer.lines().map(({ text }) => text.length)).toEqual([16_384, 4])
  })
})

it('rows on screen are few, and within the list', () => {
  expect(rowsOnScreen(0, 400, 20, 1000)).toEqual([0, 40])
  expect(rowsOnScreen(19_600, 400, 20, 1000)).toEqual([960, 1000])
  expect(rowsOnScreen(99_999, 400, 20, 10)).toEqual([0, 10])
})
