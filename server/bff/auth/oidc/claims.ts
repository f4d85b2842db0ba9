/** Maps the claims of an identity provider to the user that the API server sees. */
import type { Identity } from '@/lib/kube/rbac/attributes'
import { impersonationHeaders } from '@/lib/kube/rbac/impersonation'
import { err, ok, type Result } from '@/lib/std/result'
import type { OidcSettings } from './settings'

export type Claims = Readonly<Record<string, unknown>>

/**
 * Prefix of names and groups that belong to the control plane. No provider may assign them: `system:masters` may do
 * everything.
 */
const RESERVED = 'system:'

/**
 * Returns the identity that a kube-apiserver with the same flags would derive. Returns an error for the log when there
 * is no name, the email address is not verified, or the name belongs to the control plane. Groups of the control plane
 * are omitted, as are groups that cannot be sent in a header.
 */
export function identityOfClaims(claims: Claims, settings: OidcSettings): Result<Identity, string> {
  const { issuer, usernameClaim, groupsClaim, groupsPrefix } = settings
  const name = claims[usernameClaim]
  // log: as below
  if (typeof name !== 'string' || name === '') return err(`the claim "${usernameClaim}" has no user name`)
  if (usernameClaim === 'email' && 'email_verified' in claims && claims.email_verified !== true) {
    // log: as below
    return err('the email address is not verified')
  }
  const prefix = settings.usernamePrefix ?? (usernameClaim === 'email' ? '' : `${issuer}#`)
  const user = `${prefix === '-' ? '' : prefix}${name}`
  // log: these reasons are logged only; the user reads that the login failed.
  if (user.startsWith(RESERVED)) return err(`the name "${user}" is reserved for the control plane`)
  if (!isHeaderSafe(user)) return err(`the name ${JSON.stringify(user)} cannot be sent in a header`)
  const groups = textsOf(claims[groupsClaim]).map((group) => `${groupsPrefix}${group}`)
  return ok({ user, groups: groups.filter((group) => !group.startsWith(RESERVED) && isHeaderSafe(group)) })
}

/** Reports whether these claims contain both the user name and the groups. */
export function areComplete(claims: Claims, { usernameClaim, groupsClaim }: OidcSettings): boolean {
  return usernameClaim in claims && groupsClaim in claims
}

/** Some providers send a single group as a string. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : []
}

function isHeaderSafe(user: string): boolean {
  try {
    impersonationHeaders({ user, groups: [] })
    return true
  } catch {
    return false
  }
}
