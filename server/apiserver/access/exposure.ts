/** Limits the port to this machine unless it is explicitly exposed. */
import { isIP } from 'node:net'

/** An address that only this machine reaches. */
export function isLoopback(host: string): boolean {
  const address = host.replace(/^::ffff:/, '')
  return host === 'localhost' || address === '::1' || (isIP(address) === 4 && address.startsWith('127.'))
}

export interface Exposure {
  host: string
  /** Other machines are meant to reach it. */
  exposed: boolean
  encrypted: boolean
}

/** Throws with a message for the user if the address is reachable by other machines without `exposed`. */
export function refuseExposure({ host, exposed, encrypted }: Exposure): void {
  if (isLoopback(host)) return
  if (!exposed) {
    throw new Error(
      `other machines can reach the API server at ${host}: say that this is meant, or listen on 127.0.0.1`,
    )
  }
  if (!encrypted) {
    throw new Error(`tokens would cross the network in the open: ${host} is served with a TLS key pair only`)
  }
}

/**
 * Returns the URL of a server that listens at `host` for clients on this machine, in plain HTTP; other machines are
 * served TLS.
 */
export function localUrl(host: string, port: number): string {
  const near = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  const scheme = isLoopback(near) ? 'http' : 'https'
  return `${scheme}://${near.includes(':') ? `[${near}]` : near}:${port}`
}
