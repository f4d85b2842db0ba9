import type { UnknownObject } from '@/lib/kube/object'
import type { Entry, Location } from './store'

/** An entry whose object is parsed when somebody looks at it, so that a large file loads fast. */
export class StoredEntry implements Entry {
  #value: UnknownObject | undefined

  constructor(
    readonly location: Location,
    readonly revision: number,
    readonly json: string,
    value?: UnknownObject,
  ) {
    this.#value = value
  }

  get value(): UnknownObject {
    this.#value ??= JSON.parse(this.json) as UnknownObject
    return this.#value
  }

  /** Lets go of the parsed object; it is parsed again when needed. */
  release(): void {
    this.#value = undefined
  }
}

/** The entry of a write: the object stamped with its revision, and serialised once for everybody who will read it. */
export function stamp(location: Location, value: UnknownObject, revision: number): StoredEntry {
  const { apiVersion, kind, metadata, ...rest } = value
  const stamped: UnknownObject = {
    kind, apiVersion, metadata: { ...metadata, resourceVersion: String(revision) }, ...rest,
  }
  return new StoredEntry(location, revision, JSON.stringify(stamped), stamped)
}
