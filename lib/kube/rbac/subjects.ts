/** Whom a binding names. */
import type { RbacSubject } from '../kinds/role-binding'
import type { Identity } from './attributes'
import { accountUser } from './names'

/** The index key of a subject; undefined for an invalid subject. */
export function keyOfSubject(subject: RbacSubject, bindingNamespace: string): string | undefined {
  switch (subject.kind) {
    case 'User':
      return `user ${subject.name}`
    case 'Group':
      return `group ${subject.name}`
    case 'ServiceAccount': {
      const namespace = subject.namespace || bindingNamespace
      return namespace === '' ? undefined : `user ${accountUser(namespace, subject.name)}`
    }
    default:
      return undefined
  }
}

/** The keys under which bindings of this identity are found. */
export function keysOf({ user, groups }: Identity): string[] {
  return [`user ${user}`, ...groups.map((group) => `group ${group}`)]
}

/** `User "ann"`, `ServiceAccount "name/namespace"`. */
export function describeSubject({ kind, name, namespace }: RbacSubject, bindingNamespace: string): string {
  return `${kind} "${kind === 'ServiceAccount' ? `${name}/${namespace || bindingNamespace}` : name}"`
}
