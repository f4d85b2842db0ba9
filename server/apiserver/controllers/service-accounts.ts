/** Gives every namespace its ServiceAccount `default`, as kube-controller-manager does. */
import { isAlreadyExists } from '@/lib/kube/errors'
import type { Api } from '../api'
import { createObject } from '../registry/create'
import type { Keyspace } from '../registry/keyspace'
import { controllerWriter } from '../registry/writer'
import type { StoreEvent } from '../store/store'
import { createKeyController } from './key-controller'
import type { Controller } from './namespaces'

const NAMESPACES = 'namespaces'
const ACCOUNTS = 'serviceaccounts'
const NAME = 'default'
const writer = controllerWriter('service-account-controller')

/** Watches all key spaces. `keyspaceOf` returns undefined for a deleted key space. */
export function startServiceAccountController(
  api: Api,
  keyspaceOf: (name: string) => Keyspace | undefined,
): Controller {
  const loop = createKeyController('service-accounts', api, async (key) => {
    const [keyspace = '', namespace = ''] = key.split(' ')
    const found = keyspaceOf(keyspace)
    if (found) await ensure(api, found, namespace)
  })
  const look = ({
    entry: {
      location: { keyspace, resource, key },
    },
    type,
  }: StoreEvent): void => {
    const [namespace = '', name] = key.split('/')
    const isNew = resource === NAMESPACES && type !== 'delete'
    const isLost = resource === ACCOUNTS && type === 'delete' && name === NAME
    if ((isNew || isLost) && lacks(api, keyspace, namespace)) loop.add(`${keyspace} ${namespace}`)
  }
  const unsubscribe = api.store.subscribe((events) => events.forEach(look))
  for (const keyspace of api.store.keyspaces()) {
    for (const {
      location: { key },
    } of api.store.list({ keyspace, resource: NAMESPACES })) {
      if (lacks(api, keyspace, key)) loop.add(`${keyspace} ${key}`)
    }
  }
  return {
    close: async () => {
      unsubscribe()
      await loop.close()
    },
  }
}

/** True for a namespace that stays and has no such account. */
function lacks({ store }: Api, keyspace: string, namespace: string): boolean {
  const found = store.get({ keyspace, resource: NAMESPACES, key: namespace })
  if (!found || found.value.metadata.deletionTimestamp !== undefined) return false
  return store.get({ keyspace, resource: ACCOUNTS, key: `${namespace}/${NAME}` }) === undefined
}

async function ensure(api: Api, keyspace: Keyspace, namespace: string): Promise<void> {
  const resource = keyspace.registry.find('', 'v1', ACCOUNTS)
  if (!resource || !lacks(api, keyspace.name, namespace)) return
  const draft = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: NAME, namespace } }
  try {
    await createObject({ api, keyspace, resource }, draft as never, { writer, namespace })
  } catch (error) {
    if (!isAlreadyExists(error)) throw error
  }
}
