/** Changes parts of JSON values and shares the rest: a value without changes is returned as the same object. */
import { setField } from './fields'

type Fields = Readonly<Record<string, unknown>>

/**
 * The object with each field replaced by the result of `change`, in the same order; undefined removes the field. `change` is
 * called once for each field.
 */
export function mapFields(fields: Fields, change: (value: unknown, name: string) => unknown): Fields {
  const names = Object.keys(fields)
  let next: Record<string, unknown> | undefined
  for (let index = 0; index < names.length; index++) {
    const name = names[index] as string
    const value = fields[name]
    const changed = change(value, name)
    if (changed !== value) next ??= firstOf(fields, names, index)
    if (next && changed !== undefined) setField(next, name, changed)
  }
  return next ?? fields
}

/** The list with each item replaced by the result of `change`. */
export function mapItems(
  items: readonly unknown[],
  change: (item: unknown, index: number) => unknown,
): readonly unknown[] {
  let next: unknown[] | undefined
  for (let index = 0; index < items.length; index++) {
    const changed = change(items[index], index)
    if (changed !== items[index]) next ??= items.slice(0, index)
    next?.push(changed)
  }
  return next ?? items
}

function firstOf(fields: Fields, names: readonly string[], count: number): Record<string, unknown> {
  const first: Record<string, unknown> = {}
  for (let index = 0; index < count; index++) setField(first, names[index] as string, fields[names[index] as string])
  return first
}
