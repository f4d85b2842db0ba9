/** What users are told while the console cannot follow its control plane. Addresses and names stay in the log. */
import { type Message, message } from '@/lib/messages/message'
import type { FreshnessMessage } from '@/lib/view/live'

/** What is told of the freshness, before it is put into a language. */
export type Freshness = Omit<FreshnessMessage, 'error'> & { error?: Message | string | undefined }

export const SILENT = message('api.stale.silent')

/** By the code of the API server's last answer; without one there was none. */
export function staleReason({ code, error }: { code?: number | undefined; error: string }): Message {
  return code === undefined ? unanswered(error) : answered(code)
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

/** Told by what follows the request, which stands before the first colon and says things of its own. */
function unanswered(told: string): Message {
  const error = told.replace(/^(watching|[A-Z]+) \/\S*: /, '')
  if (/no JSON|not valid JSON/.test(error)) return message('api.stale.nonsense')
  const cause = CAUSES.find(([sign]) => sign.test(error))?.[1]
  return cause === undefined
    ? message('api.stale.noAnswer')
    : message('api.stale.noAnswerBecause', { cause: { code: cause } })
}
