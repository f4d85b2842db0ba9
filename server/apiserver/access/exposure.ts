/** Who can reach the port: this machine only, unless somebody says otherwise. */
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

/** Throws with a sentence for the user when the address is open to other machines and that is not what was meant. */
export function refuseExposure({ host, exposed, encrypted }: Exposure): void {
  if (isLoopback(host)) return
  if (!exposed) {
    throw new Error(
      `other machines can reach the API server at ${host}: say that this is meant, or listen on 127.0.0.1`
    )
  }
  if (!encrypted) {
    throw new Error(`tokens would cross the network in the open: ${host} is served with a TLS key pair only`)
  }
}

/** Where this machine itself finds a server that listens at `host`, in plain HTTP; other machines are served TLS. */
export function localUrl(host: string, port: number): string {
  const near = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  const scheme = isLoopback(near) ? 'http' : 'https'
  return `${scheme}://${near.includes(':') ? `[${near}]` : near}:${port}`
}
