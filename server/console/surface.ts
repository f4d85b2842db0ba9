/** Kinds of paths; each has its own security headers. */
import { LIVE_PATH } from '@/lib/view/live'

/** `data`: the API, the probes and the metrics. `asset`: files with their content in the name, and icons. */
export type Surface = 'page' | 'asset' | 'data' | 'live'

const PROBES = new Set(['/healthz', '/readyz', '/metrics', '/.well-known/security.txt'])
const FILES = /^\/(_next\/|[^/]+\.(svg|ico|png|txt|webmanifest)$)/

/** The path of a request without its query. */
export const pathOf = ({ url = '/' }: { url?: string | undefined }): string => url.split('?', 1)[0] ?? '/'

export function surfaceOf(path: string): Surface {
  if (path === LIVE_PATH || path.startsWith(`${LIVE_PATH}/`)) return 'live'
  if (path === '/api' || path.startsWith('/api/') || PROBES.has(path)) return 'data'
  return FILES.test(path) ? 'asset' : 'page'
}
