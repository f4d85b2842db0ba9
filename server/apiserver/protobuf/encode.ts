/** Writes API objects in their protobuf form. */
import { ownField } from '@/lib/std/fields'
import { MAGIC, wireOf } from './decode'
import { VARINT } from './reader'
import { eitherSchema } from './schema-forms'
import { type Field, type MessageType, messageNamed, messageOf } from './table'
import { nanosOf, secondsOf } from './times'
import { Writer } from './writer'

type Fields = Readonly<Record<string, unknown>>

const MAGIC_BYTES = Buffer.from(MAGIC, 'latin1')
const encoded = new WeakMap<object, Buffer>()

/**
 * The bytes of an object, with its kind; undefined for kinds that have no protobuf form. The result is cached with the
 * object, which must not change afterwards.
 */
export function encodeObject(object: unknown): Buffer | undefined {
  if (typeof object !== 'object' || object === null) return undefined
  const known = encoded.get(object)
  if (known) return known
  const { apiVersion = '', kind } = object as { apiVersion?: unknown; kind?: unknown }
  if (typeof apiVersion !== 'string' || typeof kind !== 'string') return undefined
  const type = messageOf(apiVersion, kind)
  if (!type) return undefined
  const bytes = wrap(type, object as Fields, { apiVersion, kind })
  encoded.set(object, bytes)
  return bytes
}

/** Reports whether objects of a kind have a protobuf form. */
export const isEncodable = (apiVersion: string, kind: string): boolean => messageOf(apiVersion, kind) !== undefined

function wrap(type: MessageType, object: Fields, { apiVersion, kind }: { apiVersion: string; kind: string }): Buffer {
  const out = new Writer()
  // The encoding and type of the content are empty: plain protobuf.
  for (const number of [4, 3]) out.close(number, out.length)
  const content = out.length
  writeMessage(out, type, object)
  out.close(2, content)
  const identity = out.length
  writeText(out, 2, kind)
  writeText(out, 1, apiVersion)
  out.close(1, identity)
  out.raw(MAGIC_BYTES)
  return out.done()
}

/** A frame of a watch: the length of an event, and the event with the bytes of its object. */
export function encodeEvent(type: string, object: Buffer): Buffer {
  const out = new Writer()
  const extension = out.length
  out.raw(object)
  out.close(1, extension)
  out.close(2, extension)
  writeText(out, 1, type)
  const event = out.done()
  const frame = Buffer.allocUnsafe(4 + event.length)
  frame.writeUInt32BE(event.length, 0)
  frame.set(event, 4)
  return frame
}

/** From the last field to the first, as everything here is written backwards. */
function writeMessage(out: Writer, { fields, whole }: MessageType, object: Fields): void {
  for (let at = fields.length - 1; at >= 0; at--) {
    const field = fields[at]!
    if (field.name === '=') {
      const before = out.length
      writeMessage(out, messageNamed(field.type)!, object)
      out.close(field.number, before)
      continue
    }
    const value = ownField(object, field.name) ?? (whole ? emptyOf(field) : undefined)
    if (value === undefined || value === null) continue
    if (field.many === 'list') writeList(out, field, value)
    else if (field.many === 'map') writeMap(out, field, value)
    else writeValue(out, field, value)
  }
}

function emptyOf({ many, pointer, type }: Field): unknown {
  if (many !== 'one' || pointer) return undefined
  return type === 's' ? '' : type.length === 1 ? 0 : {}
}

function writeList(out: Writer, field: Field, value: unknown): void {
  if (!Array.isArray(value)) return
  for (let at = value.length - 1; at >= 0; at--) writeValue(out, field, value[at])
}

/** Entries by name, so that the same object always gives the same bytes. */
function writeMap(out: Writer, field: Field, value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  for (const [name, entry] of Object.entries(value).toSorted(([a], [b]) => (a < b ? 1 : -1))) {
    const before = out.length
    writeValue(out, { type: field.type, many: 'one', number: 2 }, entry)
    writeText(out, 1, name)
    out.close(field.number, before)
  }
}

type Slot = Pick<Field, 'number' | 'type' | 'many'>

function writeValue(out: Writer, slot: Slot, value: unknown): void {
  const wire = wireOf({ type: slot.type, many: 'one' })
  if (slot.type === 'i' || slot.type === 'b') {
    out.varint(typeof value === 'number' ? Math.trunc(value) : Number(value === true))
    out.tag(slot.number, wire)
  } else if (slot.type === 'd') {
    out.double(Number(value))
    out.tag(slot.number, wire)
  } else {
    const before = out.length
    writeContent(out, slot.type, value)
    out.close(slot.number, before)
  }
}

function writeContent(out: Writer, type: string, value: unknown): void {
  switch (type) {
    case 's':
      return out.text(String(value))
    case 'x':
      return out.raw(Buffer.from(String(value), 'base64'))
    case 'q':
      return writeText(out, 1, String(value))
    case 'j':
      return writeText(out, 1, JSON.stringify(value ?? null))
    case 't':
    case 'm':
      return writeTime(out, value, type === 'm')
    case 'n':
      return writeInteger(out, 1, nanosOf(String(value)))
    case 'o':
      return writeIntOrString(out, value)
    case 'l':
      return writeList(out, TEXTS, value)
    default: {
      const either = eitherSchema(type)
      if (either) writeMessage(out, either.message, either.toMessage(value))
      else writeMessage(out, messageNamed(type)!, value as Fields)
    }
  }
}

const TEXTS: Field = { number: 1, name: 'items', type: 's', many: 'list', keepsZero: true }

function writeText(out: Writer, number: number, text: string): void {
  const before = out.length
  out.text(text)
  out.close(number, before)
}

function writeInteger(out: Writer, number: number, value: number): void {
  out.varint(value)
  out.tag(number, VARINT)
}

/** Seconds, and for precise times nanoseconds; no time is an empty message. */
function writeTime(out: Writer, value: unknown, precise: boolean): void {
  const time = typeof value === 'string' ? secondsOf(value) : undefined
  if (!time) return
  writeInteger(out, 2, precise ? time.nanos : 0)
  writeInteger(out, 1, time.seconds)
}

function writeIntOrString(out: Writer, value: unknown): void {
  const isText = typeof value === 'string'
  writeText(out, 3, isText ? value : '')
  writeInteger(out, 2, isText ? 0 : Number(value))
  writeInteger(out, 1, isText ? 1 : 0)
}
