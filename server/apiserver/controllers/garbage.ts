/**
 * Deletes objects whose owners were deleted. Foreground deletion waits for the dependents; orphaning removes the
 * references first. Works within each keyspace.
 */
import type { OwnerReference, UnknownObject } from '@/lib/kube/object'
import type { Api, Scope } from '../api'
import { withMetadata } from '../registry/metadata'
import type { Keyspace } from '../registry/keyspace'
import { FOREGROUND_FINALIZER, ORPHAN_FINALIZER, removeObject } from '../registry/remove'
import { keyIn } from '../registry/resource'
import { updateObject } from '../registry/update'
import { controllerWriter } from '../registry/writer'
import type { Entry, Location, StoreEvent } from '../store/store'
import { createKeyController } from './key-controller'
import type { Controller } from './namespaces'
import { createOwners, type Owners, ownersOf } from './owners'

const writer = controllerWriter('generic-garbage-collector')

interface Collector {
  api: Api
  owners: Owners
  keyspaceOf: (name: string) => Keyspace | undefined
}

export function startGarbageCollector(api: Api, keyspaceOf: (name: string) => Keyspace | undefined): Controller {
  const owners = createOwners()
  const collector: Collector = { api, owners, keyspaceOf }
  const loop = createKeyController('garbage', api, (key) => examine(collector, parseId(key)))
  const look = (event: StoreEvent): void => {
    const hasNewOwners = owners.note(event)
    const { entry, type } = event
    const { keyspace } = entry.location
    if (type === 'put' && (hasNewOwners || waits(entry))) loop.add(idOf(entry.location))
    if (type !== 'delete') return
    for (const dependent of owners.dependentsOf(keyspace, entry.value.metadata.uid)) loop.add(idOf(dependent))
    for (const owner of ownersOf(entry)) {
      for (const location of locate(collector, entry, owner)) loop.add(idOf(location))
    }
  }
  for (const keyspace of api.store.keyspaces()) {
    for (const entry of api.store.scan(keyspace)) {
      look({ type: 'put', revision: entry.revision, entry, previous: undefined })
    }
  }
  const unsubscribe = api.store.subscribe((events) => events.forEach(look))
  return {
    close: async () => {
      unsubscribe()
      await loop.close()
    },
  }
}

/** True for a terminating object that the collector has to release. */
function waits(entry: Entry): boolean {
  if (!entry.mayHave('deletionTimestamp')) return false
  const { deletionTimestamp, finalizers = [] } = entry.value.metadata
  return (
    deletionTimestamp !== undefined
    && (finalizers.includes(ORPHAN_FINALIZER) || finalizers.includes(FOREGROUND_FINALIZER))
  )
}

async function examine(collector: Collector, location: Location): Promise<void> {
  const entry = collector.api.store.get(location)
  const scope = entry && scopeOf(collector, entry)
  if (!entry || !scope) return
  const { deletionTimestamp, finalizers = [] } = entry.value.metadata
  if (deletionTimestamp === undefined) return collectIfOrphaned(collector, scope, entry)
  if (finalizers.includes(ORPHAN_FINALIZER)) return orphanDependents(collector, scope, entry)
  if (finalizers.includes(FOREGROUND_FINALIZER)) return deleteDependents(collector, scope, entry)
}

/** Deletes an object when all its owners are gone; removes references to absent owners while others exist. */
async function collectIfOrphaned(collector: Collector, scope: Scope, entry: Entry): Promise<void> {
  const references = ownersOf(entry)
  const absent = new Set(references.filter((owner) => !exists(collector, entry, owner)).map(({ uid }) => uid))
  if (absent.size === 0) return
  if (references.every(({ uid }) => absent.has(uid))) {
    const preconditions = { uid: entry.value.metadata.uid }
    await removeObject(scope, entry, { writer, propagation: 'Background', preconditions })
  } else await forgetOwners(scope, entry, absent)
}

async function orphanDependents(collector: Collector, scope: Scope, owner: Entry): Promise<void> {
  const { uid } = owner.value.metadata
  for (const location of collector.owners.dependentsOf(scope.keyspace.name, uid)) {
    const dependent = collector.api.store.get(location)
    const own = dependent && scopeOf(collector, dependent)
    if (dependent && own) {
      await forgetOwners(own, dependent, new Set([uid]))
    }
  }
  await release(collector, scope, owner, ORPHAN_FINALIZER)
}

async function deleteDependents(collector: Collector, scope: Scope, owner: Entry): Promise<void> {
  const { uid } = owner.value.metadata
  for (const location of collector.owners.dependentsOf(scope.keyspace.name, uid)) {
    const dependent = collector.api.store.get(location)
    const own = dependent && scopeOf(collector, dependent)
    if (dependent && own && !dependent.value.metadata.deletionTimestamp) {
      await removeObject(own, dependent, { writer, propagation: 'Foreground' })
    }
  }
  const blocking = collector.owners
    .dependentsOf(scope.keyspace.name, uid)
    .some((location) => blocks(collector.api.store.get(location), uid))
  if (!blocking) await release(collector, scope, owner, FOREGROUND_FINALIZER)
}

function blocks(dependent: Entry | undefined, uid: string): boolean {
  return (
    dependent !== undefined
    && ownersOf(dependent).some((owner) => owner.uid === uid && owner.blockOwnerDeletion === true)
  )
}

async function release(collector: Collector, scope: Scope, entry: Entry, finalizer: string): Promise<void> {
  const current = collector.api.store.get(entry.location)
  if (!current) return
  const change = (held: UnknownObject): UnknownObject =>
    withMetadata(held, { finalizers: (held.metadata.finalizers ?? []).filter((name) => name !== finalizer) })
  await updateObject(scope, current, { writer, change })
}

async function forgetOwners(scope: Scope, entry: Entry, uids: ReadonlySet<string>): Promise<void> {
  const change = (owned: UnknownObject): UnknownObject =>
    withMetadata(owned, { ownerReferences: (owned.metadata.ownerReferences ?? []).filter(({ uid }) => !uids.has(uid)) })
  await updateObject(scope, entry, { writer, change })
}

/**
 * Reports whether an owner exists. An owner of a kind that is not served counts as present, because its absence is
 * unproven, unless its deletion was seen: a CustomResourceDefinition goes soon after its last object.
 */
function exists(collector: Collector, entry: Entry, owner: OwnerReference): boolean {
  if (collector.owners.isGone(entry.location.keyspace, owner.uid)) return false
  const places = locate(collector, entry, owner)
  return (
    places.length === 0
    || places.some((location) => collector.api.store.get(location)?.value.metadata.uid === owner.uid)
  )
}

function locate({ keyspaceOf }: Collector, entry: Entry, owner: OwnerReference): Location[] {
  const { keyspace } = entry.location
  const resource = keyspaceOf(keyspace)?.registry.ofObject(owner.apiVersion, owner.kind)
  if (!resource) return []
  return [{ keyspace, resource: resource.id, key: keyIn(resource, entry.value.metadata.namespace, owner.name) }]
}

function scopeOf({ api, keyspaceOf }: Collector, entry: Entry): Scope | undefined {
  const keyspace = keyspaceOf(entry.location.keyspace)
  const resource = keyspace?.registry.inStore(entry.location.resource)
  return keyspace && resource && { api, keyspace, resource }
}

function idOf({ keyspace, resource, key }: Location): string {
  return `${keyspace} ${resource} ${key}`
}

function parseId(id: string): Location {
  const [keyspace = '', resource = '', key = ''] = id.split(' ')
  return { keyspace, resource, key }
}
