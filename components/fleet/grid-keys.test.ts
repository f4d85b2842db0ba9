import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type GridPosition, moveInGrid } from './grid-keys'

const size = { rows: 10, columns: 5, page: 4 }
const press = (key: string, ctrlKey = false, letters = true) => ({ key, ctrlKey, letters })

describe('moving in a grid', () => {
  const cases: [key: ReturnType<typeof press>, from: [number, number], to: [number, number] | undefined][] = [
    [press('ArrowDown'), [1, 1], [2, 1]],
    [press('ArrowUp'), [0, 1], [0, 1]],
    [press('ArrowRight'), [1, 4], [1, 4]],
    [press('ArrowLeft'), [1, 2], [1, 1]],
    [press('PageDown'), [8, 0], [9, 0]],
    [press('PageUp'), [8, 0], [4, 0]],
    [press('Home'), [3, 3], [3, 0]],
    [press('End'), [3, 0], [3, 4]],
    [press('Home', true), [3, 3], [0, 0]],
    [press('End', true), [3, 0], [9, 4]],
    [press('ArrowDown', true), [3, 2], [9, 2]],
    [press('j'), [1, 1], [2, 1]],
    [press('j', false, false), [1, 1], undefined],
    [press('l', true), [1, 1], undefined],
    [press('Enter'), [1, 1], undefined],
  ]
  it.each(cases)('%o from %o leads to %o', (key, [row, column], to) => {
    expect(moveInGrid({ row, column }, key, size)).toEqual(to && { row: to[0], column: to[1] })
  })

  it('never leaves the grid', () => {
    const keys = fc.constantFrom(
      'ArrowUp',
      'ArrowDown',
      'ArrowLeft',
      'ArrowRight',
      'PageUp',
      'PageDown',
      'Home',
      'End',
      'h',
      'j',
      'k',
      'l',
    )
    fc.assert(
      fc.property(fc.array(fc.tuple(keys, fc.boolean())), (presses) => {
        let at: GridPosition = { row: 0, column: 0 }
        for (const [key, ctrl] of presses) at = moveInGrid(at, press(key, ctrl), size) ?? at
        expect(at.row >= 0 && at.row < size.rows && at.column >= 0 && at.column < size.columns).toBe(true)
      }),
      { seed: 3, numRuns: 200 },
    )
  })
})
