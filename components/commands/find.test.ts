import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { find } from './find'

const things = [
  { label: 'shop/checkout', words: 'Deployment' },
  { label: 'shop/web' },
  { label: 'shop/web-canary' },
  { label: 'lab/cobweb' },
  { label: 'web/proxy' },
  { label: 'Rebalance the selection…' },
]
const labels = (query: string, most = 10) => find(things, query, most).shown.map(({ label }) => label)

describe('what is typed finds', () => {
  const cases: [what: string, query: string, found: string[]][] = [
    ['everything while nothing is typed', '  ', things.map(({ label }) => label)],
    [
      'the exact name first, then beginnings, then what lies within',
      'web',
      ['shop/web', 'web/proxy', 'shop/web-canary', 'lab/cobweb'],
    ],
    ['what has all the words, in any order', 'canary shop', ['shop/web-canary']],
    ['whatever the capitals', 'REBALANCE', ['Rebalance the selection…']],
    ['further words', 'deploy check', ['shop/checkout']],
    ['a full name', 'shop/web', ['shop/web', 'shop/web-canary']],
    ['nothing where one word is missing', 'shop nothing', []],
  ]
  test.each(cases)('%s', (_what, query, found) => {
    expect(labels(query)).toEqual(found)
  })

  test('no more than asked for, and how many more there are', () => {
    expect(find(things, 'web', 1)).toMatchObject({ shown: [{ label: 'shop/web' }], more: 3 })
    expect(find(things, '', 4)).toMatchObject({ shown: things.slice(0, 4), more: 2 })
  })

  test('only what contains each word, and every such thing', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', '/', '-', ' '), maxLength: 6 })
    fc.assert(
      fc.property(fc.array(letters), letters, (names, query) => {
        const wanted = query.split(' ').filter(Boolean)
        const { shown, more } = find(
          names.map((label) => ({ label })),
          query,
          names.length,
        )
        expect(more).toBe(0)
        const expected = names.filter((name) => wanted.every((word) => name.includes(word)))
        expect(shown.map(({ label }) => label).toSorted()).toEqual(expected.toSorted())
      }),
      { seed: 8 },
    )
  })
})
