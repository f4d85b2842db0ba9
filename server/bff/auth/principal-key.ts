/** Derives one short text for each identity. */
import { createHash } from 'node:crypto'
import type { Identity } from '@/lib/kube/rbac/attributes'
import type { Principal } from './principal'

/** Returns the same text for the same name, uid, groups and extra in any order. It does not reveal them. */
export function principalKey({ user, uid = '', groups, extra = {} }: Identity): string {
  const extras = Object.entries(extra).map(([key, values]) => [key, values.toSorted()] as const)
  const whole = [user, uid, [...new Set(groups)].toSorted(), extras.toSorted(([a], [b]) => (a < b ? -1 : 1))]
  return createHash('sha256').update(JSON.stringify(whole)).digest('base64url')
}

/**
 * Returns the key by which limits, quota and Idempotency-Keys are counted: the user, regardless of the login or token
 * of a request. Each new token of a service account has its own extra and would otherwise count as another user.
 */
export function personKey({ via, key, identity: { user } }: Pick<Principal, 'via' | 'key' | 'identity'>): string {
  return via === 'local' ? key : `user ${user}`
}
