import { describe, expect, it } from 'vitest'
import { isTextTooDeep, isValueTooDeep, sizeWithin } from './json-bounds'

const listsIn = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`

describe('a body', () => {
  it.each([
    ['of a thousand levels is looked at', listsIn(1000), false],
    ['of more is not', listsIn(1001), true],
    ['of objects is no different', `${'{"a":'.repeat(1001)}1${'}'.repeat(1001)}`, true],
    ['may have as many levels one after the other as it likes', `[${'[],'.repeat(5000)}[]]`, false],
    ['may have brackets in its texts', JSON.stringify({ a: `${'['.repeat(5000)}"\\` }), false],
  ])('%s', (_sentence, text, deep) => {
    expect(isTextTooDeep(text)).toBe(deep)
    expect(isValueTooDeep(JSON.parse(text))).toBe(deep)
  })
})

describe('the size of a value', () => {
  it.each([
    ['of a text is its length and a fixed part', 'abc', 19],
    ['counts names', { ab: 'c' }, 16 + 5 + 17],
    ['counts items', [1, 2, [3]], 5 * 16],
  ])('%s', (_sentence, value, size) => {
    expect(sizeWithin(value, size)).toBe(size)
    expect(sizeWithin(value, size - 1)).toBeUndefined()
  })
})
