import { apiVersionOf, type Kind, resourceName } from '@/lib/kube/kind'
import type { UnknownObject } from '@/lib/kube/object'
import { keptFrom, shownIn } from '@/lib/kube/stored-form'
import { StoredEntry } from '../store/entry'
import type { Entry } from '../store/store'

/** A kind as it is served: what follows from its definition and is needed on every request. */
export interface Resource {
  kind: Kind
  /** `plural.group`: where its objects are in the store. */
  id: string
  apiVersion: string
  /**
   * True when the kind comes from a CustomResourceDefinition: other patch types, other words, other generation rules.
   */
  custom: boolean
  /** An entry as this version shows it; the same one where nothing is different. Throws 503 for one not prepared. */
  read(entry: Entry): Entry
  /** An object of this version in stored form; a promise only with a conversion webhook. */
  write(object: UnknownObject): UnknownObject | Promise<UnknownObject>
  /** A just-written entry in this version: `shown` is the written object. */
  written(entry: Entry, shown: UnknownObject): Entry
  /** Must be awaited before `read` if a webhook converts. Rejects with 500 if that fails. */
  prepare?(entries: readonly Entry[]): Promise<void>
  /** True if reading needs conversion, because of several versions or a changed schema. */
  converts: boolean
  /** Prefix of every stored object; lists of built-in kinds omit it in their items. */
  prefix: string
}

export function resourceOf(kind: Kind, form = formOf(kind)): Resource {
  const apiVersion = apiVersionOf(kind)
  return {
    kind,
    id: resourceName({ plural: kind.plural, group: kind.storedAs?.group ?? kind.group }),
    apiVersion,
    custom: kind.origin === 'crd',
    ...form,
    prefix: `{"kind":${JSON.stringify(kind.kind)},"apiVersion":${JSON.stringify(apiVersion)},`,
  }
}

/** How a version reads and writes the stored form. */
export type Form = Pick<Resource, 'read' | 'write' | 'written' | 'prepare' | 'converts'>

const AS_IT_IS: Form = { read: (entry) => entry, write: (object) => object, written: (entry) => entry, converts: false }

function formOf(kind: Kind): Form {
  if (!kind.storedAs) return AS_IT_IS
  const known = new WeakMap<Entry, Entry>()
  const read = (entry: Entry): Entry => {
    const found = known.get(entry) ?? entryShowing(entry, shownIn(kind, entry.value))
    known.set(entry, found)
    // What is shown already is not read again: it looks like an object that was stored in this version.
    known.set(found, found)
    return found
  }
  return { read, write: (object) => keptFrom(kind, object), written: read, converts: true }
}

/** The entry with its object in this version. Reading twice changes nothing. */
export function entryShowing(entry: Entry, object: UnknownObject): Entry {
  if (object === entry.value) return entry
  const { kind, apiVersion, ...rest } = object
  const value: UnknownObject = { kind, apiVersion, ...rest }
  return new StoredEntry(entry.location, entry.revision, JSON.stringify(value), value)
}

/** An object as an item of its list. */
export function itemJson(resource: Resource, entry: Entry): string {
  return resource.custom ? entry.json : `{${entry.json.slice(resource.prefix.length)}`
}

/** The key of an object: `namespace/name`, or `name`. */
export function keyIn(resource: Resource, namespace: string | undefined, name: string): string {
  return resource.kind.scope === 'Namespaced' ? `${namespace ?? ''}/${name}` : name
}
