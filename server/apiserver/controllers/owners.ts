/** Dependents by the UID of their owner, per keyspace. */
import type { OwnerReference } from '@/lib/kube/object'
import type { Entry, Location, StoreEvent } from '../store/store'

export interface Owners {
  /** Returns the locations of objects that name this owner. */
  dependentsOf(keyspace: string, uid: string): Location[]
  note(event: Pick<StoreEvent, 'type' | 'entry' | 'previous'>): void
}

/** Returns the owner references of an object. Most objects have none, and most of those are not parsed for it. */
export function ownersOf(entry: Entry): readonly OwnerReference[] {
  return entry.json.includes('"ownerReferences"') ? (entry.value.metadata.ownerReferences ?? []) : []
}

export function createOwners(): Owners {
  const dependents = new Map<string, Map<string, Location>>()
  const idOf = (location: Location): string => `${location.resource} ${location.key}`
  const forget = (entry: Entry): void => {
    for (const { uid } of ownersOf(entry)) {
      const key = `${entry.location.keyspace} ${uid}`
      const known = dependents.get(key)
      known?.delete(idOf(entry.location))
      if (known?.size === 0) dependents.delete(key)
    }
  }
  const remember = (entry: Entry): void => {
    for (const { uid } of ownersOf(entry)) {
      const key = `${entry.location.keyspace} ${uid}`
      const known = dependents.get(key) ?? new Map<string, Location>()
      known.set(idOf(entry.location), entry.location)
      dependents.set(key, known)
    }
  }
  return {
    dependentsOf: (keyspace, uid) => [...(dependents.get(`${keyspace} ${uid}`)?.values() ?? [])],
    note: ({ type, entry, previous }) => {
      if (previous) forget(previous)
      if (type === 'put') remember(entry)
    },
  }
}
