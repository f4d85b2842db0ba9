/** Authenticates a request with each credential in order; a request without credentials is anonymous. */
import type { IncomingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'
import { kubeError, type KubeError } from '@/lib/kube/errors'
import type { Caller } from '../call'
import { anonymous, authenticated } from './caller'
import { certificateCaller } from './client-certificate'

/** Credentials of a request. */
export interface Credentials {
  headers: IncomingHttpHeaders
  socket: Socket
  /** Without the query. */
  path: string
}

/** Returns the owner of a token at a path; undefined for an unknown one. */
export type TokenReader = (token: string, path: string) => Caller | undefined

/** Without permission to authenticate, the response contains nothing else. */
export function unauthorized(): KubeError {
  return kubeError(401, 'Unauthorized', 'Unauthorized')
}

/** Authenticates by a client certificate, else by a bearer token. Throws 401 for an invalid one. */
export function createAuthenticator(readToken: TokenReader): (credentials: Credentials) => Caller {
  return ({ headers, socket, path }) => {
    const certified = certificateCaller(socket)
    if (certified?.caller) return authenticated(certified.caller)
    const token = bearerToken(headers.authorization)
    if (token === undefined) {
      if (certified) throw unauthorized()
      return anonymous
    }
    const caller = readToken(token, path)
    if (!caller) throw unauthorized()
    return authenticated(caller)
  }
}

/** Other schemes than a bearer's are no credential here. */
function bearerToken(header: string | undefined): string | undefined {
  if (header === undefined) return undefined
  const [scheme = '', token = ''] = header.trim().split(' ', 3)
  return scheme.toLowerCase() === 'bearer' && token !== '' ? token : undefined
}
