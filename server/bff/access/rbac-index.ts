/**
 * Indexes the subjects of RBAC objects by namespace. It shows where and when a review is worthwhile; only the API
 * server decides what a user may do.
 */
import { type ClusterRole, clusterRole } from '@/lib/kube/kinds/cluster-role'
import { type ClusterRoleBinding, clusterRoleBinding } from '@/lib/kube/kinds/cluster-role-binding'
import { type Role, role } from '@/lib/kube/kinds/role'
import { type RbacSubject, type RoleBinding, roleBinding, type RoleRef } from '@/lib/kube/kinds/role-binding'
import type { Identity } from '@/lib/kube/rbac/attributes'
import { accountGroups, accountOf, AUTHENTICATED } from '@/lib/kube/rbac/names'
import { keyOfSubject, keysOf } from '@/lib/kube/rbac/subjects'
import { deepEqual } from '@/lib/std/equal'
import type { Change, Informers } from '@/server/kube/informer'

/** The subjects that a change concerns, by key, and the namespace; without a namespace, everywhere. */
export interface RbacChange {
  keys: readonly string[]
  namespace?: string
}

/** An object of any of the four RBAC kinds. */
export type RbacObject = Role | RoleBinding | ClusterRole | ClusterRoleBinding

const BY_SUBJECT = 'subject'
const BY_ROLE = 'role'
const NO_SUBJECTS: readonly RbacChange[] = []

/** Returns the keys under which RBAC may name a user, including the groups that the API server itself adds. */
export function keysOfIdentity({ user, groups }: Identity): readonly string[] {
  const account = accountOf(user)
  const added = account ? accountGroups(account.namespace) : []
  return keysOf({ user, groups: [...new Set([...groups, AUTHENTICATED, ...added])] })
}

/** Reads the cached RBAC objects. Call only the methods whose kinds are cached. */
export class RbacIndex {
  constructor(private readonly informers: Informers) {}

  /** Adds the indexes. Call it once the caches of both binding kinds are filled. */
  addIndexes(): void {
    const bindings = this.informers.of(roleBinding)
    bindings.addIndex(BY_SUBJECT, keysIn)
    bindings.addIndex(BY_ROLE, ({ roleRef, metadata }) => [roleKey(roleRef, metadata.namespace)])
    this.informers.of(clusterRoleBinding).addIndex(BY_ROLE, ({ roleRef }) => [roleKey(roleRef)])
  }

  /** Returns the namespaces in which one of these subjects is bound to a role. */
  namespacesOf(keys: readonly string[]): Set<string> {
    const bindings = this.informers.of(roleBinding)
    const found = keys.flatMap((key) => bindings.byIndex(BY_SUBJECT, key))
    return new Set(found.map(({ metadata }) => metadata.namespace ?? ''))
  }

  /** Returns the subjects whose permissions a change may affect; none when it changed neither rules nor subjects. */
  changesOf(change: Change<RbacObject>): readonly RbacChange[] {
    const objects = [
      ...(change.type === 'added' ? [] : [change.old]),
      ...(change.type === 'deleted' ? [] : [change.object]),
    ]
    if (change.type === 'updated' && deepEqual(grantsIn(change.old), grantsIn(change.object))) return NO_SUBJECTS
    return objects.flatMap((object) => this.#changesOfObject(object))
  }

  #changesOfObject(object: RbacObject): readonly RbacChange[] {
    if (object.kind === roleBinding.kind || object.kind === clusterRoleBinding.kind) {
      return [changeOf(object as RoleBinding)]
    }
    const { namespace, name } = object.metadata
    const key = roleKey({ kind: object.kind, name }, namespace)
    const everywhere = object.kind === role.kind ? [] : this.informers.of(clusterRoleBinding).byIndex(BY_ROLE, key)
    return [...this.informers.of(roleBinding).byIndex(BY_ROLE, key), ...everywhere].map(changeOf)
  }
}

function changeOf(binding: RoleBinding | ClusterRoleBinding): RbacChange {
  const { namespace } = binding.metadata
  return { keys: keysIn(binding), ...(namespace !== undefined && { namespace }) }
}

const keysIn = ({
  subjects = [],
  metadata,
}: {
  subjects?: RbacSubject[]
  metadata: { namespace?: string }
}): string[] => subjects.flatMap((subject) => keyOfSubject(subject, metadata.namespace ?? '') ?? [])

/** A Role is identified by its namespace too; a ClusterRole is the same in all namespaces. */
const roleKey = ({ kind, name }: Pick<RoleRef, 'kind' | 'name'>, namespace = ''): string =>
  kind === clusterRole.kind ? `ClusterRole/${name}` : `Role/${namespace}/${name}`

const grantsIn = (object: RbacObject): unknown => {
  const { rules, subjects, roleRef } = object as Partial<ClusterRole & RoleBinding>
  return { rules, subjects, roleRef }
}
