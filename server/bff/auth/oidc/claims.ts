/** The user as whom the API server is called, from the claims of an identity provider. */
import type { Identity } from '@/lib/kube/rbac/attributes'
import { impersonationHeaders } from '@/lib/kube/rbac/impersonation'
import { err, ok, type Result } from '@/lib/std/result'
import type { OidcSettings } from './settings'

export type Claims = Readonly<Record<string, unknown>>

/**
 * Names and groups that the control plane gives itself. No provider may give them: `system:masters` may do everything.
 */
const RESERVED = 'system:'

/**
 * As a kube-apiserver with the same flags would say it. Refused, with the reason for the log: no name, an address of
 * mail that is not verified, and names of the control plane itself. Groups of the control plane are left out, as are
 * texts that no header carries.
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
  if (!travels(user)) return err(`the name ${JSON.stringify(user)} cannot be sent in a header`)
  const groups = textsOf(claims[groupsClaim]).map((group) => `${groupsPrefix}${group}`)
  return ok({ user, groups: groups.filter((group) => !group.startsWith(RESERVED) && travels(group)) })
}

/** True when these claims hold both the user's name and groups. */
export function areComplete(claims: Claims, { usernameClaim, groupsClaim }: OidcSettings): boolean {
  return usernameClaim in claims && groupsClaim in claims
}

/** Some providers give a single group as a text. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : []
}

function travels(user: string): boolean {
  try {
    impersonationHeaders({ user, groups: [] })
    return true
  } catch {
    return false
  }
}
