/** Schemas as documents carry them: with descriptions, and with references where a schema contains itself. */
import type { StructuralSchema } from '@/lib/kube/schema'
import { deepEqual } from '@/lib/std/equal'
import type { MessageType } from '../protobuf/table'
import { describeField } from './descriptions'
import { enumOf } from './enums'
import { hasField, messageOfField, scalarTypes, typeNameOf } from './type-names'

export type Definitions = Record<string, object>

/** Where schemas are published. */
export interface Publication {
  /** Prefix of references. */
  root: string
  /** Schemas with names of their own are put here. */
  definitions: Definitions
  /** Whose fields they are: texts about them depend on it. */
  kind: string
  /** The schemas of types that have been published by their names; undefined where types stay without names. */
  named?: Map<string, StructuralSchema>
}

/** Where a schema is: the fields that lead to it, and its type if it is known. */
export interface Place {
  path: readonly string[]
  message?: MessageType | undefined
}

const NOWHERE: Place = { path: [] }

/** A reference to a definition that allows sibling keywords. */
export function reference(publication: Pick<Publication, 'root'>, to: string): object {
  return { allOf: [{ $ref: publication.root + to }], default: {} }
}

/** The schema as a document carries it. */
export function publish(schema: StructuralSchema, publication: Publication, place = NOWHERE): object {
  const { definition } = schema
  if (definition === undefined) return byName(schema, publication, place) ?? published(schema, publication, place)
  if (!publication.definitions[definition]) {
    publication.definitions[definition] = {}
    publication.definitions[definition] = published(schema, publication, place)
  }
  return { $ref: publication.root + definition }
}

/** A text with the values that its type lists, whichever the schema lists. */
function withEnum(schema: StructuralSchema, values: readonly string[] | undefined): StructuralSchema {
  if (schema.items?.type === 'string') return { ...schema, items: withEnum(schema.items, values) }
  if (schema.type !== 'string') return schema
  const { enum: _, ...rest } = schema
  return values ? { ...rest, enum: [...values] } : rest
}

/** A reference to a type with a name. One that has another schema elsewhere is written out in this place. */
function byName(schema: StructuralSchema, publication: Publication, place: Place): object | undefined {
  const { named, definitions } = publication
  if (!named) return undefined
  const name = typeNameOf(schema, place.message)
  if (name === undefined) return undefined
  const scalar = scalarTypes.get(name)
  if (scalar) definitions[name] ??= scalar
  const first = scalar ? schema : named.get(name)
  if (first ? !deepEqual(first, schema) : definitions[name]) return undefined
  if (!first) {
    named.set(name, schema)
    definitions[name] = published(schema, publication, place)
  }
  const description = describe(schema, publication, place)
  return { ...(description !== undefined && { description }), ...reference(publication, name) }
}

function describe(schema: StructuralSchema, { kind }: Publication, { path }: Place): string | undefined {
  return schema.description ?? (path.length > 0 ? describeField(kind, path) : undefined)
}

/** Client-side validation knows no alternatives of types: a field that has some takes any. */
function published(schema: StructuralSchema, publication: Publication, place: Place): object {
  const {
    properties,
    items,
    additionalProperties,
    definition: _,
    'x-or-list': __,
    'x-or-any': ___,
    anyOf,
    allOf,
    ...rest
  } = schema
  const description = describe(schema, publication, place)
  const isEither = schema['x-kubernetes-int-or-string']
  return {
    ...rest,
    ...(description !== undefined && { description }),
    ...(isEither ? { type: 'string', format: 'int-or-string' } : { ...(anyOf && { anyOf }), ...(allOf && { allOf }) }),
    ...(properties && { properties: publishFields(properties, publication, place) }),
    ...(items && { items: publish(items, publication, place) }),
    ...(typeof additionalProperties === 'object' && {
      additionalProperties: publish(additionalProperties, publication, place),
    }),
  }
}

/** Named fields as a document carries them. */
export function publishFields(
  fields: Readonly<Record<string, StructuralSchema>>,
  publication: Publication,
  { path, message }: Place = NOWHERE,
): Record<string, object> {
  return Object.fromEntries(
    // Schemas that several types share have more fields than each of them.
    Object.entries(fields)
      .filter(([name]) => !publication.named || !message || hasField(message, name))
      .map(([name, child]) => [
        name,
        publish(publication.named && message ? withEnum(child, enumOf(message, name)) : child, publication, {
          path: [...path, name],
          message: messageOfField(message, name),
        }),
      ]),
  )
}
