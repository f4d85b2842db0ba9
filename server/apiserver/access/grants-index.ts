/**
 * Finds the rules of a user without reading other bindings: an index by user and group, per namespace, updated by the
 * events of the store.
 */
import type { ClusterRole, PolicyRule } from '@/lib/kube/kinds/cluster-role'
import type { RoleBinding } from '@/lib/kube/kinds/role-binding'
import type { Identity } from '@/lib/kube/rbac/attributes'
import { describeSubject, keyOfSubject, keysOf } from '@/lib/kube/rbac/subjects'
import type { UnknownObject } from '@/lib/kube/object'
import type { Entry, StoreEvent } from '../store/store'

/** A binding of a subject, with the rules of its role. */
export interface Grant {
  rules: readonly PolicyRule[]
  /** `ClusterRoleBinding "a" of ClusterRole "b" to User "c"`; for messages only. */
  describe(): string
  /** Set when the role does not exist, and therefore grants no permission. */
  missing?: string
}

const ROLES = 'roles.rbac.authorization.k8s.io'
const CLUSTER_ROLES = 'clusterroles.rbac.authorization.k8s.io'
const ROLE_BINDINGS = 'rolebindings.rbac.authorization.k8s.io'
const CLUSTER_ROLE_BINDINGS = 'clusterrolebindings.rbac.authorization.k8s.io'
/** The kinds that grant rights, as the store names them. */
export const GRANTING: readonly string[] = [ROLES, CLUSTER_ROLES, ROLE_BINDINGS, CLUSTER_ROLE_BINDINGS]

type Binding = Pick<RoleBinding, 'metadata' | 'roleRef' | 'subjects'>
/** Bindings by subject, then by key. */
type BindingsBySubject = Map<string, Map<string, Binding>>

/** The grants of one key space. */
export class GrantsIndex {
  /** By namespace; the empty one holds the ClusterRoleBindings. */
  readonly #bindings = new Map<string, BindingsBySubject>()
  readonly #rules = new Map<string, readonly PolicyRule[]>()
  readonly #clusterRoles = new Map<string, ClusterRole>()

  get clusterRoles(): readonly ClusterRole[] {
    return [...this.#clusterRoles.values()]
  }

  /** Takes in an object as it is now. */
  put(entry: Entry, previous?: Entry): void {
    const { resource, key } = entry.location
    if (resource === CLUSTER_ROLES) this.#clusterRoles.set(key, entry.value as unknown as ClusterRole)
    if (isRole(resource)) this.#rules.set(`${resource} ${key}`, storedRules(entry.value))
    else if (isBinding(resource)) {
      if (previous) this.#unbind(previous)
      this.#bind(entry)
    }
  }

  remove({ location: { resource, key } }: Entry, last: Entry): void {
    if (resource === CLUSTER_ROLES) this.#clusterRoles.delete(key)
    if (isRole(resource)) this.#rules.delete(`${resource} ${key}`)
    else if (isBinding(resource)) this.#unbind(last)
  }

  /** Takes in what happened. */
  apply({ type, entry, previous }: StoreEvent): void {
    if (type === 'put') this.put(entry, previous)
    else this.remove(entry, previous ?? entry)
  }

  /** The rules of a user: cluster-wide first, then in `namespace` unless it is empty. */
  *grantsTo(identity: Identity, namespace: string): Generator<Grant> {
    const keys = keysOf(identity)
    yield* this.#grantsIn('', keys)
    if (namespace !== '') yield* this.#grantsIn(namespace, keys)
  }

  /** The rules of a role; undefined when there is none such. */
  rulesOfRole(roleRef: { kind: string; name: string }, namespace: string): readonly PolicyRule[] | undefined {
    const { kind, name } = roleRef
    return this.#rules.get(kind === 'Role' ? `${ROLES} ${namespace}/${name}` : `${CLUSTER_ROLES} ${name}`)
  }

  *#grantsIn(namespace: string, keys: readonly string[]): Generator<Grant> {
    const room = this.#bindings.get(namespace)
    if (!room) return
    for (const key of keys) {
      for (const binding of room.get(key)?.values() ?? []) yield this.#grantOf(binding, namespace, key)
    }
  }

  #grantOf(binding: Binding, namespace: string, key: string): Grant {
    const { roleRef } = binding
    const rules = this.rulesOfRole(roleRef, namespace)
    const describe = (): string => describeGrant(binding, namespace, key)
    return rules ? { rules, describe } : { rules: [], describe, missing: missingRole(roleRef) }
  }

  #bind(entry: Entry): void {
    const binding = entry.value as unknown as Binding
    const namespace = namespaceOf(entry)
    const room = this.#bindings.get(namespace) ?? new Map<string, Map<string, Binding>>()
    this.#bindings.set(namespace, room)
    for (const subject of binding.subjects ?? []) {
      const key = keyOfSubject(subject, namespace)
      if (key === undefined) continue
      const bindings = room.get(key) ?? new Map<string, Binding>()
      room.set(key, bindings.set(entry.location.key, binding))
    }
  }

  #unbind(entry: Entry): void {
    const namespace = namespaceOf(entry)
    const room = this.#bindings.get(namespace)
    for (const subject of (entry.value as unknown as Binding).subjects ?? []) {
      const key = keyOfSubject(subject, namespace)
      const bindings = key === undefined ? undefined : room?.get(key)
      bindings?.delete(entry.location.key)
      if (key !== undefined && bindings?.size === 0) room?.delete(key)
    }
    if (room?.size === 0) this.#bindings.delete(namespace)
  }
}

const isRole = (resource: string): boolean => resource === ROLES || resource === CLUSTER_ROLES
const isBinding = (resource: string): boolean => resource === ROLE_BINDINGS || resource === CLUSTER_ROLE_BINDINGS

function namespaceOf({ location, value }: Entry): string {
  return location.resource === ROLE_BINDINGS ? (value.metadata.namespace ?? '') : ''
}

/**
 * Returns the rules of a role as stored: properties of an object in memory that are not part of its JSON neither pass
 * the escalation check nor grant a permission.
 */
export function storedRules(role: UnknownObject): readonly PolicyRule[] {
  const { rules } = role as { rules?: readonly PolicyRule[] | null }
  return rules ? (JSON.parse(JSON.stringify(rules)) as PolicyRule[]) : []
}

function describeGrant({ metadata, roleRef, subjects = [] }: Binding, namespace: string, key: string): string {
  const subject = subjects.find((one) => keyOfSubject(one, namespace) === key)
  const binding =
    namespace === ''
      ? `ClusterRoleBinding ${JSON.stringify(metadata.name)}`
      : `RoleBinding ${JSON.stringify(`${metadata.name}/${namespace}`)}`
  const whom = subject ? describeSubject(subject, namespace) : ''
  return `${binding} of ${roleRef.kind} ${JSON.stringify(roleRef.name)} to ${whom}`
}

/** `clusterrole.rbac.authorization.k8s.io "a" not found` */
function missingRole({ kind, name }: { kind: string; name: string }): string {
  return `${kind.toLowerCase()}.rbac.authorization.k8s.io ${JSON.stringify(name)} not found`
}
