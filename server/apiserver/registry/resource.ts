import { apiVersionOf, type Kind, resourceName, type StoredForm } from '@/lib/kube/kind'
import type { UnknownObject } from '@/lib/kube/object'
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
  /** An entry as this version shows it; the same one where nothing is different. */
  read(entry: Entry): Entry
  /** An object of this version as it is kept. */
  write(object: UnknownObject): UnknownObject
  /** True when several versions, or a schema that changed, make reading more than taking what is there. */
  converts: boolean
  /** What every stored object begins with; lists of built-in kinds leave it out of their items. */
  prefix: string
}

export function resourceOf(kind: Kind): Resource {
  const apiVersion = apiVersionOf(kind)
  return {
    kind,
    id: resourceName({ plural: kind.plural, group: kind.storedAs?.group ?? kind.group }),
    apiVersion,
    custom: kind.origin === 'crd',
    ...formOf(kind),
    prefix: `{"kind":${JSON.stringify(kind.kind)},"apiVersion":${JSON.stringify(apiVersion)},`,
  }
}

type Form = Pick<Resource, 'read' | 'write' | 'converts'>

const AS_IT_IS: Form = { read: (entry) => entry, write: (object) => object, converts: false }

function formOf({ storedAs }: Kind): Form {
  if (!storedAs) return AS_IT_IS
  const known = new WeakMap<Entry, Entry>()
  const read = (entry: Entry): Entry => {
    const found = known.get(entry) ?? convert(entry, storedAs)
    known.set(entry, found)
    return found
  }
  return { read, write: storedAs.write, converts: true }
}

/** Reading what was read already changes nothing: it has the version by then. */
function convert(entry: Entry, { read }: StoredForm): Entry {
  const object = read(entry.value)
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
