/** Gives every namespace its ServiceAccount `default`, as kube-controller-manager does. */
import { isAlreadyExists } from '@/lib/kube/errors'
import type { Api } from '../api'
import { createObject } from '../registry/create'
import type { Realm } from '../registry/realm'
import { loopWriter } from '../registry/writer'
import type { StoreEvent } from '../store/store'
import { createKeyLoop } from './key-loop'
import type { Controller } from './namespaces'

const NAMESPACES = 'namespaces'
const ACCOUNTS = 'serviceaccounts'
const NAME = 'default'
const writer = loopWriter('service-account-controller')

/** Watches every realm. `realmOf` answers undefined for one that is gone. */
export function startServiceAccountController(api: Api, realmOf: (name: string) => Realm | undefined): Controller {
  const loop = createKeyLoop('service-accounts', api, async (key) => {
    const [realm = '', namespace = ''] = key.split(' ')
    const found = realmOf(realm)
    if (found) await ensure(api, found, namespace)
  })
  const look = ({ entry: { location: { realm, resource, key } }, type }: StoreEvent): void => {
    const [namespace = '', name] = key.split('/')
    const isNew = resource === NAMESPACES && type !== 'delete'
    const isLost = resource === ACCOUNTS && type === 'delete' && name === NAME
    if ((isNew || isLost) && lacks(api, realm, namespace)) loop.add(`${realm} ${namespace}`)
  }
  const unsubscribe = api.store.subscribe((events) => events.forEach(look))
  for (const realm of api.store.realms()) {
    for (const { location: { key } } of api.store.list({ realm, resource: NAMESPACES })) {
      if (lacks(api, realm, key)) loop.add(`${realm} ${key}`)
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
function lacks({ store }: Api, realm: string, namespace: string): boolean {
  const found = store.get({ realm, resource: NAMESPACES, key: namespace })
  if (!found || found.value.metadata.deletionTimestamp !== undefined) return false
  return store.get({ realm, resource: ACCOUNTS, key: `${namespace}/${NAME}` }) === undefined
}

async function ensure(api: Api, realm: Realm, namespace: string): Promise<void> {
  const resource = realm.registry.find('', 'v1', ACCOUNTS)
  if (!resource || !lacks(api, realm.name, namespace)) return
  const draft = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: NAME, namespace } }
  try {
    await createObject({ api, realm, resource }, draft as never, { writer, namespace })
  } catch (error) {
    if (!isAlreadyExists(error)) throw error
  }
}
