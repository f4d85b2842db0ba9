import { IntlMessageFormat } from 'intl-messageformat'
import { describe, expect, test } from 'vitest'
import { catalogue as en } from './en'
import { parseIcu } from './icu'
import { catalogue as zh } from './zh-CN'

/** The same message by the reference implementation. */
const reference = (source: string, locale: string, values: object): unknown =>
  new IntlMessageFormat(source, locale).format(values as never)

const mark = (parts: unknown[]) => ({ marked: parts.join('') })

describe('a message', () => {
  test.each([
    ["don't quote, it''s one", {}],
    ["braces '{n}' and '<b>' are words", {}],
    [
      '{ n , plural , offset:1 =1 {only {who}} one {{who} and # other} other {{who} and # others} }',
      { n: 3, who: 'a' },
    ],
    ["{n, plural, one {'#' #} other {# x}}", { n: 1 }],
    ['{n, plural, other {{m, number} of #}}', { n: 12_345.678, m: -0.5 }],
    ['{who, select, none {} other {by {who}}}', { who: 'none' }],
    ['{who, select, none {} other {by {who}}}', { who: 'toString' }],
    ['a < b and 3 > 2', {}],
  ])('%s', (source, values) => {
    expect(parseIcu(source, 'en').format(values).join('')).toBe(reference(source, 'en', values))
  })

  test.each(['{', '{n', '{n, plural}', '{n, plural, one {x}}', '<b>x</i>', 'x}', '{n, date}', '{n, select, other {}'])(
    '%s is refused',
    (source) => {
      expect(() => parseIcu(source, 'en')).toThrow(SyntaxError)
    },
  )

  test.each([
    ['{n}', {}],
    ['{n, number}', { n: 'one' }],
    ['{n, plural, other {#}}', { n: undefined }],
  ])('%s does not take %j', (source, values) => {
    expect(() => parseIcu(source, 'en').format(values)).toThrow(TypeError)
  })
})

describe.each([
  ['en', en],
  ['zh-CN', zh],
])('every text of %s', (locale, catalogue: Readonly<Record<string, string>>) => {
  test.each([0, 1, 2, 1234.5])('reads as the reference renders it, with %d', (n) => {
    for (const source of Object.values(catalogue)) {
      const values = new Proxy<Record<string, unknown>>(
        {},
        {
          has: () => true,
          get: (_, name: string) =>
            new RegExp(String.raw`</${name}>`).test(source)
              ? mark
              : new RegExp(String.raw`\{${name}, (?:number|plural)`).test(source)
                ? n
                : `‹${name}›`,
          getOwnPropertyDescriptor: () => ({ configurable: true, enumerable: true }),
        },
      )
      expect([parseIcu(source, locale).format(values)].flat()).toEqual([reference(source, locale, values)].flat())
    }
  })
})
