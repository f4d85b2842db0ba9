/** One short text for each identity. */
import { createHash } from 'node:crypto'
import type { Identity } from '@/lib/kube/rbac/attributes'
import type { Principal } from './principal'

/** The same for the same name, uid, groups and extra, in whichever order they come. Tells nothing of them. */
export function principalKey({ user, uid = '', groups, extra = {} }: Identity): string {
  const extras = Object.entries(extra).map(([key, values]) => [key, values.toSorted()] as const)
  const whole = [user, uid, [...new Set(groups)].toSorted(), extras.toSorted(([a], [b]) => (a < b ? -1 : 1))]
  return createHash('sha256').update(JSON.stringify(whole)).digest('base64url')
}

/**
 * By whom limits, quota and Idempotency-Keys count: the user, whichever login or token a request comes with. Each new
 * token of a service account brings an extra of its own, and would otherwise count as another user.
 */
export function personKey({ via, key, identity: { user } }: Pick<Principal, 'via' | 'key' | 'identity'>): string {
  return via === 'local' ? key : `user ${user}`
}
