/** Fills Secrets of type `kubernetes.io/service-account-token`, and deletes those without a service account. */
import type { Secret } from '@/lib/kube/kinds'
import type { UnknownObject } from '@/lib/kube/object'
import { ownField } from '@/lib/std/fields'
import { API_AUDIENCE } from '../access/account-tokens'
import type { Api } from '../api'
import type { Keyspace } from '../registry/keyspace'
import { removeObject } from '../registry/remove'
import { updateObject } from '../registry/update'
import { controllerWriter } from '../registry/writer'
import type { Entry, StoreEvent } from '../store/store'
import { createKeyController } from './key-controller'
import type { Controller } from './namespaces'

const SECRETS = 'secrets'
const ACCOUNTS = 'serviceaccounts'
const TYPE = 'kubernetes.io/service-account-token'
const NAME = 'kubernetes.io/service-account.name'
const UID = 'kubernetes.io/service-account.uid'
const writer = controllerWriter('tokens-controller')

interface Options {
  /** Returns undefined for a deleted key space. */
  keyspaceOf: (name: string) => Keyspace | undefined
  /** The certificate (PEM) by which clients know this server. */
  authority: string | undefined
}

/** Watches every keyspace. */
export function startTokenSecrets(api: Api, { keyspaceOf, authority }: Options): Controller {
  const loop = createKeyController('token-secrets', api, async (key) => {
    const [keyspace = '', name = ''] = key.split(' ')
    const found = keyspaceOf(keyspace)
    if (found) await settle(api, found, { key: name, authority })
  })
  const add = ({ location: { keyspace, key } }: Entry): void => loop.add(`${keyspace} ${key}`)
  const look = ({ type, entry }: StoreEvent): void => {
    const { keyspace, resource, key } = entry.location
    if (resource === SECRETS && type === 'put' && isTokenSecret(entry)) add(entry)
    if (resource !== ACCOUNTS) return
    const [namespace = '', account] = key.split('/')
    secretsIn(api, keyspace, namespace)
      .filter(({ value }) => accountOf(value) === account)
      .forEach(add)
  }
  const unsubscribe = api.store.subscribe((events) => events.forEach(look))
  for (const keyspace of api.store.keyspaces()) secretsIn(api, keyspace).forEach(add)
  return {
    close: async () => {
      unsubscribe()
      await loop.close()
    },
  }
}

const isTokenSecret = ({ value }: Entry): boolean => (value as unknown as Secret).type === TYPE

function secretsIn({ store }: Api, keyspace: string, namespace?: string): Entry[] {
  return store.list({ keyspace, resource: SECRETS }, namespace === undefined ? {} : { namespace }).filter(isTokenSecret)
}

const accountOf = ({ metadata }: UnknownObject): string => ownField(metadata.annotations ?? {}, NAME) ?? ''

async function settle(
  api: Api,
  keyspace: Keyspace,
  { key, authority }: { key: string; authority: string | undefined },
): Promise<void> {
  const resource = keyspace.registry.find('', 'v1', SECRETS)
  const entry = api.store.get({ keyspace: keyspace.name, resource: SECRETS, key })
  if (!resource || !entry || !isTokenSecret(entry) || entry.value.metadata.deletionTimestamp !== undefined) return
  const scope = { api, keyspace, resource }
  const { namespace = '' } = entry.value.metadata
  const account = api.store.get({
    keyspace: keyspace.name,
    resource: ACCOUNTS,
    key: `${namespace}/${accountOf(entry.value)}`,
  })
  const { uid } = account?.value.metadata ?? {}
  const of = ownField(entry.value.metadata.annotations ?? {}, UID) ?? uid
  if (uid === undefined || of !== uid) return void (await removeObject(scope, entry, { writer }))
  const change = (current: UnknownObject): UnknownObject => filled(api, keyspace, { current, uid, authority })
  await updateObject(scope, entry, { writer, change })
}

interface Filling {
  current: UnknownObject
  uid: string
  authority: string | undefined
}

/** Returns the Secret with its missing data. */
function filled(api: Api, { name: keyspace }: Keyspace, { current, uid, authority }: Filling): UnknownObject {
  const { metadata } = current
  const { data = {} } = current as unknown as Secret
  const { namespace = '', name } = metadata
  const account = { name: accountOf(current), uid }
  const token = (): string =>
    api.access.accountTokens.issue({
      keyspace,
      namespace,
      account,
      bound: { kind: 'Secret', name, uid: metadata.uid },
      audiences: [API_AUDIENCE],
      issuedAt: Math.floor(api.clock.now() / 1000),
      id: api.uid(),
    })
  return {
    ...current,
    metadata: { ...metadata, annotations: { ...metadata.annotations, [UID]: uid } },
    data: {
      ...(authority !== undefined && { 'ca.crt': encoded(authority) }),
      namespace: encoded(namespace),
      token: data.token ?? encoded(token()),
      ...data,
    },
  } as unknown as UnknownObject
}

const encoded = (text: string): string => Buffer.from(text).toString('base64')
