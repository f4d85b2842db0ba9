/** Normalises the target of a request before any other use (RFC 9112, section 3.2). */
import type { IncomingMessage } from 'node:http'
import { type Message, message } from '@/lib/messages/message'
import type { ProblemReason } from '@/lib/view/problems'

/** Reason to refuse a request. */
export interface Fault {
  reason: ProblemReason
  detail: Message | string
  /** Additional headers of the answer. */
  headers?: Readonly<Record<string, string>>
}

/** Characters of a path with its query: twice the longest of our pages. */
export const MAX_TARGET_LENGTH = 8192

/** A name, an IPv4 address or an IPv6 address in brackets, and a port: no part of a policy can be injected. */
const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i
const ABSOLUTE = /^https?:\/\/([^/?#]*)(.*)$/i

/**
 * Makes `url` a path and `Host` the requested name; returns the problem otherwise. An absolute target (as sent to
 * proxies) has precedence over the header, as in the RFC.
 */
export function readTarget(request: IncomingMessage): Fault | undefined {
  const { url = '', headers, headersDistinct } = request
  if (url.length > MAX_TARGET_LENGTH) {
    return { reason: 'UriTooLong', detail: message('api.fault.uri', { most: MAX_TARGET_LENGTH }) }
  }
  const [, authority, rest = ''] = ABSOLUTE.exec(url) ?? []
  if (authority !== undefined) {
    headers.host = authority
    request.url = rest.startsWith('/') ? rest : `/${rest}`
  } else if (!url.startsWith('/')) {
    return { reason: 'Malformed', detail: message('api.fault.path') }
  }
  if ((headersDistinct.host?.length ?? 0) > 1) {
    return { reason: 'Malformed', detail: message('api.fault.hosts') }
  }
  // HTTP/1.0 has no Host; the guard refuses requests that need one.
  const isFine = headers.host === undefined ? request.httpVersion === '1.0' : HOST.test(headers.host)
  return isFine ? undefined : { reason: 'Malformed', detail: message('api.fault.host') }
}
