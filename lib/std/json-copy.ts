/** Converts a value as JSON would, without creating the text. */
import { setField } from './fields'

export interface JsonCopy {
  /** Shares nothing with the original; undefined for values without a JSON form. */
  value: unknown
  /** Upper limit of the length of its text, in bytes. */
  mostBytes: number
}

/**
 * The value as a reader of its JSON gets it. Throws TypeError for values that JSON cannot represent, as
 * `JSON.stringify` does.
 */
export function copyAsJson(value: unknown): JsonCopy {
  const size = { characters: 0, values: 0 }
  return {
    value: copy(value, size),
    mostBytes: size.characters * MAX_CHARACTER_LENGTH + size.values * MAX_NUMBER_LENGTH,
  }
}

/** An escaped control character. */
const MAX_CHARACTER_LENGTH = 6
/** Any number, word or pair of brackets, with the comma, colon and quotes around it. */
const MAX_NUMBER_LENGTH = 32

interface Size {
  characters: number
  values: number
}

function copy(value: unknown, size: Size): unknown {
  size.values += 1
  switch (typeof value) {
    case 'string':
      size.characters += value.length
      return value
    case 'number':
      return Number.isFinite(value) ? value + 0 : null
    case 'boolean':
      return value
    case 'object':
      return value === null ? null : copyObject(value, size)
    case 'bigint':
      throw new TypeError('a BigInt cannot be put into JSON')
    default:
      return undefined
  }
}

function copyObject(value: object, size: Size): unknown {
  if (Array.isArray(value)) return value.map((item) => copy(item, size) ?? null)
  if ('toJSON' in value && typeof value.toJSON === 'function') return copy(value.toJSON(), size)
  const fields: Record<string, unknown> = {}
  for (const name of Object.keys(value)) {
    const copied = copy((value as Record<string, unknown>)[name], size)
    if (copied === undefined) continue
    size.characters += name.length
    setField(fields, name, copied)
  }
  return fields
}
