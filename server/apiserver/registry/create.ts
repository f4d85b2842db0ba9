/** A new object: defaulted, admitted, validated, given an identity, written. */
import { kubeError } from '@/lib/kube/errors'
import { resourceName } from '@/lib/kube/kind'
import { customResourceDefinition } from '@/lib/kube/kinds'
import type { ObjectMeta, UnknownObject } from '@/lib/kube/object'
import { carryingOn } from '@/lib/kube/stored-form'
import { omit } from '@/lib/std/omit'
import { refuseEscalation } from '../access/grants'
import { refuseBadRequest, withRequester } from '../certificates/entitlement'
import type { Review } from '../admission/webhook'
import type { Scope } from '../api'
import { alreadyExists, internal } from '../failures'
import { LongWork } from '../long-work'
import { StoredEntry } from '../store/entry'
import type { Entry, Location } from '../store/store'
import { ownersOfNew, withOwners } from './managed-fields'
import { generateName, newMetadata, withMetadata } from './metadata'
import { refuseClosedNamespace } from './namespaces'
import { refuseTooMany } from './object-count'
import { quotaUsageFor, putTogether } from './quota'
import { keyIn } from './resource'
import { admitNew, completed } from './rules'
import { withAddresses } from './service-addresses'
import { reviewSpread } from './spreads'
import type { Writer } from './writer'

export interface CreateOptions {
  writer: Writer
  namespace?: string
  dryRun?: boolean
  /** Called with a valid object, before anything is written. */
  onValid?: (object: UnknownObject) => void
  /** The draft has its final `managedFields`; otherwise its writer owns its fields. */
  ownersGiven?: boolean
}

const DEFINITIONS = resourceName(customResourceDefinition)

/** Creates an object. Rejects with 404 (namespace), 403 (namespace terminating, admission), 409 and 422. */
export async function createObject(scope: Scope, draft: UnknownObject, options: CreateOptions): Promise<Entry> {
  const { api, resource } = scope
  const work = new LongWork(options.writer.large === true)
  if (options.namespace !== undefined) refuseClosedNamespace(scope, options.namespace, nameSent(draft))
  if (resource.custom) refuseTerminatingKind(scope)
  const admission = api.admission.admissionFor(scope, reviewOf(draft, options))
  const admitted = admission ? await admission.mutate(completed(scope, createdObject(draft, options.namespace))) : draft
  const object: UnknownObject = {
    ...withRequester(scope, admitted, options.writer.caller),
    metadata: newMetadata(api, named(scope, admitted.metadata ?? {}, options.namespace), options.namespace),
  }
  const { name } = object.metadata
  const owners = ownersIn(scope, draft, options)
  if (work.isLong) await work.pause()
  const valid = withOwners(admitNew(scope, object, options), owners)
  options.onValid?.(valid)
  if (draft.metadata?.resourceVersion && !options.dryRun)
    throw internal('resourceVersion should not be set on objects to be created', '')
  if (work.isLong) await work.pause()
  const ready = carryingOn(withAddresses(scope, valid), admitted)
  refuseEscalation(scope, options.writer.caller, { next: ready })
  refuseBadRequest(scope, ready)
  if (admission) await admission.validate(ready)
  if ((admission || work.hasPaused) && options.namespace !== undefined)
    refuseClosedNamespace(scope, options.namespace, name)
  return keep(scope, options.dryRun ? withVersionOf(draft, ready) : ready, options)
}

/** A dry run repeats the version that a new object may not have. */
function withVersionOf({ metadata }: UnknownObject, ready: UnknownObject): UnknownObject {
  const { resourceVersion } = metadata ?? {}
  return resourceVersion ? withMetadata(ready, { resourceVersion }) : ready
}

/** How often a name is made up before the writer hears that it is taken. */
const NAMING_TRIES = 8

/** With a made-up name that is free, where only its beginning was given. Webhooks have counted the object by now. */
function named(scope: Scope, metadata: Partial<ObjectMeta>, namespace: string | undefined): Partial<ObjectMeta> {
  const { api, keyspace, resource } = scope
  const { name: given, generateName: base } = metadata
  if (given || !base) return metadata
  let name = generateName(base, api.random)
  const isTaken = (): boolean =>
    api.store.get({ keyspace: keyspace.name, resource: resource.id, key: keyIn(resource, namespace, name) })
    !== undefined
  for (let tries = 1; tries < NAMING_TRIES && isTaken(); tries++) name = generateName(base, api.random)
  return { ...metadata, name }
}

/** No other write happens between the lookup of that name and this write. */
async function keep({ api, keyspace, resource }: Scope, ready: UnknownObject, options: CreateOptions): Promise<Entry> {
  const { name } = ready.metadata
  const kept = resource.write(ready)
  const value = kept instanceof Promise ? await kept : kept
  reviewSpread({ api, keyspace, resource }, value)
  const location: Location = {
    keyspace: keyspace.name,
    resource: resource.id,
    key: keyIn(resource, options.namespace, name),
  }
  const present = api.store.get(location)
  if (present) throw alreadyExists(resource.kind, name, present.value.metadata.deletionTimestamp !== undefined)
  if (options.namespace !== undefined)
    refuseTooMany({ api, keyspace, resource }, options.namespace, { name, caller: options.writer.caller })
  const charges = quotaUsageFor({ api, keyspace, resource }, ready)
  if (options.dryRun) return unwritten(location, ready)
  return resource.written(await putTogether(api.store, charges, { location, value, expected: 0 }), ready)
}

/** A new object as sent to webhooks: with its namespace, without fields that only the server sets. */
function createdObject(draft: UnknownObject, namespace: string | undefined): UnknownObject {
  const sent = omit(draft.metadata, 'uid', 'creationTimestamp', 'deletionTimestamp', 'selfLink')
  return { ...draft, metadata: { ...sent, ...(namespace !== undefined && { namespace }) } } as UnknownObject
}

/** Objects of a kind whose definition is being deleted cannot be created. Throws 405. */
function refuseTerminatingKind({ api, keyspace, resource: { id, kind } }: Scope): void {
  const definition = api.store.get({ keyspace: keyspace.name, resource: DEFINITIONS, key: id })
  if (definition?.value.metadata.deletionTimestamp === undefined) return
  const why = 'create not allowed while custom resource definition is terminating'
  throw kubeError(405, 'MethodNotAllowed', why, { group: kind.group, kind: kind.plural })
}

function ownersIn(scope: Scope, draft: UnknownObject, { writer, ownersGiven }: CreateOptions): unknown[] | undefined {
  return ownersGiven ? draft.metadata.managedFields : ownersOfNew(scope, draft, writer)
}

/** How a refusal names an object that has no name of its own yet. */
function nameSent({ metadata }: UnknownObject): string {
  return metadata?.name || metadata?.generateName || 'Unknown'
}

function reviewOf({ metadata }: UnknownObject, { namespace, writer, dryRun = false }: CreateOptions): Review {
  return { operation: 'CREATE', name: metadata?.name ?? '', namespace, writer, dryRun }
}

/** The object of a dry run. A new one has no version. */
export function unwritten(location: Location, object: UnknownObject): Entry {
  const { resourceVersion, ...metadata } = object.metadata ?? {}
  const shown = { ...object, metadata: resourceVersion ? object.metadata : metadata } as UnknownObject
  const { apiVersion, kind, ...rest } = shown
  const value = { kind, apiVersion, ...rest } as UnknownObject
  return new StoredEntry(location, Number(resourceVersion || 0), JSON.stringify(value), value)
}
