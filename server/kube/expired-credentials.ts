/**
 * Says which of the credentials that an API server rejected have expired. Asked only after a rejection, because the
 * clock of this machine may be wrong.
 */
import { X509Certificate } from 'node:crypto'
import { type EpochMs, formatTime } from '@/lib/std/clock'

interface Credentials {
  headers?: Record<string, string>
  /** PEM of the client certificate. */
  cert?: string
}

/** Returns the expired credential with its end; undefined if none has expired, or if its end is unknown. */
export function expiredCredential({ cert, headers = {} }: Credentials, now: EpochMs): string | undefined {
  const ends = [
    { what: 'the client certificate', end: cert === undefined ? undefined : endOfCertificate(cert) },
    { what: 'the token', end: endOfToken(headers['authorization'] ?? '') },
  ]
  const expired = ends.find(({ end }) => end !== undefined && end <= now)
  return expired && `${expired.what} of the kubeconfig expired at ${formatTime(expired.end!)}`
}

function endOfCertificate(pem: string): EpochMs | undefined {
  try {
    return Date.parse(new X509Certificate(pem).validTo)
  } catch {
    // A certificate that Node.js cannot read here was not what the server rejected either.
    return undefined
  }
}

/** Tokens of service accounts and of OIDC are JWTs; others tell nothing about their end. */
function endOfToken(authorization: string): EpochMs | undefined {
  const [, payload] = /^Bearer [^.]+\.([^.]+)\./.exec(authorization) ?? []
  if (payload === undefined) return undefined
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString())
    const { exp } = claims as { exp?: unknown }
    return typeof exp === 'number' ? exp * 1000 : undefined
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return undefined
    throw error
  }
}
