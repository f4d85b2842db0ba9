/** Errors of webhook calls, in the words of a Go client, so that runbooks and searches find them. */

/** A failed call of a webhook. */
export class CallFailure extends Error {}

/** Thrown when a response misses its deadline. */
export class TimedOut extends Error {
  constructor() {
    super('context deadline exceeded')
  }
}

/** The text for an error of Node's sockets and TLS. */
export function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const failure = error as NodeJS.ErrnoException & { address?: string; port?: number; hostname?: string }
  const { code = '', address, port, hostname } = failure
  const place = address === undefined ? '' : ` ${address.includes(':') ? `[${address}]` : address}:${port ?? ''}`
  switch (code) {
    case 'ECONNREFUSED':
      return `dial tcp${place}: connect: connection refused`
    case 'EHOSTUNREACH':
      return `dial tcp${place}: connect: no route to host`
    case 'ENETUNREACH':
      return `dial tcp${place}: connect: network is unreachable`
    case 'ETIMEDOUT':
      return `dial tcp${place}: i/o timeout`
    case 'ENOTFOUND':
      return `dial tcp: lookup ${hostname ?? ''}: no such host`
    case 'EAI_AGAIN':
      return `dial tcp: lookup ${hostname ?? ''}: server misbehaving`
    case 'ECONNRESET':
    case 'EPIPE':
      return 'EOF'
    case 'EPROTO':
      return 'http: server gave HTTP response to HTTPS client'
    default:
      return certificateText(code) ?? error.message
  }
}

const UNKNOWN_AUTHORITY = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
])

function certificateText(code: string): string | undefined {
  const prefix = 'tls: failed to verify certificate: x509: certificate'
  if (UNKNOWN_AUTHORITY.has(code)) return `${prefix} signed by unknown authority`
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID') return `${prefix} has expired or is not yet valid`
  return code === 'ERR_TLS_CERT_ALTNAME_INVALID' ? `${prefix} is not valid for this name` : undefined
}

/** The error of a Go client for an answer without success. A `Status` in the body is used as it is. */
export function describeAnswer(code: number, body: string, type = ''): string {
  const said = statusMessage(body)
  if (said !== undefined) return said
  const text = type === '' || type.startsWith('text/') ? body.trim() : 'unknown'
  switch (code) {
    case 400:
      return 'the server rejected our request for an unknown reason'
    case 401:
      return 'the server has asked for the client to provide credentials'
    case 403:
      return text
    case 404:
      return 'the server could not find the requested resource'
    case 405:
      return 'the server does not allow this method on the requested resource'
    case 409:
      return 'the server reported a conflict'
    case 429:
      return 'the server has received too many requests and has asked us to try again later'
    case 503:
      return 'the server is currently unable to handle the request'
    case 504:
      return 'the server was unable to return a response in the time allotted, but may still be processing the request'
    default:
      return code >= 500
        ? `an error on the server (${JSON.stringify(text)}) has prevented the request from succeeding`
        : `the server responded with the status code ${code} but did not return more information`
  }
}

function statusMessage(body: string): string | undefined {
  try {
    const { kind, status, message } = JSON.parse(body) as { kind?: unknown; status?: unknown; message?: unknown }
    return kind === 'Status' && status !== 'Success' && typeof message === 'string' ? message : undefined
  } catch {
    return undefined
  }
}
