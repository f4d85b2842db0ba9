/** Fields of schemas that hold one of two forms in JSON: a schema, or a list or boolean in its place. */
import { ownField } from '@/lib/std/fields'
import type { Field, MessageType } from './table'

type Fields = Record<string, unknown>

interface Either {
  message: MessageType
  fromMessage(value: Fields): unknown
  toMessage(value: unknown): Fields
}

const PREFIX = 'apiextensions.k8s.io/v1/JSONSchemaPropsOr'
const SCHEMA = 'apiextensions.k8s.io/v1/JSONSchemaProps'

/** How the type is read and written; undefined for any other type. */
export function eitherSchema(type: string): Either | undefined {
  return type.startsWith(PREFIX) ? ownField(FORMS, type.slice(PREFIX.length)) : undefined
}

const FORMS: Readonly<Record<string, Either>> = {
  Array: listForm('Array', field(2, 'list', SCHEMA, 'list')),
  StringArray: listForm('StringArray', field(2, 'list', 's', 'list')),
  Bool: {
    message: form('Bool', [field(1, 'allows', 'b'), field(2, 'schema', SCHEMA)]),
    fromMessage: ({ schema, allows }) => schema ?? allows ?? false,
    toMessage: (value) => (typeof value === 'boolean' ? { allows: value } : { allows: true, schema: value }),
  },
}

function listForm(name: string, list: Field): Either {
  return {
    message: form(name, [field(1, 'schema', SCHEMA), list]),
    fromMessage: (value) => value.schema ?? value.list ?? [],
    toMessage: (value) => (Array.isArray(value) ? { list: value } : { schema: value }),
  }
}

function field(number: number, name: string, type: string, many: Field['many'] = 'one'): Field {
  return { number, name, type, many, keepsZero: true }
}

function form(name: string, fields: readonly Field[]): MessageType {
  return { name: PREFIX + name, fields, byNumber: new Map(fields.map((one) => [one.number, one])) }
}
