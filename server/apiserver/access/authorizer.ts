/** Decides who may do what, in the control plane and in each member by the roles and bindings there. */
import { type Attributes, type Identity, isPathRequest } from '@/lib/kube/rbac/attributes'
import type { PolicyRule } from '@/lib/kube/kinds/cluster-role'
import { MASTERS } from '@/lib/kube/rbac/names'
import { rulesAllow } from '@/lib/kube/rbac/rules'
import type { Store } from '../store/store'
import { type Decision, forbiddenRequest } from './decision'
import { type Grant, GRANTING, GrantsIndex } from './grants-index'

/** Whoever asks for these is told nothing but that the server lives. */
const ALWAYS_ALLOWED = new Set(['/healthz', '/readyz', '/livez'])

/** The rules that somebody has in a namespace, and the roles of bindings that could not be found. */
export interface HeldRules {
  rules: PolicyRule[]
  missing: string[]
}

export interface Authorizer {
  /** Never throws, and costs a look-up for each of the caller's groups. */
  decide(realm: string, identity: Identity, attributes: Attributes): Decision
  /** Throws 403. */
  require(realm: string, identity: Identity, attributes: Attributes): void
  rulesOf(realm: string, identity: Identity, namespace: string): HeldRules
  /** The roles and bindings of a realm, as of the newest durable write. */
  grants(realm: string): GrantsIndex
  close(): void
}

/** Reads the roles and bindings of every realm and follows their changes. */
export function createAuthorizer(store: Store): Authorizer {
  const realms = new Map<string, GrantsIndex>()
  const grants = (realm: string): GrantsIndex => {
    const known = realms.get(realm)
    if (known) return known
    const index = new GrantsIndex()
    for (const resource of GRANTING) for (const entry of store.list({ realm, resource })) index.put(entry)
    realms.set(realm, index)
    return index
  }
  for (const realm of store.realms()) grants(realm)
  const close = store.subscribe((events) => {
    for (const event of events) {
      const { realm, resource } = event.entry.location
      if (GRANTING.includes(resource)) grants(realm).apply(event)
    }
  })
  const decide: Authorizer['decide'] = (realm, identity, attributes) => {
    if (identity.groups.includes(MASTERS)) return ALLOWED
    if (isPathRequest(attributes) && ALWAYS_ALLOWED.has(attributes.path)) return ALLOWED
    return judge(grants(realm).grantsTo(identity, isPathRequest(attributes) ? '' : attributes.namespace), attributes)
  }
  return {
    decide,
    require: (realm, identity, attributes) => {
      const { allowed, reason } = decide(realm, identity, attributes)
      if (!allowed) throw forbiddenRequest(identity.user, attributes, reason)
    },
    rulesOf: (realm, identity, namespace) => {
      const all = [...grants(realm).grantsTo(identity, namespace)]
      return { rules: all.flatMap(({ rules }) => rules), missing: missingOf(all) }
    },
    grants,
    close,
  }
}

const ALLOWED: Decision = { allowed: true, reason: '' }

function judge(grants: Iterable<Grant>, attributes: Attributes): Decision {
  const refusing: Grant[] = []
  for (const grant of grants) {
    if (rulesAllow(grant.rules, attributes)) return { allowed: true, reason: `RBAC: allowed by ${grant.describe()}` }
    if (grant.missing !== undefined) refusing.push(grant)
  }
  const missing = missingOf(refusing)
  if (missing.length === 0) return { allowed: false, reason: '' }
  return { allowed: false, reason: `RBAC: ${missing.length === 1 ? missing[0] as string : `[${missing.join(', ')}]`}` }
}

function missingOf(grants: readonly Grant[]): string[] {
  return [...new Set(grants.flatMap(({ missing }) => (missing === undefined ? [] : [missing])))]
}
