/** Empties namespaces that are going away, and lets them go once they are empty. */
import type { UnknownObject } from '@/lib/kube/object'
import { formatTime, parseTime } from '@/lib/std/clock'
import type { Api } from '../api'
import { namespaceFinalizers } from '../registry/namespaces'
import type { Keyspace } from '../registry/keyspace'
import { removeObject } from '../registry/remove'
import { isGone } from '../registry/update'
import { controllerWriter } from '../registry/writer'
import type { Entry, StoreEvent } from '../store/store'
import { createKeyController } from './key-controller'

const NAMESPACES = 'namespaces'
const OWN_FINALIZER = 'kubernetes'
const writer = controllerWriter('namespace-controller')

export interface Controller {
  close(): Promise<void>
}

/** Watches all key spaces. `keyspaceOf` returns undefined for a deleted key space. */
export function startNamespaceController(api: Api, keyspaceOf: (name: string) => Keyspace | undefined): Controller {
  const loop = createKeyController('namespaces', api, async (key) => {
    const [keyspace = '', namespace = ''] = key.split(' ')
    const found = keyspaceOf(keyspace)
    const wait = found ? await terminate(api, found, namespace) : 0
    if (wait > 0) loop.addAfter(key, wait)
  })
  const terminating = (keyspace: string, namespace: string): boolean =>
    api.store.get({ keyspace, resource: NAMESPACES, key: namespace })?.value.metadata.deletionTimestamp !== undefined
  const look = ({ entry: { location }, type }: StoreEvent): void => {
    const { keyspace, resource, key } = location
    const namespace =
      resource === NAMESPACES ? key : type === 'delete' ? key.slice(0, Math.max(0, key.indexOf('/'))) : ''
    if (namespace !== '' && terminating(keyspace, namespace)) loop.add(`${keyspace} ${namespace}`)
  }
  const unsubscribe = api.store.subscribe((events) => events.forEach(look))
  for (const keyspace of api.store.keyspaces()) {
    for (const { location } of api.store.list({ keyspace, resource: NAMESPACES })) {
      if (terminating(keyspace, location.key)) loop.add(`${keyspace} ${location.key}`)
    }
  }
  return {
    close: async () => {
      unsubscribe()
      await loop.close()
    },
  }
}

/** Returns the delay of the next attempt in milliseconds; 0 when no further attempt is needed. */
async function terminate(api: Api, keyspace: Keyspace, namespace: string): Promise<number> {
  const delay = api.upstream ? patienceLeft(api, keyspace, namespace) : 0
  if (delay > 0) return delay
  const remaining = await empty(api, keyspace, namespace)
  const resource = keyspace.registry.find('', 'v1', NAMESPACES)
  const entry = api.store.get({ keyspace: keyspace.name, resource: NAMESPACES, key: namespace })
  if (remaining > 0 || !resource || !entry?.value.metadata.deletionTimestamp) return 0
  const finalizers = namespaceFinalizers(entry.value)
  if (!finalizers.includes(OWN_FINALIZER) && !isGone({ api, keyspace, resource }, entry.value)) return 0
  const isHeld = finalizers.length > 1 || (entry.value.metadata.finalizers ?? []).length > 0
  const wait = isHeld ? patienceLeft(api, keyspace, namespace) : 0
  if (wait > 0) return wait
  const next = released(api, entry.value)
  if (isGone({ api, keyspace, resource }, next)) await api.store.delete(entry.location, next, entry.revision)
  else await api.store.put(entry.location, next, entry.revision)
  return 0
}

/**
 * Delay of the controller manager before it handles a deletion. Here it applies only to namespaces with other
 * finalizers, whose owners may expect to see the whole namespace; with `upstream` to all, and to their contents.
 */
const TIMEOUT_MS = 5000

function patienceLeft({ clock, store }: Api, { name }: Keyspace, namespace: string): number {
  const entry = store.get({ keyspace: name, resource: NAMESPACES, key: namespace })
  const since = entry?.value.metadata.deletionTimestamp
  return since === undefined ? 0 : Math.max(0, parseTime(since) + TIMEOUT_MS - clock.now())
}

/** Deletes the contents; answers how many objects are still there, held by finalizers or a grace period. */
async function empty(api: Api, keyspace: Keyspace, namespace: string): Promise<number> {
  const outcomes = keyspace.registry.stored
    .filter(({ kind }) => kind.scope === 'Namespaced')
    .flatMap((resource) => {
      const entries = api.store.list({ keyspace: keyspace.name, resource: resource.id }, { namespace })
      const remove = async (entry: Entry): Promise<boolean> => {
        if (entry.value.metadata.deletionTimestamp !== undefined) return false
        return (await removeObject({ api, keyspace, resource }, entry, { writer, propagation: 'Background' })).gone
      }
      return entries.map(remove)
    })
  return (await Promise.all(outcomes)).filter((gone) => !gone).length
}

/** Returns the namespace without this server's finalizer, and with conditions that state the reason. */
function released(api: Api, namespace: UnknownObject): UnknownObject {
  const finalizers = namespaceFinalizers(namespace).filter((name) => name !== OWN_FINALIZER)
  const lastTransitionTime = formatTime(api.clock.now())
  const conditions = CONDITIONS.map(([type, reason, message]) => ({
    type,
    status: 'False',
    lastTransitionTime,
    reason,
    message,
  }))
  return {
    ...namespace,
    spec: finalizers.length > 0 ? { finalizers } : {},
    status: { ...(namespace.status as object), conditions },
  }
}

const CONDITIONS = [
  ['NamespaceDeletionDiscoveryFailure', 'ResourcesDiscovered', 'All resources successfully discovered'],
  ['NamespaceDeletionGroupVersionParsingFailure', 'ParsedGroupVersions', 'All legacy kube types successfully parsed'],
  [
    'NamespaceDeletionContentFailure',
    'ContentDeleted',
    'All content successfully deleted, may be waiting on finalization',
  ],
  ['NamespaceContentRemaining', 'ContentRemoved', 'All content successfully removed'],
  ['NamespaceFinalizersRemaining', 'ContentHasNoFinalizers', 'All content-preserving finalizers finished'],
] as const
