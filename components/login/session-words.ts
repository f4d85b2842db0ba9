/** What the console says of whoever is there. */
import { formatDuration, formatMoment } from '@/lib/format'
import { type EpochMs, formatTime } from '@/lib/std/clock'
import type { SessionView } from '@/lib/view/login'

/** Names of users can be addresses; what tells them apart stands at their end. */
export function shortName(user: string): string {
  return user.split('#').at(-1) || 'nobody known'
}

const WAYS: Record<SessionView['via'], string> = {
  local: 'Nobody logs in here', bearer: 'By a token with each request', token: 'By token', oidc: 'By identity provider',
}

export const wayInWords = ({ via }: Pick<SessionView, 'via'>): string => WAYS[via]

/** When and why the session ends; undefined where none does. */
export function endInWords({ expiresAt, idle }: SessionView, now: EpochMs): string | undefined {
  if (expiresAt === undefined) return undefined
  const unused = idle ? `, and after ${formatDuration(idle.timeoutMs)} without any action` : ''
  return `Ends in ${formatDuration(expiresAt - now)}, at ${formatMoment(formatTime(expiresAt))} UTC${unused}.`
}
