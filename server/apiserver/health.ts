/** Whether the server is well: all checks together, or one by its name. One that answers at all is. */
import { ownField } from '@/lib/std/fields'
import { type Answer, type Call, text } from './call'

const ENDPOINTS = ['healthz', 'livez', 'readyz']
const CHECKS = ['ping', 'log', 'etcd']
/** Checks of one endpoint alone. */
const OWN_CHECKS: Readonly<Record<string, readonly string[]>> = { readyz: ['informer-sync', 'shutdown'] }

const checksOf = (endpoint: string): string[] => [...CHECKS, ...(ownField(OWN_CHECKS, endpoint) ?? [])]

/** Every path that `health` answers. */
export const healthPaths: readonly string[] = ENDPOINTS.flatMap((endpoint) => [
  `/${endpoint}`,
  ...checksOf(endpoint).map((check) => `/${endpoint}/${check}`),
])

/** The answer to a question about health; undefined for any other path, and for a check that there is not. */
export function health({ path, query }: Call): Answer | undefined {
  const [, endpoint = '', check] = path.split('/')
  if (!healthPaths.includes(path)) return undefined
  if (check !== undefined || !query.has('verbose')) return text(200, 'ok')
  const excluded = query.getAll('exclude')
  const lines = checksOf(endpoint).map((name) => `[+]${name} ${excluded.includes(name) ? 'excluded: ' : ''}ok\n`)
  return text(200, `${lines.join('')}${endpoint} check passed\n`)
}
