/** Texts about the current user. */
import type { Text } from '@/lib/messages'
import { type EpochMs, formatTime } from '@/lib/std/clock'
import type { SessionView } from '@/lib/view/login'

/**
 * Returns the short form of a user name: names can be URLs whose fragment identifies the user. Empty for a user without
 * a name.
 */
export const shortName = (user: string): string => user.split('#').at(-1) ?? ''

/** When and why the session ends; undefined where it does not. */
export function describeEnd(text: Text, { expiresAt, idle }: SessionView, now: EpochMs): string | undefined {
  if (expiresAt === undefined) return undefined
  const end = { left: { ms: expiresAt - now }, at: { moment: formatTime(expiresAt) } }
  return idle ? text('login.user.endsUnused', { ...end, idle: { ms: idle.timeoutMs } }) : text('login.user.ends', end)
}
