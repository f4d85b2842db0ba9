/** Endpoints for machines. */
import { type Clock, formatTime } from '@/lib/std/clock'
import type { ControlPlaneCache } from '../cache/control-plane-cache'
import { type Answer, plainText } from './answers'
import type { Probe } from './router'
import { type SecurityContact, securityTxt } from './security-txt'

export type UnreadyCause = 'shutting down' | 'creating the first objects'

export interface ProbeDeps {
  cache: Pick<ControlPlaneCache, 'copies'>
  /** Why this instance should get no requests although its caches are complete. */
  unreadyBecause?: (() => UnreadyCause | undefined) | undefined
  /** Returns the text of `/metrics`; absent: not served. */
  metrics?: (() => Promise<{ contentType: string; text: string }>) | undefined
  clock: Pick<Clock, 'now'>
  /** Absent: no `security.txt`. */
  security?: SecurityContact | undefined
}

/**
 * Returns `/healthz`: the process answers; and `/readyz`: every cache was complete once, the objects of the first
 * start exist, and the process is not shutting down. A stale cache is shown on the pages and does not make an instance
 * unready. `?verbose` lists all caches.
 */
export function probes({ cache, metrics, clock, security, unreadyBecause = () => undefined }: ProbeDeps): Probe[] {
  return [
    { path: '/healthz', answer: () => plainText(200, 'ok') },
    {
      path: '/readyz',
      answer: ({ url = '' }) => readiness(cache.copies(), { cause: unreadyBecause(), verbose: isVerbose(url) }),
    },
    ...(metrics ? [{ path: '/metrics', answer: async () => ({ status: 200, ...(await metrics()) }) }] : []),
    ...(security ? [securityTxt(security, clock)] : []),
  ]
}

const isVerbose = (url: string): boolean => new URLSearchParams(url.split('?', 2)[1]).has('verbose')

type Copies = ReturnType<ControlPlaneCache['copies']>

interface Asked {
  cause: UnreadyCause | undefined
  verbose: boolean
}

function readiness(copies: Copies, { cause, verbose }: Asked): Answer {
  const missing = copies.filter(({ synced }) => !synced).map(({ resource }) => resource)
  const status = cause !== undefined || missing.length > 0 ? 503 : 200
  if (verbose) return plainText(status, listed(copies, cause))
  if (cause === 'shutting down') return plainText(status, cause)
  // For probes and kubectl, as the API server answers (upstream).
  return plainText(status, missing.length > 0 ? `not yet synced: ${missing.join(', ')}` : (cause ?? 'ok'))
}

/** upstream: the form of `/readyz?verbose` of the API server. */
function listed(copies: Copies, cause: UnreadyCause | undefined): string {
  const lines = copies.map(({ resource, synced, staleSince }) => {
    // upstream: as above
    if (!synced) return `[-]${resource} not yet synced`
    return `[+]${resource} ${staleSince === undefined ? 'ok' : `stale since ${formatTime(staleSince)}`}`
  })
  const passed = cause === undefined && copies.every(({ synced }) => synced)
  return [
    ...lines,
    `[${cause === undefined ? '+' : '-'}]serving ${cause ?? 'ok'}`,
    `readyz check ${passed ? 'passed' : 'failed'}`,
    '',
  ].join('\n')
}
