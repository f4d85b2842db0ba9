/** What everybody is told while the console cannot follow its control plane. Addresses and names stay in the log. */

export const SILENT = 'The control plane takes requests and answers none.'

/** By the code of the API server's last answer; without one there was none. */
export function staleReason({ code, error }: { code?: number | undefined; error: string }): string {
  return code === undefined ? unanswered(error) : answered(code)
}

function answered(code: number): string {
  switch (code) {
    case 401:
      return 'The control plane does not accept the console’s own credentials any more: whoever runs the console has to renew them.'
    case 403:
      return 'The console may not read everything in the control plane any more: whoever runs it has to grant that again.'
    case 404:
      return 'The control plane does not serve everything any more that the console reads.'
    case 410:
      return 'The control plane has forgotten where the console was (410), and does not let it begin anew.'
    case 429:
      return 'The control plane has too much to do and asks the console to wait.'
    default:
      return code >= 500
        ? `The control plane failed at answering the console (${code}).`
        : `The control plane refused the console (${code}).`
  }
}

const NONSENSE =
  'The address of the control plane answers what the console does not understand: perhaps a proxy stands before it.'

const CAUSES: readonly [sign: RegExp, words: string][] = [
  [/refused/i, 'connection refused'],
  [/ENOTFOUND|EAI_AGAIN/, 'its name cannot be looked up'],
  [/certificate|\bTLS\b|\bSSL\b/i, 'its certificate is not accepted'],
  [/\btime(d )?out\b|ETIMEDOUT|in time|silent/i, 'no answer in time'],
  [/ECONNRESET|socket|closed|terminated|ended/i, 'the connection broke'],
]

/** Told by what follows the request, which stands before the first colon and says things of its own. */
function unanswered(told: string): string {
  const error = told.replace(/^(watching|[A-Z]+) \/\S*: /, '')
  if (/no JSON|not valid JSON/.test(error)) return NONSENSE
  const cause = CAUSES.find(([sign]) => sign.test(error))?.[1]
  return `The control plane does not answer${cause === undefined ? '' : ` (${cause})`}.`
}
