/**
 * Parts of objects that are decoded already; decoding skips them. Stored objects are immutable, and most writes change
 * one part of an object and share the others with the stored one.
 */
import { isFields, ownField, setField } from '@/lib/std/fields'
import { mapFields } from '@/lib/std/map-json'
import type { UnknownObject } from './object'

type Fields = Readonly<Record<string, unknown>>

/**
 * The note of a part, under a symbol that copies, comparisons and JSON do not see. Not a weak map: with the parts of all
 * stored objects and of those that were replaced, one takes up to 100 ms for the first new part after each full collection.
 */
const NOTE = Symbol('settled')

type Noted = object & { [NOTE]?: Note }
/** One for each strategy and field: what is decoded for one is not for another. */
interface Note {
  field: string
}

export class SettledParts {
  readonly #notes = new Map<string, Note>()

  has(part: unknown, field: string): boolean {
    if (!isPart(part)) return false
    const note = (part as Noted)[NOTE]
    return note !== undefined && note === this.#notes.get(field)
  }

  /** Metadata is another one in each revision, and is not noted. */
  add(part: unknown, field: string): void {
    if (field === 'metadata' || !isPart(part) || this.has(part, field) || !Object.isExtensible(part)) return
    Object.defineProperty(part, NOTE, { value: this.#noteOf(field), writable: true, configurable: true })
  }

  /** Every part of an object as it is to be stored. */
  addAll(object: UnknownObject): void {
    for (const name of Object.keys(object)) this.add(ownField(object, name), name)
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
      const isSettled = old && this.#sharedWith(old, name)
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

  #noteOf(field: string): Note {
    const note = this.#notes.get(field) ?? { field }
    this.#notes.set(field, note)
    return note
  }

  #sharedWith(old: Fields, name: string): ((child: unknown, field: string) => boolean) | undefined {
    const before = ownField(old, name)
    if (!isFields(before) || !(name === 'metadata' ? this.#isStored(old) : this.has(before, name))) return undefined
    return (child, field) => isPart(child) && ownField(before, field) === child
  }

  /** True if a part beside metadata is settled: then the object came from `addAll`, and its metadata is settled, too. */
  #isStored(object: Fields): boolean {
    return Object.keys(object).some((name) => this.has(ownField(object, name), name))
  }
}

function isPart(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
