/**
 * Rejects requests from other sites. A page of another site can make a browser send requests here (CSRF), or make its
 * own name resolve to this address (DNS rebinding); Origin shows the first, Host the second.
 */
import type { IncomingMessage } from 'node:http'
import { type Message, message } from '@/lib/messages/message'

/** Host names without port, each with the scheme that its pages must use, if known. */
export type Names = ReadonlyMap<string, 'http:' | 'https:' | undefined>

/**
 * Returns the names of hosts (`fleet.example`, `fleet.example:8443`) and addresses (`https://fleet.example`); other
 * texts are ignored.
 */
export function namesOf(hosts: readonly string[]): Names {
  const names = new Map<string, 'http:' | 'https:' | undefined>()
  for (const host of hosts) {
    const [scheme] = /^https?:(?=\/\/)/.exec(host) ?? []
    const name = hostName(scheme === undefined ? `http://${host}` : host)
    if (name !== undefined) names.set(name, scheme as 'http:' | 'https:' | undefined)
  }
  return names
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

/** Returns the host names of a console: those of this machine, and the allowed ones. */
export const ownNames = (allowedHosts: readonly string[]): Names => namesOf([...LOOPBACK, ...allowedHosts])

/** Returns why a request is refused; undefined when it is accepted. */
export function foreignRequest({ headers: { host, origin } }: IncomingMessage, names: Names): Message | undefined {
  const name = host === undefined ? undefined : hostName(`http://${host}`)
  if (name === undefined || !names.has(name)) {
    return message('api.refused.host', { name: name ?? '', known: [...names.keys()].join(', ') })
  }
  const isOwn = origin === undefined || isOrigin(origin, { host: host?.toLowerCase(), scheme: names.get(name) })
  return isOwn ? undefined : message('api.refused.origin', { origin })
}

/** Returns the lower-case name without port and brackets; undefined when it is not a host name. */
function hostName(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname.replace(/^\[|\]$/g, '') : undefined
}

/**
 * An attacker between a browser and a page without TLS can modify that page, so where TLS is known to be in use, a page
 * without TLS counts as another site. The default port is omitted, as in Host; the opaque origin `null` never matches.
 */
function isOrigin(origin: string, own: { host: string | undefined; scheme: string | undefined }): boolean {
  if (!URL.canParse(origin)) return false
  const { protocol, host } = new URL(origin)
  const fits = own.scheme === undefined ? /^https?:$/.test(protocol) : protocol === own.scheme
  return fits && host === own.host
}
