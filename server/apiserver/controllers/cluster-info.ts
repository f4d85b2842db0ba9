/**
 * Maintains the ConfigMap `cluster-info`, which joining clusters read without credentials: signs it with each bootstrap
 * token and removes expired tokens.
 */
import { createHmac } from 'node:crypto'
import type { ConfigMap } from '@/lib/kube/kinds'
import type { UnknownObject } from '@/lib/kube/object'
import { parseTime } from '@/lib/std/clock'
import { type BootstrapToken, BOOTSTRAP_NAMESPACE, bootstrapTokenIn, hasExpired } from '../access/bootstrap-tokens'
import type { Api } from '../api'
import type { Keyspace } from '../registry/keyspace'
import { removeObject } from '../registry/remove'
import { updateObject } from '../registry/update'
import { controllerWriter } from '../registry/writer'
import type { Entry, StoreEvent } from '../store/store'
import { createKeyController } from './key-controller'
import type { Controller } from './namespaces'
import { allowReading, configMapsOf, publishData, scopeOf } from './published'

const NAMESPACE = 'kube-public'
const NAME = 'cluster-info'
const KEY = `${NAMESPACE}/${NAME}`
const SIGNATURE = 'jws-kubeconfig-'
const writer = controllerWriter('bootstrap-signer')

/** How this server is reached. */
export interface Address {
  url: string
  /** The certificate (PEM) by which clients know it. */
  authority: string
}

/** Writes the ConfigMap and its readers if they are missing, and keeps its signatures. */
export async function startClusterInfo(api: Api, keyspace: Keyspace, address: Address): Promise<Controller> {
  await publish(api, keyspace, address)
  const loop = createKeyController('cluster-info', api, async (key) => {
    const next = await sweep(api, keyspace)
    await sign(api, keyspace)
    if (next !== undefined) loop.addAfter(key, Math.max(1, next - api.clock.now()))
  })
  const look = ({ entry }: StoreEvent): void => {
    const { keyspace: where, resource, key } = entry.location
    if (where !== '') return
    if ((resource === 'secrets' && bootstrapTokenIn(entry)) || (resource === 'configmaps' && key === KEY))
      loop.add(NAME)
  }
  const unsubscribe = api.store.subscribe((events) => events.forEach(look))
  loop.add(NAME)
  return {
    close: async () => {
      unsubscribe()
      await loop.close()
    },
  }
}

async function publish(api: Api, keyspace: Keyspace, { url, authority }: Address): Promise<void> {
  const data = { kubeconfig: clusterOnly(url, authority) }
  await publishData(api, keyspace, { namespace: NAMESPACE, name: NAME, data })
  await allowReading(api, keyspace, {
    namespace: NAMESPACE,
    name: 'system:karmada:bootstrap-signer-clusterinfo',
    configMap: NAME,
    verbs: ['get'],
    subjects: [{ kind: 'User', name: 'system:anonymous' }],
    labels: { 'karmada.io/bootstrapping': 'rbac-defaults' },
  })
}

/** A kubeconfig that names the cluster and no user. */
function clusterOnly(server: string, authority: string): string {
  const encoded = Buffer.from(authority).toString('base64')
  return [
    'apiVersion: v1',
    'clusters:',
    '- cluster:',
    `    certificate-authority-data: ${encoded}`,
    `    server: ${server}`,
    '  name: ""',
    'contexts: null',
    'current-context: ""',
    'kind: Config',
    'preferences: {}',
    'users: null',
    '',
  ].join('\n')
}

function tokensOf({ store }: Api): { entry: Entry; token: BootstrapToken }[] {
  return store.list({ keyspace: '', resource: 'secrets' }, { namespace: BOOTSTRAP_NAMESPACE }).flatMap((entry) => {
    const token = bootstrapTokenIn(entry)
    return token ? [{ entry, token }] : []
  })
}

/** Removes expired tokens; answers when the next one expires. */
async function sweep(api: Api, keyspace: Keyspace): Promise<number | undefined> {
  const now = api.clock.now()
  const scope = scopeOf(api, keyspace, ['', 'v1', 'secrets'])
  const all = tokensOf(api)
  const expired = all.filter(({ token }) => hasExpired(token, now))
  await Promise.all(
    expired.map(({ entry }) => removeObject(scope, entry, { writer: controllerWriter('token-cleaner') })),
  )
  const coming = all.map(({ token }) => parseTime(token.expiration)).filter((time) => time > now)
  return coming.length === 0 ? undefined : Math.min(...coming)
}

async function sign(api: Api, keyspace: Keyspace): Promise<void> {
  const scope = configMapsOf(api, keyspace)
  const entry = api.store.get({ keyspace: keyspace.name, resource: scope.resource.id, key: KEY })
  if (!entry) return
  const now = api.clock.now()
  const usable = tokensOf(api)
    .map(({ token }) => token)
    .filter((token) => token.usages.signing && token.id !== '' && !hasExpired(token, now))
  const change = (current: UnknownObject): UnknownObject => {
    const { data = {} } = current as unknown as ConfigMap
    const { kubeconfig = '' } = data
    const kept = Object.entries(data).filter(([name]) => !name.startsWith(SIGNATURE))
    const signatures = usable.map((token) => [SIGNATURE + token.id, signatureOf(kubeconfig, token)])
    return { ...current, data: Object.fromEntries([...kept, ...signatures]) } as unknown as UnknownObject
  }
  await updateObject(scope, entry, { writer, change })
}

/** A JSON web signature without its content. */
function signatureOf(content: string, { id, secret }: BootstrapToken): string {
  const encoded = (text: string): string => Buffer.from(text).toString('base64url')
  const header = encoded(JSON.stringify({ alg: 'HS256', kid: id }))
  const signature = createHmac('sha256', secret)
    .update(`${header}.${encoded(content)}`)
    .digest('base64url')
  return `${header}..${signature}`
}
