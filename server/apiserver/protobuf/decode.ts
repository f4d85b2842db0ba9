/** Reads the protobuf form of API objects. A field that is not known here is refused, never dropped. */
import { formatTime } from '@/lib/std/clock'
import { ownField, setField } from '@/lib/std/fields'
import { messages } from './messages'

/** What every encoded object begins with. */
const MAGIC = 'k8s\0'

/** The content is no object, or one that this reader does not know. The message says which. */
export class ProtobufUnreadable extends Error {
  override readonly name = 'ProtobufUnreadable'
}

type Fields = Record<string, unknown>
type Raw = number | Buffer

/** An object with its apiVersion and kind. Throws ProtobufUnreadable. */
export function decodeObject(bytes: Buffer): Fields {
  if (bytes.toString('latin1', 0, MAGIC.length) !== MAGIC) {
    throw new ProtobufUnreadable('provided data does not appear to be a protobuf message')
  }
  const envelope = new Map(fieldsOf(bytes.subarray(MAGIC.length)))
  const identity = new Map(fieldsOf(bufferOf(envelope.get(1))))
  const apiVersion = bufferOf(identity.get(1)).toString('utf8')
  const kind = bufferOf(identity.get(2)).toString('utf8')
  const name = `${apiVersion}/${kind}`
  if (!ownField(messages, name)) throw new ProtobufUnreadable(`${kind} of ${apiVersion} is accepted as JSON or YAML only`)
  return { apiVersion, kind, ...decodeMessage(name, bufferOf(envelope.get(2))) }
}

function decodeMessage(name: string, bytes: Buffer): Fields {
  const message = ownField(messages, name) ?? {}
  const object: Fields = {}
  for (const [number, raw] of fieldsOf(bytes)) {
    const [field, type] = (ownField(message, String(number)) ?? '').split(' ')
    if (!field || !type) throw new ProtobufUnreadable(`field ${number} of ${name} is accepted as JSON or YAML only`)
    if (field === '=') {
      for (const [name, value] of Object.entries(valueOf(type, raw) as Fields)) setField(object, name, value)
    } else if (type.startsWith('[]')) (kept(object, field, []) as unknown[]).push(valueOf(type.slice(2), raw))
    else if (type.startsWith('{}')) putEntry(kept(object, field, {}) as Fields, type.slice(2), raw)
    else setField(object, field, valueOf(type, raw))
  }
  return object
}

/** The list or map of a field, which comes entry by entry. */
function kept(object: Fields, field: string, empty: object): unknown {
  if (!Object.hasOwn(object, field)) setField(object, field, empty)
  return ownField(object, field)
}

/** An entry of a map: its name is the client's. */
function putEntry(map: Fields, type: string, raw: Raw): void {
  const parts = new Map(fieldsOf(bufferOf(raw)))
  setField(map, bufferOf(parts.get(1)).toString('utf8'), valueOf(type, parts.get(2) ?? Buffer.alloc(0)))
}

function valueOf(type: string, raw: Raw): unknown {
  switch (type) {
    case 's': return bufferOf(raw).toString('utf8')
    case 'x': return bufferOf(raw).toString('base64')
    case 'i': return Number(raw)
    case 'b': return raw !== 0
    case 'q': return bufferOf(new Map(fieldsOf(bufferOf(raw))).get(1)).toString('utf8')
    case 'j': return jsonOf(bufferOf(new Map(fieldsOf(bufferOf(raw))).get(1)).toString('utf8'))
    case 't': return timeOf(bufferOf(raw))
    case 'o': return intOrStringOf(bufferOf(raw))
    default: return decodeMessage(type, bufferOf(raw))
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new ProtobufUnreadable('a field that holds JSON does not')
  }
}

/** An empty message is no time. */
function timeOf(bytes: Buffer): string | undefined {
  const seconds = new Map(fieldsOf(bytes)).get(1)
  return typeof seconds === 'number' ? formatTime(seconds * 1000) : undefined
}

function intOrStringOf(bytes: Buffer): unknown {
  const parts = new Map(fieldsOf(bytes))
  return parts.get(1) === 1 ? bufferOf(parts.get(3)).toString('utf8') : Number(parts.get(2) ?? 0)
}

function bufferOf(raw: Raw | undefined): Buffer {
  return Buffer.isBuffer(raw) ? raw : Buffer.alloc(0)
}

const VARINT = 0
const LENGTH_DELIMITED = 2

/** Field numbers and raw values, in order. */
function fieldsOf(bytes: Buffer): [number, Raw][] {
  const fields: [number, Raw][] = []
  let at = 0
  const varint = (): bigint => {
    let value = 0n
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++]
      if (byte === undefined || shift > 63n) throw new ProtobufUnreadable('unexpected EOF')
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return value
    }
  }
  while (at < bytes.length) {
    const tag = Number(varint())
    if ((tag & 7) === VARINT) fields.push([tag >> 3, Number(BigInt.asIntN(64, varint()))])
    else if ((tag & 7) === LENGTH_DELIMITED) {
      const size = Number(varint())
      if (at + size > bytes.length) throw new ProtobufUnreadable('unexpected EOF')
      fields.push([tag >> 3, bytes.subarray(at, at + size)])
      at += size
    } else throw new ProtobufUnreadable(`wire type ${tag & 7} is not supported`)
  }
  return fields
}
