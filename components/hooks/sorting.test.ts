import { describe, expect, it } from 'vitest'
import { directionOf, nextSort, sortRows } from './sorting'

interface Row {
  name: string
  size?: number
}

const rows: Row[] = [{ name: 'web-10', size: 2 }, { name: 'web-9' }, { name: 'api', size: 10 }, { name: 'db', size: 2 }]
const sorts = { name: ({ name }: Row) => name, size: ({ size }: Row) => size }
const names = (text: string): string[] => sortRows(rows, sorts, text).map(({ name }) => name)

describe('the order of a list', () => {
  it.each([
    ['', ['web-10', 'web-9', 'api', 'db']],
    ['nothing', ['web-10', 'web-9', 'api', 'db']],
    ['name', ['api', 'db', 'web-9', 'web-10']],
    ['-name', ['web-10', 'web-9', 'db', 'api']],
    ['size', ['web-10', 'db', 'api', 'web-9']],
    ['-size', ['api', 'web-10', 'db', 'web-9']],
  ])('%s', (text, expected) => {
    expect(names(text)).toEqual(expected)
  })

  it('turns with each press and ends where it began', () => {
    const texts = ['', nextSort('', 'size'), nextSort('size', 'size'), nextSort('-size', 'size')]
    expect(texts).toEqual(['', 'size', '-size', undefined])
    expect(texts.map((text) => directionOf(text ?? '', 'size'))).toEqual([
      undefined,
      'ascending',
      'descending',
      undefined,
    ])
    expect(nextSort('-size', 'name')).toBe('name')
  })
})
