import type { UnknownObject } from '@/lib/kube/object'
import type { Entry, Location } from './store'
import type { PagedText, TextPages } from './text-pages'

/**
 * An entry whose object is parsed on first use, so that a large file loads fast. It holds the text, the object or both:
 * each is derived from the other. The text is a string or in a page.
 */
export class StoredEntry implements Entry {
  readonly size: number
  #json: string | undefined
  #paged: PagedText | undefined
  #value: UnknownObject | undefined

  constructor(
    readonly location: Location,
    readonly revision: number,
    json: string,
    value?: UnknownObject,
  ) {
    this.size = json.length
    this.#json = json
    this.#value = value
  }

  get json(): string {
    return this.#json ?? this.#paged?.read() ?? JSON.stringify(this.#value)
  }

  get value(): UnknownObject {
    this.#value ??= JSON.parse(this.json) as UnknownObject
    return this.#value
  }

  mayHave(field: string): boolean {
    // Looking at an object that is parsed costs less than reading its text from a page.
    if (this.#json === undefined && this.#value !== undefined) return true
    return this.json.includes(`"${field}"`)
  }

  release(): void {
    if (this.#json !== undefined || this.#paged) this.#value = undefined
  }

  /** Moves the text of a new version into a page. */
  keepIn(pages: TextPages): void {
    if (this.#json === undefined) return
    this.#paged = pages.keep(this.#json)
    if (this.#paged) this.#json = undefined
  }

  /** Leaves the page of the text. An object that is parsed is serialized again when needed. */
  leavePage(): void {
    const paged = this.#paged
    if (!paged) return
    if (this.#value === undefined) this.#json = paged.read()
    this.#paged = undefined
    paged.free()
  }
}

/** The entry of a write: the object with its revision, serialised once for all readers. */
export function stamp(location: Location, value: UnknownObject, revision: number): StoredEntry {
  const { apiVersion, kind, metadata, ...rest } = value
  const stamped: UnknownObject = {
    kind,
    apiVersion,
    metadata: { ...metadata, resourceVersion: String(revision) },
    ...rest,
  }
  return new StoredEntry(location, revision, JSON.stringify(stamped), stamped)
}
