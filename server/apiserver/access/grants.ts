/** Users cannot grant permissions that they do not have. */
import type { ClusterRole, PolicyRule } from '@/lib/kube/kinds/cluster-role'
import type { RoleBinding } from '@/lib/kube/kinds/role-binding'
import type { UnknownObject } from '@/lib/kube/object'
import { describeRules, quotedList, TooManyRules, uncovered } from '@/lib/kube/rbac/covers'
import { MASTERS, RBAC_GROUP } from '@/lib/kube/rbac/names'
import { deepEqual } from '@/lib/std/equal'
import { omit } from '@/lib/std/omit'
import type { Scope } from '../api'
import type { Caller } from '../call'
import { forbidden, notFound } from '../failures'
import { storedRules } from './grants-index'

/** A write to a role or a binding. `old` is absent for a creation. */
export interface GrantWrite {
  next: UnknownObject
  old?: UnknownObject
}

/**
 * Throws 403 when the caller would grant rights that they do not hold: by a role without the right to `escalate` it, or
 * by a binding without the right to `bind` its role; and 404 for a binding of a role that is not there. Other kinds
 * pass.
 */
export function refuseEscalation(scope: Scope, caller: Caller, write: GrantWrite): void {
  const { kind } = scope.resource
  if (kind.group !== RBAC_GROUP || caller.groups.includes(MASTERS)) return
  if (write.old && onlyReleases(write.next, write.old)) return
  if (kind.kind === 'Role' || kind.kind === 'ClusterRole') refuseRole(scope, caller, write)
  else refuseBinding(scope, caller, write.next)
}

/** Reports whether a write changes only owners and finalizers, which grants no permission. */
function onlyReleases(next: UnknownObject, old: UnknownObject): boolean {
  return deepEqual(withoutHolders(next), withoutHolders(old))
}

function withoutHolders({ metadata, ...object }: UnknownObject): object {
  return { ...object, metadata: omit(metadata, 'ownerReferences', 'finalizers', 'managedFields') }
}

const EVERYTHING: PolicyRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
]

function refuseRole(scope: Scope, caller: Caller, { next, old }: GrantWrite): void {
  const { kind } = scope.resource
  const { name, namespace = '' } = next.metadata
  if (mayDo(scope, caller, { verb: 'escalate', resource: kind.plural, namespace, name })) return
  const role = next as unknown as ClusterRole
  const refuse = (why: string | undefined): void => {
    if (why !== undefined) throw forbidden(kind, name, why)
  }
  refuse(missingRights(scope, caller, { wanted: storedRules(next), namespace }))
  if (!role.aggregationRule && !(old as unknown as ClusterRole | undefined)?.aggregationRule) return
  const limited = missingRights(scope, caller, { wanted: EVERYTHING, namespace }) !== undefined
  refuse(limited ? 'must have cluster-admin privileges to use the aggregationRule' : undefined)
}

function refuseBinding(scope: Scope, caller: Caller, next: UnknownObject): void {
  const { kind, id } = scope.resource
  const {
    roleRef,
    metadata: { name, namespace = '' },
  } = next as unknown as RoleBinding
  const resource = roleRef.kind === 'Role' ? 'roles' : 'clusterroles'
  if (mayDo(scope, caller, { verb: 'bind', resource, namespace, name: roleRef.name })) return
  const wanted = scope.api.access.authorizer.grants(scope.keyspace.name).rulesOfRole(roleRef, namespace)
  // The real server looks for the role in the name of the resource that is written.
  if (!wanted) throw notFound(kind, roleRef.name)
  const why = missingRights(scope, caller, { wanted, namespace: id.startsWith('cluster') ? '' : namespace })
  if (why !== undefined) throw forbidden(kind, name, why)
}

function mayDo(
  scope: Scope,
  caller: Caller,
  what: { verb: string; resource: string; namespace: string; name: string },
): boolean {
  const attributes = { ...what, group: RBAC_GROUP, version: '*', subresource: '' }
  return scope.api.access.authorizer.decide(scope.keyspace.name, caller, attributes).allowed
}

/** Describes the permissions that the caller lacks; undefined when none is missing. */
function missingRights(
  scope: Scope,
  caller: Caller,
  { wanted, namespace }: { wanted: readonly PolicyRule[]; namespace: string },
): string | undefined {
  const held = scope.api.access.authorizer.rulesOf(scope.keyspace.name, caller, namespace)
  const lacking = compared(held.rules, wanted)
  if (typeof lacking === 'string') return lacking
  if (lacking.length === 0) return undefined
  const who = `user ${JSON.stringify(caller.user)} (groups=${quotedList(caller.groups)})`
  const unresolved = held.missing.length > 0 ? `; resolution errors: [${held.missing.join(' ')}]` : ''
  const all = describeRules(lacking).join('\n')
  const rights = all.length > MAX_LIST_LENGTH ? `${all.slice(0, MAX_LIST_LENGTH)}... and more` : all
  return `${who} is attempting to grant RBAC permissions not currently held:\n${rights}${unresolved}`
}

/** A role may lack more rights than fit into an answer. */
const MAX_LIST_LENGTH = 20_000

/** Returns the missing permissions, or the error of the check, which also refuses the write. */
function compared(held: readonly PolicyRule[], wanted: readonly PolicyRule[]): readonly PolicyRule[] | string {
  try {
    return uncovered(held, wanted)
  } catch (error) {
    if (!(error instanceof TooManyRules)) throw error
    return error.message
  }
}
