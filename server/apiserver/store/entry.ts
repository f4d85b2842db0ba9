import type { UnknownObject } from '@/lib/kube/object'
import type { Entry, Location } from './store'

/**
 * An entry whose object is parsed on first use, so that a large file loads fast. It holds the text, the object or both:
 * each is derived from the other.
 */
export class StoredEntry implements Entry {
  readonly size: number
  #json: string | undefined
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
    return this.#json ?? JSON.stringify(this.#value)
  }

  get value(): UnknownObject {
    this.#value ??= JSON.parse(this.json) as UnknownObject
    return this.#value
  }

  mayHave(field: string): boolean {
    return this.#json?.includes(`"${field}"`) ?? true
  }

  release(): void {
    if (this.#json !== undefined) this.#value = undefined
  }

  releaseText(): void {
    if (this.#value !== undefined) this.#json = undefined
  }
}

/** etcd's default request limit: an object that fits here also fits a real control plane. */
const MAX_BYTES = 1.5 * 1024 * 1024
const MAX_BYTES_PER_UNIT = 3

/** True for an object, as JSON, that no store of this form takes. */
export function isTooLarge(json: string): boolean {
  return json.length * MAX_BYTES_PER_UNIT > MAX_BYTES && Buffer.byteLength(json) > MAX_BYTES
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
