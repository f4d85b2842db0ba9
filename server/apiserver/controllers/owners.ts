/** Dependents by the UID of their owner, per keyspace. */
import type { OwnerReference } from '@/lib/kube/object'
import type { Entry, Location, StoreEvent } from '../store/store'

export interface Owners {
  /** Returns the locations of objects that name this owner. */
  dependentsOf(keyspace: string, uid: string): Location[]
  /** Reports whether the deletion of this owner was seen while it had dependents. */
  isGone(keyspace: string, uid: string): boolean
  /** Takes a write or a deletion; returns whether it gave the object owners, or other owners than before. */
  note(event: Noted): boolean
}

type Noted = Pick<StoreEvent, 'type' | 'entry' | 'previous'>

/** Returns the owner references of an object. Most objects have none, and most of those are not parsed for it. */
export function ownersOf(entry: Entry): readonly OwnerReference[] {
  return entry.mayHave('ownerReferences') ? (entry.value.metadata.ownerReferences ?? []) : []
}

/** Reports whether a write left the owner references as they were, which nearly all writes do. */
function keepsOwners({ type, entry, previous }: Noted): boolean {
  if (type !== 'put' || !previous) return false
  const [before, after] = [ownersOf(previous), ownersOf(entry)]
  return before.length === after.length && before.every(({ uid }, at) => uid === after[at]?.uid)
}

/** As kube-controller-manager remembers. */
const MAX_GONE = 500

export function createOwners(): Owners {
  const gone = new Set<string>()
  const leave = ({ location, value }: Entry): void => {
    const key = `${location.keyspace} ${value.metadata.uid}`
    if (!dependents.has(key)) return
    gone.add(key)
    for (const oldest of gone) if (gone.size > MAX_GONE) gone.delete(oldest)
  }
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
  const remember = (location: Location, owners: readonly OwnerReference[]): void => {
    for (const { uid } of owners) {
      const key = `${location.keyspace} ${uid}`
      const known = dependents.get(key) ?? new Map<string, Location>()
      known.set(idOf(location), location)
      dependents.set(key, known)
    }
  }
  return {
    dependentsOf: (keyspace, uid) => [...(dependents.get(`${keyspace} ${uid}`)?.values() ?? [])],
    isGone: (keyspace, uid) => gone.has(`${keyspace} ${uid}`),
    note: (event) => {
      if (keepsOwners(event)) return false
      const { type, entry, previous } = event
      if (type === 'delete') leave(entry)
      if (previous) forget(previous)
      if (type === 'delete') return false
      const owners = ownersOf(entry)
      remember(entry.location, owners)
      return owners.length > 0
    },
  }
}
