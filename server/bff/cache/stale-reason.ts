/** The text for users while the console cannot follow its control plane. Addresses and names stay in the log. */
import { type Message, message } from '@/lib/messages/message'
import type { FreshnessMessage } from '@/lib/view/live'
import { connectionFault, type ConnectionProblem } from './connection-faults'

/** The freshness before it is translated. */
export type Freshness = Omit<FreshnessMessage, 'error'> & { error?: Message | string | undefined }

export const SILENT = message('api.stale.silent')

/** Returns the reason for the code of the API server's last answer; without a code there was no answer. */
export function staleReason({ code, error, cause }: { code?: number; error: string; cause?: unknown }): Message {
  return code === undefined ? unanswered(error, cause) : answered(code)
}

function answered(code: number): Message {
  switch (code) {
    case 401:
      return message('api.stale.credentials')
    case 403:
      return message('api.stale.permissions')
    case 404:
      return message('api.stale.kinds')
    case 410:
      return message('api.stale.expired')
    case 429:
      return message('api.stale.busy')
    default:
      return message(code >= 500 ? 'api.stale.failed' : 'api.stale.refused', { code: String(code) })
  }
}

const CAUSES = [
  [/refused/i, 'api.stale.cause.refused'],
  [/ENOTFOUND|EAI_AGAIN/, 'api.stale.cause.name'],
  [/certificate|\bTLS\b|\bSSL\b/i, 'api.stale.cause.certificate'],
  [/\btime(d )?out\b|ETIMEDOUT|in time|silent/i, 'api.stale.cause.timeout'],
  [/ECONNRESET|socket|closed|terminated|ended/i, 'api.stale.cause.broken'],
] as const

/** The server is there, but Evenkeel cannot talk to it until its operator acts. */
const OF_PROBLEM: Readonly<Partial<Record<ConnectionProblem, Message>>> = {
  UntrustedAuthority: message('api.stale.untrusted'),
  ExpiredCertificate: message('api.stale.certificateExpired'),
  CertificateNotYetValid: message('api.stale.certificateNotYetValid'),
  OtherHostName: message('api.stale.otherHostName'),
  Plugin: message('api.stale.plugin'),
  Proxy: message('api.stale.proxy'),
}

/**
 * Other reasons are derived from the error text after the request, which ends at the first colon and may contain any
 * words.
 */
function unanswered(told: string, from: unknown): Message {
  const { problem } = connectionFault(from)
  const known = problem && OF_PROBLEM[problem]
  if (known) return known
  const error = told.replace(/^(watching|[A-Z]+) \/\S*: /, '')
  if (/no JSON|not valid JSON/.test(error)) return message('api.stale.nonsense')
  const cause = CAUSES.find(([sign]) => sign.test(error))?.[1]
  return cause === undefined
    ? message('api.stale.noAnswer')
    : message('api.stale.noAnswerBecause', { cause: { code: cause } })
}
