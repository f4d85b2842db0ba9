/** Address of a webhook. */
import { isIP } from 'node:net'
import { isLoopbackHost } from '@/lib/kube/validation/webhook-client'
import type { Service, WebhookClientConfig } from '@/lib/kube/kinds'
import { isGivenAddress } from '@/lib/kube/service-range'
import type { Store } from '../store/store'

/** Parameters of a call. */
export interface Endpoint {
  secure: boolean
  host: string
  port: number
  /** Begins with a slash. */
  path: string
  /** The address as the caller names it: `Host` header and the name in the certificate. */
  authority: string
  serverName: string
}

/** `url` is the address in error texts; without an endpoint `problem` says why it is unreachable. */
export type WebhookAddress = { url: string } & ({ endpoint: Endpoint } | { endpoint?: undefined; problem: string })

/** Finds a webhook by its URL, or by a Service of its keyspace. */
export function locate(store: Store, keyspace: string, config: WebhookClientConfig): WebhookAddress {
  return config.service ? byService(store, keyspace, config.service) : byUrl(config.url ?? '')
}

function byUrl(text: string): WebhookAddress {
  const url = new URL(text)
  const secure = url.protocol === 'https:'
  if (!secure && !isLoopbackHost(url.host)) return { url: url.href, problem: 'plain HTTP is for loopback addresses' }
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const port = Number(url.port) || (secure ? 443 : 80)
  return {
    url: url.href,
    endpoint: { secure, host, port, path: url.pathname, authority: url.host, serverName: isIP(host) ? '' : host },
  }
}

type ServiceReference = NonNullable<WebhookClientConfig['service']>

/**
 * There is no network between Services and pods here, so a Service is reachable only if it names a host
 * (`ExternalName`) or has an address that a client chose.
 */
function byService(
  store: Store,
  keyspace: string,
  { name, namespace, path, port = 443 }: ServiceReference,
): WebhookAddress {
  const serverName = `${name}.${namespace}.svc`
  const url = `https://${serverName}:${port}${pathOf(path)}`
  const entry = store.get({ keyspace, resource: 'services', key: `${namespace}/${name}` })
  if (!entry) return { url, problem: `service ${JSON.stringify(name)} not found` }
  const { type, externalName, clusterIP } = (entry.value as unknown as Service).spec ?? {}
  const host = type === 'ExternalName' ? externalName : clusterIP
  if (host === 'None') return { url, problem: 'cannot route to service with ClusterIP "None"' }
  if (!host || isGivenAddress(host)) {
    const remedy = 'give it type ExternalName, or name a url in clientConfig'
    return { url, problem: `nothing routes to service ${JSON.stringify(name)}: ${remedy}` }
  }
  return {
    url,
    endpoint: { secure: true, host, port, path: pathOf(path), authority: `${serverName}:${port}`, serverName },
  }
}

function pathOf(path = ''): string {
  return path.startsWith('/') ? path : `/${path}`
}
