/**
 * The order in which Go writes the fields of a built-in kind as JSON: that of the struct. It is the order of the field
 * numbers, but for the types in `struct-order.json`.
 */
import { isFields, ownField } from '@/lib/std/fields'
import orders from './struct-order.json' with { type: 'json' }
import { type Field, messageNamed, messageOf, type MessageType } from './table'

type Fields = Readonly<Record<string, unknown>>

/** An object with its fields in that order; a kind without a message stays as it is. */
export function inStructOrder(object: unknown, { apiVersion, kind }: { apiVersion: string; kind: string }): unknown {
  const message = messageOf(apiVersion, kind)
  if (!message || !isFields(object)) return object
  const { kind: ownKind, apiVersion: ownVersion, ...rest } = object
  const identity = { kind: ownKind, apiVersion: ownVersion }
  return { ...identity, ...(ordered(rest, message) as Fields) }
}

/** What an object is comes first, also within another. */
const IDENTITY = ['kind', 'apiVersion']

function ordered(value: unknown, message: MessageType): unknown {
  if (!isFields(value)) return value
  const known = fieldsOf(message)
  const others = Object.keys(value).filter((name) => !known.has(name))
  const names = [...IDENTITY.filter((name) => others.includes(name)), ...known.keys(), ...others]
  return Object.fromEntries(
    names.filter((name) => Object.hasOwn(value, name)).map((name) => [name, child(value[name], known.get(name))]),
  )
}

function child(value: unknown, field: Field | undefined): unknown {
  if (!field) return value
  const message = messageNamed(field.type)
  if (field.many === 'list') {
    return Array.isArray(value) && message ? value.map((item) => ordered(item, message)) : value
  }
  if (field.many === 'one') return message ? ordered(value, message) : value
  if (!isFields(value)) return value
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([name, item]) => [name, message ? ordered(item, message) : item]))
}

const known = new WeakMap<MessageType, ReadonlyMap<string, Field>>()

/** The fields by name, in the order of the struct; those of an embedded type are among them. */
function fieldsOf(message: MessageType): ReadonlyMap<string, Field> {
  const remembered = known.get(message)
  if (remembered) return remembered
  const order = ownField(orders as Readonly<Record<string, string>>, message.name)?.split(' ')
  const fields = order
    ? order.flatMap((name) => message.fields.filter((field) => field.name === name))
    : [...message.fields]
  const flat = fields.flatMap((field): [string, Field][] => {
    const embedded = field.name === '=' ? messageNamed(field.type) : undefined
    return embedded ? [...fieldsOf(embedded)] : [[field.name, field]]
  })
  const made = new Map(flat)
  known.set(message, made)
  return made
}
