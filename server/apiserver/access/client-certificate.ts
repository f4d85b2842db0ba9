/** Authenticates client certificates: the common name is the user, the organizations are the groups. */
import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import type { Caller } from '../call'

/** A client certificate. `caller` is absent if it was not signed by our authority, or has expired. */
export interface Certified {
  caller?: Caller
}

/** A connection shows one certificate, once. */
const shown = new WeakMap<Socket, { certified: Certified | undefined }>()

/** The certificate of a connection; undefined when none was shown. */
export function certificateCaller(socket: Socket): Certified | undefined {
  if (!(socket instanceof TLSSocket)) return undefined
  const known = shown.get(socket)
  if (known) return known.certified
  const certified = read(socket)
  shown.set(socket, { certified })
  return certified
}

function read(socket: TLSSocket): Certified | undefined {
  const certificate = socket.getPeerCertificate()
  const subject = (certificate.subject ?? {}) as { CN?: string | string[]; O?: string | string[] }
  const { CN: user, O: organizations = [] } = subject
  if (user === undefined) return undefined
  if (!socket.authorized) return {}
  return { caller: { user: String(user), groups: [organizations].flat() } }
}
