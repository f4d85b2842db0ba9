import { describe, expect, it } from 'vitest'
import type { StructuralSchema } from '../schema'
import { validateListTypes, validateListTypesChange } from './list-types'

const set: StructuralSchema = { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' }
const keyed: StructuralSchema = {
  type: 'array',
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['name'],
  items: { type: 'object', properties: { name: { type: 'string' }, set } },
}
const schema: StructuralSchema = {
  type: 'object',
  properties: { set, keyed, free: { type: 'object', additionalProperties: set } },
}
const texts = (value: unknown): string[] =>
  validateListTypes(value, schema).map(({ field, message }) => `${field}: ${message}`)

describe('the lists of a custom object', () => {
  it.each<[string, unknown, string[]]>([
    [
      'nothing about lists without repeats',
      { set: ['a', 'b'], keyed: [{ name: 'a' }, {}, null], free: {} },
      ['keyed[2]: Duplicate value: {}'],
    ],
    ['a value of a set once, however often it is repeated', { set: ['a', 'a', 'a'] }, ['set[1]: Duplicate value: "a"']],
    ['a key twice', { keyed: [{ name: 'a' }, { name: 'a' }] }, ['keyed[1]: Duplicate value: {"name":"a"}']],
    [
      'the first item with keys that is no object',
      { keyed: ['x', 7] },
      ['keyed[0]: Invalid value: "x": must be an object for an array of list-type map'],
    ],
    [
      'lists inside',
      { free: { k: ['a', 'a'] }, keyed: [{ set: ['b', 'b'] }] },
      ['free[k][1]: Duplicate value: "a"', 'keyed[0].set[1]: Duplicate value: "b"'],
    ],
    ['nothing about values of another type', { set: 'x', keyed: { a: 1 }, free: [1] }, []],
  ])('are told %s', (_, value, expected) => {
    expect(texts(value).toSorted()).toEqual(expected)
  })

  it('are not held against a change of an object that had such lists before', () => {
    const broken = { set: ['a', 'a'] }
    expect(validateListTypesChange({ set: ['b', 'b'] }, broken, schema)).toEqual([])
    expect(validateListTypesChange(broken, { set: ['a'] }, schema)).toHaveLength(1)
    expect(validateListTypesChange(broken, undefined, schema)).toHaveLength(1)
  })
})
