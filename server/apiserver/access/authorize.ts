/** Where a request meets authorization. */
import { MASTERS } from '@/lib/kube/rbac/names'
import type { Api, Ask } from '../api'
import type { Call } from '../call'
import { impersonated, wantedCaller, wantsToImpersonate } from './impersonate'
import { attributesOf } from './request-attributes'

/** The same request by whom it wants to act as. Throws 400 for nobody, and 403 for somebody the caller may not be. */
export function actingAs(api: Api, keyspace: string, call: Call): Call {
  if (!wantsToImpersonate(call.headers)) return call
  const wanted = wantedCaller(call.distinctHeaders())
  if (!wanted) return call
  const { authorizer } = api.access
  const attributes = attributesOf(call)
  return { ...call, caller: impersonated({ authorizer, keyspace, caller: call.caller, wanted, attributes }) }
}

/** Throws 403 for what the caller may not do in a key space. Masters may do everything. */
export function authorize(api: Api, keyspace: string, call: Call): void {
  if (call.caller.groups.includes(MASTERS)) return
  api.access.authorizer.require(keyspace, call.caller, attributesOf(call))
}

/** Throws 403 when a request that turns out to create its object may only change it. */
export function authorizeCreation({ api, keyspace, call }: Ask): void {
  if (call.caller.groups.includes(MASTERS)) return
  api.access.authorizer.require(keyspace.name, call.caller, { ...attributesOf(call), verb: 'create' })
}
