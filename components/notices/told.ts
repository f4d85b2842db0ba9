/** Which notices this browser gave, so that no tab and no reload gives one again. */
import type { Notice } from '@/lib/view/notices/notices'
import { parseStored } from '../hooks/stored-json'

/** Older ones are forgotten; an incident that lasts through so many others would be told again. */
const MOST = 500

/** Ids, the latest last. Anything else that is kept counts as none. */
export function parseTold(text: string | null): string[] {
  const value = parseStored(text)
  return Array.isArray(value) ? value.filter((id) => typeof id === 'string').slice(-MOST) : []
}

/** What to tell now, of notices that came together, and what is told then. Of one incident only the latest is told. */
export function newNotices(told: readonly string[], notices: readonly Notice[]): { tell: Notice[]; told: string[] } {
  const known = new Set(told)
  const fresh = notices.filter(({ id }) => !known.has(id))
  const latest = new Map(fresh.map((notice) => [notice.incident.id, notice]))
  return { tell: [...latest.values()], told: [...told, ...fresh.map(({ id }) => id)].slice(-MOST) }
}
