/**
 * Parts of objects that are decoded already; decoding skips them. Stored objects are immutable, and most writes change
 * one part of an object and share the others with the stored one.
 */
import { isFields, ownField, setField } from '@/lib/std/fields'
import { mapFields } from '@/lib/std/map-json'
import type { UnknownObject } from './object'

type Fields = Readonly<Record<string, unknown>>

export class SettledParts {
  /** The field that holds a part, by the part. */
  readonly #fields = new WeakMap<object, string>()
  /** The same of the parts of metadata, which is another one in each revision. */
  readonly #inMetadata = new WeakMap<object, string>()

  has(part: unknown, field: string): boolean {
    return isPart(part) && this.#fields.get(part) === field
  }

  add(part: unknown, field: string): void {
    if (field !== 'metadata') note(this.#fields, part, field)
  }

  /** Every part of an object as it is to be stored. */
  addAll(object: UnknownObject): void {
    for (const name of Object.keys(object)) this.add(ownField(object, name), name)
    const { metadata } = object
    for (const name of Object.keys(metadata)) note(this.#inMetadata, ownField(metadata, name), name)
  }

  /** The object without its settled parts. */
  changedParts(given: Fields): Fields {
    return mapFields(given, (part, name) => (this.has(part, name) ? undefined : part))
  }

  /** The same, where the changed parts leave out in turn what is settled of them, and what they share with those of `old`. */
  changesOf(given: Fields, old: Fields | undefined): Fields {
    return mapFields(given, (part, name) => {
      if (this.has(part, name)) return undefined
      if (!isFields(part)) return part
      const isSettled = name === 'metadata' ? this.#isMetadata : this.#sharedWith(old && ownField(old, name), name)
      return isSettled ? mapFields(part, (child, field) => (isSettled(child, field) ? undefined : child)) : part
    })
  }

  /**
   * The whole object again: `decoded` is what decoding made of `rest`, the changes of `given`. Undefined if it changes a
   * part that is not there in full.
   */
  joined(given: Fields, rest: Fields, decoded: Fields): Fields | undefined {
    const whole: Record<string, unknown> = {}
    for (const name of Object.keys(given)) {
      const [part, changes, own] = [ownField(given, name), ownField(rest, name), ownField(decoded, name)]
      if (changes === part) {
        if (own !== undefined) setField(whole, name, own)
      } else if (changes === own) setField(whole, name, part)
      else return undefined
    }
    // What was sent empty is noted under symbols.
    for (const mark of Object.getOwnPropertySymbols(decoded)) setField(whole, mark, decoded[mark as unknown as string])
    return whole
  }

  readonly #isMetadata = (child: unknown, field: string): boolean =>
    isPart(child) && this.#inMetadata.get(child) === field

  #sharedWith(before: unknown, name: string): ((child: unknown, field: string) => boolean) | undefined {
    if (!isFields(before) || !this.has(before, name)) return undefined
    return (child, field) => isPart(child) && ownField(before, field) === child
  }
}

function isPart(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function note(parts: WeakMap<object, string>, part: unknown, field: string): void {
  // Most are known; looking it up costs less than noting it again.
  if (isPart(part) && parts.get(part) !== field) parts.set(part, field)
}
