import { describe, expect, it } from 'vitest'
import type { StructuralSchema } from '../schema'
import { embeddedMismatch, validateEmbedded } from './embedded'

const embedded: StructuralSchema = { type: 'object', 'x-kubernetes-embedded-resource': true }
const schema: StructuralSchema = {
  type: 'object',
  properties: {
    one: embedded,
    list: { type: 'array', items: embedded },
    map: { type: 'object', additionalProperties: embedded },
  },
}

describe('an embedded object', () => {
  it.each([
    ['without an identity', { one: {} }, ['one.apiVersion: Required value', 'one.kind: Required value']],
    ['without a kind, in a list', { list: [{ apiVersion: 'v1' }] }, ['list[0].kind: Required value']],
    [
      'of an empty kind, in a map',
      { map: { a: { apiVersion: 'v1', kind: '' } } },
      ['map[a].kind: Invalid value: "": must not be empty'],
    ],
    [
      'of a version that is none',
      { one: { apiVersion: 'a/b/c', kind: 'X' } },
      ['one.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c'],
    ],
    [
      'with a name that cannot be part of a path',
      { one: { apiVersion: 'v1', kind: 'X', metadata: { name: 'a/b' } } },
      [`one.metadata.name: Invalid value: "a/b": may not contain '/'`],
    ],
    ['without a name', { one: { apiVersion: 'v1', kind: 'X', metadata: {} } }, []],
  ])('%s is judged', (_, object, expected) => {
    expect(validateEmbedded(object, schema).map(({ field, message }) => `${field}: ${message}`)).toEqual(expected)
  })

  it.each([
    [
      'metadata',
      { one: { apiVersion: 'v1', kind: 'X', metadata: 'x' } },
      'one.metadata: Invalid value: "x": json: cannot unmarshal string into Go value of type v1.ObjectMeta',
    ],
    ['a kind', { one: { apiVersion: 'v1', kind: 7 } }, 'one.kind: Invalid value: 7: must be a string'],
  ])('cannot be read with another type of %s', (_, object, expected) => {
    expect(embeddedMismatch(object, schema)).toBe(expected)
  })
})
