/** What a request is aimed at, put right before anybody reads it (RFC 9112, section 3.2). */
import type { IncomingMessage } from 'node:http'
import type { ProblemReason } from '@/lib/view/problems'

/** Why a request is not read any further. */
export interface Fault {
  reason: ProblemReason
  detail: string
  /** Further headers of the answer. */
  headers?: Readonly<Record<string, string>>
}

/** Characters of a path with its query: twice what any of our pages makes. */
export const LONGEST_TARGET = 8192

/** A name, an IPv4 address or one of IPv6 in brackets, and a port: what the parts of a policy cannot hide in. */
const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i
const ABSOLUTE = /^https?:\/\/([^/?#]*)(.*)$/i

/**
 * Leaves `url` a path, and `Host` the one name under which it was asked for; says what is wrong where that cannot be.
 * A target that names its host (as proxies are sent) counts more than the header, as the RFC has it.
 */
export function readTarget(request: IncomingMessage): Fault | undefined {
  const { url = '', headers, headersDistinct } = request
  if (url.length > LONGEST_TARGET) {
    return { reason: 'UriTooLong', detail: `The address has more than ${LONGEST_TARGET} characters.` }
  }
  const [, authority, rest = ''] = ABSOLUTE.exec(url) ?? []
  if (authority !== undefined) {
    headers.host = authority
    request.url = rest.startsWith('/') ? rest : `/${rest}`
  } else if (!url.startsWith('/')) {
    return { reason: 'Malformed', detail: 'The request names no path.' }
  }
  if ((headersDistinct.host?.length ?? 0) > 1) {
    return { reason: 'Malformed', detail: 'The request has more than one Host.' }
  }
  // HTTP/1.0 knows no Host; whoever knows the names refuses what needs one.
  const isFine = headers.host === undefined ? request.httpVersion === '1.0' : HOST.test(headers.host)
  return isFine ? undefined : { reason: 'Malformed', detail: 'Host takes a name and a port, and must be there.' }
}
