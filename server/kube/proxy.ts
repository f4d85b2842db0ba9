/** Which proxy the requests to an API server pass: that of its kubeconfig, otherwise that of the environment. */
import { BlockList, isIP } from 'node:net'

/** The usual variables, as curl, Go and kubectl read them. */
export interface ProxyEnvironment {
  http?: string
  https?: string
  /** Hosts that are reached directly, comma-separated. */
  none?: string
}

type Variables = Readonly<Record<string, string | undefined>>

export function proxyEnvironment(env: Variables): ProxyEnvironment {
  const read = (name: string): string | undefined => env[name] || env[name.toLowerCase()] || undefined
  const [http, https, none] = [read('HTTP_PROXY'), read('HTTPS_PROXY'), read('NO_PROXY')]
  return { ...(http && { http }), ...(https && { https }), ...(none && { none }) }
}

/** A proxy whose address cannot be used. The message never repeats it, as it may have a password. */
export class ProxyInvalid extends Error {}

const SCHEMES: ReadonlySet<string> = new Set(['http:', 'https:', 'socks5:'])

/** Undefined: the server is reached directly. Throws ProxyInvalid. */
export function proxyFor(
  server: string,
  { given, env = {} }: { given?: string | undefined; env?: ProxyEnvironment | undefined },
): string | undefined {
  if (given) return checked(given)
  const url = new URL(server)
  const proxy = url.protocol === 'https:' ? env.https : env.http
  return proxy === undefined || isDirect(url, env.none) ? undefined : checked(proxy)
}

/** Without the password, for messages. */
export function nameOfProxy(proxy: string): string {
  const { protocol, host } = new URL(proxy)
  return `${protocol}//${host}`
}

/** A proxy without a scheme is an HTTP proxy, as `HTTPS_PROXY=proxy:3128` is common. */
function checked(proxy: string): string {
  const whole = proxy.includes('://') ? proxy : `http://${proxy}`
  const url = URL.canParse(whole) ? new URL(whole) : undefined
  if (!url || url.hostname === '' || !SCHEMES.has(url.protocol)) {
    throw new ProxyInvalid('the proxy is no address that begins with http://, https:// or socks5://')
  }
  return whole
}

const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8)
LOOPBACK.addAddress('::1', 'ipv6')

function isDirect({ hostname, port, protocol }: URL, none = ''): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase()
  if (host === 'localhost' || holds(LOOPBACK, host)) return true
  const actual = port || (protocol === 'https:' ? '443' : '80')
  return none
    .split(',')
    .map((entry) => entry.trim().toLowerCase())
    .some((entry) => entry !== '' && covers(entry, { host, port: actual }))
}

/** An entry is `*`, a domain with its subdomains, an address, or a network, and may name a port. */
function covers(entry: string, { host, port }: { host: string; port: string }): boolean {
  if (entry === '*') return true
  if (entry.includes('/')) return isInNetwork(entry, host)
  const [, bracketed, plain, ofPort] = /^(?:\[(.*)\]|([^:]*|.*:.*:.*?))(?::(\d+))?$/.exec(entry) ?? []
  const name = (bracketed ?? plain ?? '').replace(/^\*?\./, '')
  if (name === '' || (ofPort !== undefined && ofPort !== port)) return false
  return host === name || (isIP(host) === 0 && host.endsWith(`.${name}`))
}

function isInNetwork(network: string, host: string): boolean {
  const [address = '', bits = ''] = network.split('/')
  const family = isIP(address)
  const length = Number(bits)
  if (family === 0 || !Number.isInteger(length) || bits === '' || length > (family === 4 ? 32 : 128)) return false
  const list = new BlockList()
  list.addSubnet(address, length, family === 4 ? 'ipv4' : 'ipv6')
  return holds(list, host)
}

function holds(list: BlockList, host: string): boolean {
  const family = isIP(host)
  return family !== 0 && list.check(host, family === 4 ? 'ipv4' : 'ipv6')
}
