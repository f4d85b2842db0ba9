import fc from 'fast-check'
import { expect, test } from 'vitest'
import { diffCounts, diffLines } from './diff'

const text = fc
  .array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 12 })
  .map((lines) => lines.join('\n'))

test('without the added lines it is the first text, without the removed ones the second', () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      const lines = diffLines(before, after)
      const without = (kind: string) => lines.filter((line) => line.kind !== kind).map((line) => line.text)
      expect(without('added').join('\n')).toBe(before)
      expect(without('removed').join('\n')).toBe(after)
    }),
    { seed: 20261125 },
  )
})

test('equal texts differ in nothing', () => {
  expect(diffCounts(diffLines('a\nb\n', 'a\nb\n'))).toEqual({ added: 0, removed: 0 })
})
