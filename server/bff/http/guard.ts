/**
 * Keeps other sites out. A page of another site can make a browser send requests here (CSRF), or make its own name
 * resolve to this address (DNS rebinding); the first shows in Origin, the second in Host.
 */
import type { IncomingMessage } from 'node:http'

/** Why a request is not served; undefined when it may be. `allowedHosts` are host names without port. */
export function foreignRequest(request: IncomingMessage, allowedHosts: ReadonlySet<string>): string | undefined {
  const { host, origin } = request.headers
  const name = host === undefined ? undefined : hostName(`http://${host}`)
  if (name === undefined || !allowedHosts.has(name)) {
    const names = [...allowedHosts].join(', ')
    return `This console is not served under the host name "${name ?? ''}". Use one of: ${names}.`
  }
  const isOwn = origin === undefined || originHost(origin) === host?.toLowerCase()
  return isOwn ? undefined : `Requests from the origin "${origin}" are not accepted.`
}

/** Lower-case name without port and brackets; undefined when it cannot be one. */
export function hostName(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname.replace(/^\[|\]$/g, '') : undefined
}

/** `host:port` of an origin; undefined for the opaque origin `null`. The port of the scheme is left out, as in Host. */
function originHost(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined
}
