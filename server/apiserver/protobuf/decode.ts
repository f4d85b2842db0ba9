/** Reads the protobuf form of API objects. Fields that are not known are passed over, as generated Go code does. */
import { formatTime } from '@/lib/std/clock'
import { ownField, setField } from '@/lib/std/fields'
import { BYTES, FIXED64, Reader, VARINT } from './reader'
import { eitherSchema } from './schema-forms'
import { type Field, type MessageType, messageNamed, messageOf } from './table'
import { goDuration, microTime } from './times'
import { ProtobufUnreadable } from './unreadable'

/** Prefix of every encoded object. */
export const MAGIC = 'k8s\0'
/** Messages within messages; only schemas nest at all deep. */
const DEEPEST = 1_000

type Fields = Record<string, unknown>

export const NO_PROTOBUF = 'provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]'

/** True for a body that begins as every one in protobuf. */
export const hasPrefix = (bytes: Buffer): boolean => bytes.toString('latin1', 0, MAGIC.length) === MAGIC

/** An object with its apiVersion and kind. Throws ProtobufUnreadable. */
export function decodeObject(bytes: Buffer): Fields {
  if (bytes.length === 0) throw new ProtobufUnreadable('empty data')
  if (!hasPrefix(bytes)) throw new ProtobufUnreadable(NO_PROTOBUF)
  const { apiVersion, kind, raw } = envelopeOf(new Reader(bytes, MAGIC.length, bytes.length))
  try {
    const type = messageOf(apiVersion, kind)
    if (!type)
      throw new ProtobufUnreadable(
        `no kind "${kind}" is registered for version "${apiVersion}" in scheme "pkg/runtime/scheme.go:111"`,
      )
    return { apiVersion, kind, ...decodeMessage(type, raw, 0) }
  } catch (error) {
    if (error instanceof ProtobufUnreadable && kind !== '') error.of = { apiVersion, kind }
    throw error
  }
}

/** The wrapper of an object: its kind, and its bytes. */
function envelopeOf(reader: Reader): { apiVersion: string; kind: string; raw: Reader } {
  const found = { apiVersion: '', kind: '', raw: new Reader(reader.bytes, reader.end, reader.end) }
  for (const [number, value] of spansOf(reader)) {
    if (number === 2) found.raw = value
    if (number !== 1) continue
    for (const [part, text] of spansOf(value)) {
      if (part === 1) found.apiVersion = text.text()
      if (part === 2) found.kind = text.text()
    }
  }
  return found
}

/** The fields that are texts, bytes or messages. */
function* spansOf(reader: Reader): Generator<[number, Reader]> {
  while (reader.more) {
    const tag = reader.varint()
    if (tag % 8 === BYTES) yield [Math.floor(tag / 8), reader.span()]
    else reader.skip(tag % 8)
  }
}

function decodeMessage(type: MessageType, reader: Reader, depth: number): Fields {
  if (depth > DEEPEST) throw new ProtobufUnreadable('exceeded max depth')
  const object: Fields = {}
  while (reader.more) {
    const tag = reader.varint()
    const number = Math.floor(tag / 8)
    if (number <= 0)
      throw new ProtobufUnreadable(
        `proto: ${type.name.slice(type.name.lastIndexOf('/') + 1)}: illegal tag ${number} (wire type ${tag % 8})`,
      )
    const field = type.byNumber.get(number)
    if (field) readField(object, field, { reader, wire: tag % 8, depth })
    else reader.skip(tag % 8)
  }
  return object
}

interface At {
  reader: Reader
  wire: number
  depth: number
}

function readField(object: Fields, field: Field, at: At): void {
  if (at.wire !== wireOf(field))
    throw new ProtobufUnreadable(`proto: wrong wireType = ${at.wire} for field ${field.name}`)
  if (field.many === 'map') return putEntry(kept(object, field, {}) as Fields, field, at)
  const value = valueOf(field.type, at)
  if (field.many === 'list') (kept(object, field, []) as unknown[]).push(value)
  else if (field.name === '=') for (const [name, part] of Object.entries(value as Fields)) setField(object, name, part)
  else if (value !== undefined && (field.keepsZero || !isZero(value))) setField(object, field.name, value)
}

const isZero = (value: unknown): boolean => value === '' || value === 0 || value === false

export function wireOf({ type, many }: Pick<Field, 'type' | 'many'>): number {
  if (many === 'map') return BYTES
  return type === 'i' || type === 'b' ? VARINT : type === 'd' ? FIXED64 : BYTES
}

/** The list or map of a field, which comes entry by entry. */
function kept(object: Fields, { name }: Field, empty: object): unknown {
  if (!Object.hasOwn(object, name)) setField(object, name, empty)
  return ownField(object, name)
}

/** An entry of a map: its name is the client's. */
function putEntry(map: Fields, { type }: Field, { reader, depth }: At): void {
  const entry = reader.span()
  let name = ''
  let value = emptyOf(type)
  while (entry.more) {
    const tag = entry.varint()
    if (tag === 8 + BYTES) name = entry.span().text()
    else if (Math.floor(tag / 8) === 2) value = valueOf(type, { reader: entry, wire: tag % 8, depth })
    else entry.skip(tag % 8)
  }
  setField(map, name, value)
}

/** The default value of a map entry. */
function emptyOf(type: string): unknown {
  return type === 's' || type === 'x' ? '' : type === 'i' ? 0 : type === 'l' ? [] : type === 'q' ? '0' : {}
}

function valueOf(type: string, { reader, depth }: At): unknown {
  switch (type) {
    case 'i':
      return reader.varint()
    case 'b':
      return reader.varint() !== 0
    case 'd':
      return reader.double()
    case 's':
      return reader.span().text()
    case 'x':
      return reader.span().base64()
    case 'q':
      return textOf(reader.span()) || '0'
    case 'j':
      return jsonOf(textOf(reader.span()))
    case 't':
    case 'm':
    case 'n':
      return timeOf(type, reader.span())
    case 'o':
      return intOrStringOf(reader.span())
    case 'l':
      return [...spansOf(reader.span())].map(([, text]) => text.text())
    default:
      return messageValue(type, reader.span(), depth + 1)
  }
}

function messageValue(type: string, reader: Reader, depth: number): unknown {
  const either = eitherSchema(type)
  const value = decodeMessage(either?.message ?? messageNamed(type)!, reader, depth)
  return either ? either.fromMessage(value) : value
}

/** The first text of a message that wraps one. */
function textOf(reader: Reader): string {
  let text = ''
  for (const [number, value] of spansOf(reader)) if (number === 1) text = value.text()
  return text
}

function jsonOf(text: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    throw new ProtobufUnreadable('a field that holds JSON does not')
  }
}

/** The whole numbers of a message, by their field numbers. */
function numbersOf(reader: Reader): Map<number, number> {
  const numbers = new Map<number, number>()
  while (reader.more) {
    const tag = reader.varint()
    if (tag % 8 === VARINT) numbers.set(Math.floor(tag / 8), reader.varint())
    else reader.skip(tag % 8)
  }
  return numbers
}

/** An empty message is no time. */
function timeOf(type: 't' | 'm' | 'n', reader: Reader): string | undefined {
  const numbers = numbersOf(reader)
  const first = numbers.get(1)
  if (type === 'n') return goDuration(first ?? 0)
  if (first === undefined) return undefined
  return type === 't' ? formatTime(first * 1000) : microTime(first, numbers.get(2) ?? 0)
}

function intOrStringOf(reader: Reader): unknown {
  const copy = new Reader(reader.bytes, reader.at, reader.end)
  const numbers = numbersOf(reader)
  if (numbers.get(1) !== 1) return numbers.get(2) ?? 0
  let text = ''
  for (const [number, value] of spansOf(copy)) if (number === 3) text = value.text()
  return text
}
