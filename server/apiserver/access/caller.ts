/** The authenticated caller. */
import { ANONYMOUS, AUTHENTICATED, UNAUTHENTICATED } from '@/lib/kube/rbac/names'
import type { Caller } from '../call'

/** A caller without credentials. */
export const anonymous: Caller = { user: ANONYMOUS, groups: [UNAUTHENTICATED] }

/** The same caller in the group of authenticated users. */
export function authenticated(caller: Caller): Caller {
  if (caller.user === ANONYMOUS || caller.groups.includes(AUTHENTICATED)) return caller
  return { ...caller, groups: [...caller.groups, AUTHENTICATED] }
}
