/** Which notices this browser gave, so that no tab and no reload gives one again. */
import type { Notice } from '@/lib/view/notices/notices'
import { parseStored } from '../hooks/stored-json'

/** Number of stored ids. An incident that outlasts so many others would be announced again. */
const MOST = 500

/** Ids, the latest last. Anything else that is kept counts as none. */
export function parseDelivered(text: string | null): string[] {
  const value = parseStored(text)
  return Array.isArray(value) ? value.filter((id) => typeof id === 'string').slice(-MOST) : []
}

/**
 * Returns the notices to deliver now, and the delivered ids afterwards. Only the latest notice of an incident is
 * delivered.
 */
export function newNotices(
  delivered: readonly string[],
  notices: readonly Notice[],
): { deliver: Notice[]; delivered: string[] } {
  const known = new Set(delivered)
  const fresh = notices.filter(({ id }) => !known.has(id))
  const latest = new Map(fresh.map((notice) => [notice.incident.id, notice]))
  return { deliver: [...latest.values()], delivered: [...delivered, ...fresh.map(({ id }) => id)].slice(-MOST) }
}
