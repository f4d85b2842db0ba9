import { expect, test } from 'vitest'
import type { StructuralSchema } from '../schema'
import { unknownFormats } from './unknown-formats'

const of = (schema: StructuralSchema): string[] => [
  ...unknownFormats({ versions: [{ schema: { openAPIV3Schema: schema } }, {}] }),
]

test.each<[string | undefined, string, string[]]>([
  ['string', 'date-time', []],
  ['string', 'password', []],
  ['string', 'k8s-short-name', []],
  [undefined, 'ipv4', []],
  ['integer', 'int64', []],
  ['number', 'double', []],
  ['string', 'int32', ['int32']],
  ['string', 'constructor', ['constructor']],
  ['integer', 'float', ['float']],
  ['number', 'int32', ['int32']],
  ['object', 'date', ['date']],
])('a field of type %s with the format %s', (type, format, expected) => {
  expect(of({ type, format } as StructuralSchema)).toEqual(expected)
})

test('each format is named once, wherever it is', () => {
  const strange = (format: string): StructuralSchema => ({ type: 'string', format })
  const schema: StructuralSchema = {
    type: 'object',
    properties: {
      a: strange('x'),
      b: { type: 'array', items: strange('x') },
      c: { type: 'object', additionalProperties: strange('y') },
      d: { type: 'string', anyOf: [{ format: 'z' }], not: { format: 'u' } },
    },
  }
  expect(of(schema)).toEqual(['x', 'y', 'z', 'u'])
})
