/** Formats in the schemas of a definition that mean nothing for the type of their field. */
import type { StructuralSchema } from '../schema'
import { isKnownFormat } from '../string-formats'

interface Spec {
  versions?: readonly { schema?: { openAPIV3Schema?: StructuralSchema } }[]
}

/** Each format once, in the order of the schemas. */
export function unknownFormats(spec: Spec | undefined): Set<string> {
  const found = new Set<string>()
  for (const { schema } of spec?.versions ?? []) collect(schema?.openAPIV3Schema, found)
  return found
}

function collect(schema: StructuralSchema | boolean | undefined, found: Set<string>): void {
  if (typeof schema !== 'object') return
  const { type, format, properties = {}, items, additionalProperties, not } = schema
  if (format && !isUnderstood(type, format)) found.add(format)
  const { allOf = [], anyOf = [], oneOf = [] } = schema
  for (const part of [items, ...allOf, ...anyOf, ...oneOf, not, ...Object.values(properties), additionalProperties])
    collect(part, found)
}

const INTEGERS = new Set(['int32', 'int64'])
const NUMBERS = new Set(['float', 'double'])

function isUnderstood(type: string | undefined, format: string): boolean {
  if (type === 'integer') return INTEGERS.has(format)
  if (type === 'number') return NUMBERS.has(format)
  return (!type || type === 'string') && isKnownFormat(format)
}
