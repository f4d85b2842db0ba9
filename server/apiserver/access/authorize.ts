/** Authorizes requests. */
import { MASTERS } from '@/lib/kube/rbac/names'
import type { Api, Ask } from '../api'
import type { Call } from '../call'
import { impersonated, impersonatedIdentity, hasImpersonationHeaders } from './impersonate'
import { attributesOf } from './request-attributes'

/**
 * Returns the request with the impersonated identity. Throws 400 for an empty identity, and 403 for one that the caller
 * may not impersonate.
 */
export function actingAs(api: Api, keyspace: string, call: Call): Call {
  if (!hasImpersonationHeaders(call.headers)) return call
  const wanted = impersonatedIdentity(call.distinctHeaders())
  if (!wanted) return call
  const { authorizer } = api.access
  const attributes = attributesOf(call)
  return { ...call, caller: impersonated({ authorizer, keyspace, caller: call.caller, wanted, attributes }) }
}

/** Throws 403 if the caller may not send the request in a key space. `system:masters` may do everything. */
export function authorize(api: Api, keyspace: string, call: Call): void {
  if (call.caller.groups.includes(MASTERS)) return
  api.access.authorizer.require(keyspace, call.caller, attributesOf(call))
}

/** Throws 403 if a request creates an object and the caller may only change it. */
export function authorizeCreation({ api, keyspace, call }: Ask): void {
  if (call.caller.groups.includes(MASTERS)) return
  api.access.authorizer.require(keyspace.name, call.caller, { ...attributesOf(call), verb: 'create' })
}
