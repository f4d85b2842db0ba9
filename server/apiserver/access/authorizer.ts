/** Authorizes requests in the control plane and in each member, by the roles and bindings there. */
import { type Attributes, type Identity, isPathRequest } from '@/lib/kube/rbac/attributes'
import type { PolicyRule } from '@/lib/kube/kinds/cluster-role'
import { MASTERS } from '@/lib/kube/rbac/names'
import { rulesAllow } from '@/lib/kube/rbac/rules'
import type { Store } from '../store/store'
import { type Decision, forbiddenRequest } from './decision'
import { type Grant, GRANTING, GrantsIndex } from './grants-index'

/** The rules of a user in a namespace, and roles of bindings that do not exist. */
export interface HeldRules {
  rules: PolicyRule[]
  missing: string[]
}

export interface Authorizer {
  /** Never throws, and costs a look-up for each of the caller's groups. */
  decide(keyspace: string, identity: Identity, attributes: Attributes): Decision
  /** Throws 403. */
  require(keyspace: string, identity: Identity, attributes: Attributes): void
  rulesOf(keyspace: string, identity: Identity, namespace: string): HeldRules
  /** The roles and bindings of a keyspace, as of the newest durable write. */
  grants(keyspace: string): GrantsIndex
  close(): void
}

/** Reads the roles and bindings of every keyspace and follows their changes. */
export function createAuthorizer(store: Store): Authorizer {
  const keyspaces = new Map<string, GrantsIndex>()
  const grants = (keyspace: string): GrantsIndex => {
    const known = keyspaces.get(keyspace)
    if (known) return known
    const index = new GrantsIndex()
    for (const resource of GRANTING) for (const entry of store.list({ keyspace, resource })) index.put(entry)
    keyspaces.set(keyspace, index)
    return index
  }
  for (const keyspace of store.keyspaces()) grants(keyspace)
  const close = store.subscribe((events) => {
    for (const event of events) {
      const { keyspace, resource } = event.entry.location
      if (GRANTING.includes(resource)) grants(keyspace).apply(event)
    }
  })
  const decide: Authorizer['decide'] = (keyspace, identity, attributes) => {
    if (identity.groups.includes(MASTERS)) return ALLOWED
    return judge(grants(keyspace).grantsTo(identity, isPathRequest(attributes) ? '' : attributes.namespace), attributes)
  }
  return {
    decide,
    require: (keyspace, identity, attributes) => {
      const { allowed, reason } = decide(keyspace, identity, attributes)
      if (!allowed) throw forbiddenRequest(identity.user, attributes, reason)
    },
    rulesOf: (keyspace, identity, namespace) => {
      const all = [...grants(keyspace).grantsTo(identity, namespace)]
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
  return {
    allowed: false,
    reason: `RBAC: ${missing.length === 1 ? (missing[0] as string) : `[${missing.join(', ')}]`}`,
  }
}

function missingOf(grants: readonly Grant[]): string[] {
  return [...new Set(grants.flatMap(({ missing }) => (missing === undefined ? [] : [missing])))]
}
