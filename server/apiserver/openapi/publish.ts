/** Schemas as documents carry them: with descriptions, and with references where a schema contains itself. */
import type { StructuralSchema } from '@/lib/kube/schema'
import { describeField } from './descriptions'

export type Definitions = Record<string, object>

/** Where schemas are published. */
export interface Publication {
  /** Prefix of references. */
  root: string
  /** Schemas with names of their own are put here. */
  definitions: Definitions
  /** Whose fields they are: texts about them depend on it. */
  kind: string
}

/** A reference to a definition that allows sibling keywords. */
export function reference(publication: Pick<Publication, 'root'>, to: string): object {
  return { allOf: [{ $ref: publication.root + to }], default: {} }
}

/** The schema as a document carries it. `path` names the fields that lead to it. */
export function publish(schema: StructuralSchema, publication: Publication, path: readonly string[] = []): object {
  const { definition } = schema
  if (definition === undefined) return published(schema, publication, path)
  if (!publication.definitions[definition]) {
    publication.definitions[definition] = {}
    publication.definitions[definition] = published(schema, publication, path)
  }
  return { $ref: publication.root + definition }
}

/** Client-side validation knows no alternatives of types: a field that has some takes any. */
function published(schema: StructuralSchema, publication: Publication, path: readonly string[]): object {
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
  const description = schema.description ?? (path.length > 0 ? describeField(publication.kind, path) : undefined)
  const isEither = schema['x-kubernetes-int-or-string']
  return {
    ...rest,
    ...(description !== undefined && { description }),
    ...(isEither ? { type: 'string', format: 'int-or-string' } : { ...(anyOf && { anyOf }), ...(allOf && { allOf }) }),
    ...(properties && { properties: publishFields(properties, publication, path) }),
    ...(items && { items: publish(items, publication, path) }),
    ...(typeof additionalProperties === 'object' && {
      additionalProperties: publish(additionalProperties, publication, path),
    }),
  }
}

/** Named fields as a document carries them. */
export function publishFields(
  fields: Readonly<Record<string, StructuralSchema>>,
  publication: Publication,
  path: readonly string[] = [],
): Record<string, object> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, child]) => [name, publish(child, publication, [...path, name])]),
  )
}
