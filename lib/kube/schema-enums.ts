/** The lists of values in a schema. */
import { omit } from '@/lib/std/omit'
import type { StructuralSchema } from './schema'

/**
 * The part of the schema of an object that lists values, undefined if it lists none: validation by it visits only what
 * has a list, and finds every value that is not in its list. Metadata has rules of its own.
 */
export function enumsOfObject({ properties = {}, ...schema }: StructuralSchema): StructuralSchema | undefined {
  return enumsOf({ ...schema, properties: omit(properties, 'metadata') }, [])
}

function enumsOf(schema: StructuralSchema, above: readonly StructuralSchema[]): StructuralSchema | undefined {
  // Alternatives are judged by all that they say; a schema that holds itself has no end.
  if (schema.enum || listsValues(junctorsOf(schema)) || above.includes(schema)) return schema
  const path = [...above, schema]
  const { items, additionalProperties } = schema
  const values = typeof additionalProperties === 'object' ? enumsOf(additionalProperties, path) : undefined
  const fields = Object.entries(schema.properties ?? {}).flatMap(([name, own]) => {
    const listed = enumsOf(own, path)
    if (listed) return [[name, listed] as const]
    // Else it would be judged as one of the fields that the schema does not name.
    return values ? [[name, {}] as const] : []
  })
  const inItems = items && enumsOf(items, path)
  if (!values && !inItems && fields.length === 0) return undefined
  return {
    ...(fields.length > 0 && { properties: Object.fromEntries(fields) }),
    ...(values && { additionalProperties: values }),
    ...(inItems && { items: inItems }),
  }
}

function junctorsOf({ allOf, anyOf, oneOf, not }: StructuralSchema): object {
  return { allOf, anyOf, oneOf, not }
}

function listsValues(schema: object): boolean {
  return (
    'enum' in schema
    || Object.values(schema).some((below) => typeof below === 'object' && below !== null && listsValues(below))
  )
}
