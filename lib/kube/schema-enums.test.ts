import { describe, expect, it } from 'vitest'
import { allKinds } from './kinds'
import type { StructuralSchema } from './schema'
import { enumsOfObject } from './schema-enums'
import { validateSchema } from './schema-validate'

const text: StructuralSchema = { type: 'string' }
const listed: StructuralSchema = { type: 'string', enum: ['a', 'b'] }

describe('what of a schema lists values', () => {
  it.each<[string, StructuralSchema, StructuralSchema | undefined]>([
    ['nothing', { properties: { spec: { type: 'object', properties: { text } } } }, undefined],
    ['nothing in metadata', { properties: { metadata: { properties: { listed } } } }, undefined],
    ['a field', { properties: { text, listed } }, { properties: { listed } }],
    [
      'the items of a list',
      { properties: { list: { type: 'array', items: listed } } },
      { properties: { list: { items: listed } } },
    ],
    [
      'the values of a map, which are not those of its fields',
      { properties: { text }, additionalProperties: listed },
      { properties: { text: {} }, additionalProperties: listed },
    ],
    [
      'an alternative, with all that it says',
      { properties: { either: { anyOf: [text, listed] }, text } },
      { properties: { either: { anyOf: [text, listed] } } },
    ],
  ])('%s', (_, schema, expected) => expect(enumsOfObject(schema)).toEqual(expected))

  it('ends for a schema that holds itself', () => {
    const node: { properties: Record<string, StructuralSchema> } = { properties: { listed } }
    node.properties.inner = node
    const found = enumsOfObject({ properties: { spec: node } })
    const value = { spec: { inner: { inner: { listed: 'c' } } } }
    expect(validateSchema(value, found!).map(({ field }) => field)).toEqual(['spec.inner.inner.listed'])
  })

  it('is a small part of each kind', () => {
    const kinds = allKinds.filter(({ kind, origin }) => origin === 'builtin' && kind !== 'CustomResourceDefinition')
    const size = (schema: unknown): number => (JSON.stringify(schema) ?? '').length
    for (const { kind, schema } of kinds) expect(size(enumsOfObject(schema)), kind).toBeLessThan(size(schema) / 4)
  })
})
