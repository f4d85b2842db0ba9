/** Reads cookies from requests and builds `Set-Cookie` headers. */
import type { IncomingMessage } from 'node:http'
import type { TLSSocket } from 'node:tls'

/** Browsers keep 4096 bytes per cookie, including name and attributes. */
const CHUNK = 3600
/** Servers and proxies refuse longer headers, and the cookie comes with every request. */
const MAX_CHUNKS = 3

export interface CookieSettings {
  /** The address of the console for browsers; without it the address is derived from each request. */
  publicUrl?: string
}

interface Attributes {
  path: string
  sameSite: 'Strict' | 'Lax'
  /** Absent: the cookie lasts until the browser closes. 0 removes it. */
  maxAgeSeconds?: number
  secure: boolean
}

/**
 * Reports whether the browser uses TLS, to this server or to a proxy in front of it. A caller can influence only its
 * own cookie.
 */
export function isSecure(request: IncomingMessage, { publicUrl }: CookieSettings): boolean {
  if (publicUrl !== undefined) return publicUrl.startsWith('https:')
  if ((request.socket as Partial<TLSSocket>).encrypted === true) return true
  return (
    String(request.headers['x-forwarded-proto'] ?? '')
      .split(',', 1)[0]
      ?.trim() === 'https'
  )
}

/**
 * Returns the name of a cookie. `__Host-` prevents other hosts of the domain from setting it. Browsers share cookies
 * between the ports of a host, so the port is part of the name: two consoles on one machine must not end each other's
 * sessions.
 */
export function cookieName(base: string, request: IncomingMessage, settings: CookieSettings): string {
  const port = /:(\d+)$/.exec(request.headers.host ?? '')?.[1]
  return `${isSecure(request, settings) ? '__Host-' : ''}${base}${port ? `-${port}` : ''}`
}

/** Returns the cookies of a request by name; of several with the same name, the first. */
export function cookiesOf(request: IncomingMessage): ReadonlyMap<string, string> {
  const cookies = new Map<string, string>()
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const mark = pair.indexOf('=')
    const name = pair.slice(0, Math.max(mark, 0)).trim()
    if (name !== '' && !cookies.has(name)) cookies.set(name, pair.slice(mark + 1).trim())
  }
  return cookies
}

/** Returns one `Set-Cookie` header. A sealed value needs no escaping. */
export function setCookie(name: string, value: string, { path, sameSite, maxAgeSeconds, secure }: Attributes): string {
  const age = maxAgeSeconds === undefined ? '' : `; Max-Age=${maxAgeSeconds}`
  return `${name}=${value}; Path=${path}; HttpOnly; SameSite=${sameSite}${age}${secure ? '; Secure' : ''}`
}

/**
 * Splits a text that may be too long for one cookie; the first value starts with the number of chunks. Undefined beyond
 * the limit.
 */
export function inChunks(text: string): string[] | undefined {
  const count = Math.ceil((text.length + 2) / CHUNK)
  if (count > MAX_CHUNKS) return undefined
  const whole = `${count}.${text}`
  return Array.from({ length: count }, (_, index) => whole.slice(index * CHUNK, (index + 1) * CHUNK))
}

/** Returns the text that `inChunks` split; undefined when there is none, '' when a part is missing. */
export function fromChunks(cookies: ReadonlyMap<string, string>, name: string): string | undefined {
  const first = cookies.get(name)
  if (first === undefined) return undefined
  const count = /^([1-3])\./.exec(first)?.[1]
  if (count === undefined) return ''
  const rest = Array.from({ length: Number(count) - 1 }, (_, index) => cookies.get(`${name}.${index + 1}`))
  return rest.includes(undefined) ? '' : [first.slice(2), ...rest].join('')
}

/** Returns the `Set-Cookie` headers for a value in chunks, and for removing the excess chunks of a longer value. */
export function setChunks(
  request: IncomingMessage,
  name: string,
  { values, ...attributes }: Attributes & { values: readonly string[] },
): string[] {
  const cookies = cookiesOf(request)
  const nameOf = (index: number): string => (index === 0 ? name : `${name}.${index}`)
  const kept = values.map((value, index) => setCookie(nameOf(index), value, attributes))
  const left = Array.from({ length: MAX_CHUNKS }, (_, index) => nameOf(index)).slice(values.length)
  const gone = left
    .filter((other) => cookies.has(other))
    .map((other) => setCookie(other, '', { ...attributes, maxAgeSeconds: 0 }))
  return [...kept, ...gone]
}
