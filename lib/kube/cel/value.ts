/** Represents JSON in CEL when its schema is unknown. */
import { isFields, ownField } from '@/lib/std/fields'
import type { Reads } from './reads'

/** Whole numbers become `int`, objects become maps. The argument stays as it is. */
export function toCelValue(value: unknown): unknown {
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : value
  if (Array.isArray(value)) return value.map(toCelValue)
  if (typeof value !== 'object') return value
  return value === null ? null : toCelMap(value, toCelValue)
}

/** A map from names to converted values. Absent fields stay absent. */
export function toCelMap(value: object, convert: (child: unknown) => unknown): Map<string, unknown> {
  const entries = Object.entries(value).filter(([, child]) => child !== undefined)
  return new Map(entries.map(([name, child]) => [name, convert(child)]))
}

/** Converts JSON, but only those fields that are read. */
export function toReadCelValue(value: unknown, reads: Reads): unknown {
  if (reads === 'all' || !isFields(value)) return toCelValue(value)
  const converted = new Map<string, unknown>()
  for (const [name, read] of reads) {
    const child = ownField(value, name)
    if (child !== undefined) converted.set(name, toReadCelValue(child, read))
  }
  return converted
}
