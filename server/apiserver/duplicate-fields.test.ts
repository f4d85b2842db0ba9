import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { repeatedFields } from './duplicate-fields'

const repeated = (text: string) => repeatedFields(text, JSON.parse(text))

describe('a text that names fields twice', () => {
  it.each([
    ['a scalar: the last one counts', '{"a":1,"a":2}', { a: 2 }, ['a']],
    ['an object: both are merged', '{"data":{"a":"1"},"data":{"b":"2"}}', { data: { a: '1', b: '2' } }, ['data']],
    ['a list: the last one counts', '{"l":[1,2],"l":[3]}', { l: [3] }, ['l']],
    ['a field in an item of a list', '{"l":[{"x":1},{"y":1,"y":null}]}', { l: [{ x: 1 }, { y: null }] }, ['l[1].y']],
    ['once, however often it is said again', '{"a":1,"a":2,"a":3}', { a: 3 }, ['a']],
    ['a name with escapes', '{"a\\"b":1,"a\\u0022b":2}', { 'a"b': 2 }, ['a"b']],
    ['space everywhere', ' { "a" : { } , "a" : [ ] } ', { a: [] }, ['a']],
    [
      'inner fields before outer ones',
      '{"d":{"a":"1","a":"2"},"d":{"b":"1"}}',
      { d: { a: '2', b: '1' } },
      ['d.a', 'd'],
    ],
  ])('%s', (_, text, merged, paths) => {
    const found = repeated(text)
    expect(found?.merged).toEqual(merged)
    expect([...(found?.again.keys() ?? [])]).toEqual(paths)
  })

  it('may call a field __proto__ without touching any prototype', () => {
    const found = repeated('{"__proto__":{"x":1},"__proto__":{"y":2}}')
    expect(JSON.stringify(found?.merged)).toBe('{"__proto__":{"x":1,"y":2}}')
    expect(({} as Record<string, unknown>).y).toBeUndefined()
  })
})

describe('a text that names no field twice', () => {
  it.each(['{}', '[]', '"a:b"', '{"a":{"a":{"a":":"}}}', '{"a\\":":1}', '[{"a":1},{"a":1}]', 'null'])('%s', (text) => {
    expect(repeated(text)).toBeUndefined()
  })

  it('is recognised whatever it holds', () => {
    fc.assert(
      fc.property(fc.json(), (text) => repeated(text) === undefined),
      { seed: 36, numRuns: 500 },
    )
  })
})

it('reads any text that has one field twice as the last one says', () => {
  const field = fc.tuple(fc.string({ minLength: 1 }), fc.jsonValue(), fc.jsonValue())
  fc.assert(
    fc.property(field, ([name, first, second]) => {
      const key = JSON.stringify(name)
      const found = repeated(`{${key}:${JSON.stringify(first)},${key}:${JSON.stringify(second)}}`)
      expect([...(found?.again.keys() ?? [])]).toEqual([name])
      const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value)
      if (isObject(first) && isObject(second)) return
      const merged = found?.merged as Record<string, unknown> | undefined
      expect(JSON.stringify(merged?.[name])).toBe(JSON.stringify(second))
    }),
    { seed: 7, numRuns: 500 },
  )
})
