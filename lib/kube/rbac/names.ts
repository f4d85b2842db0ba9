/** The names of users and groups that a server itself gives. */
import { checkDnsLabel, checkSubdomain } from '../validation/formats'

export const RBAC_GROUP = 'rbac.authorization.k8s.io'

export const ANONYMOUS = 'system:anonymous'
export const AUTHENTICATED = 'system:authenticated'
export const UNAUTHENTICATED = 'system:unauthenticated'
/** Group whose members may do everything, independent of RBAC rules. */
export const MASTERS = 'system:masters'
export const NODES = 'system:nodes'

const ACCOUNT = 'system:serviceaccount:'
const NODE = 'system:node:'

/** The user that a service account acts as. */
export function accountUser(namespace: string, name: string): string {
  return `${ACCOUNT}${namespace}:${name}`
}

/** The groups that every service account of a namespace is in. */
export function accountGroups(namespace: string): string[] {
  return ['system:serviceaccounts', `system:serviceaccounts:${namespace}`]
}

/** Returns the service account of a user name; undefined for other users. */
export function accountOf(user: string): { namespace: string; name: string } | undefined {
  if (!user.startsWith(ACCOUNT)) return undefined
  const [namespace, name, ...rest] = user.slice(ACCOUNT.length).split(':')
  if (!namespace || !name || rest.length > 0) return undefined
  return checkDnsLabel(namespace).length > 0 || checkSubdomain(name).length > 0 ? undefined : { namespace, name }
}

/** Returns the node of a user name; undefined for other users. */
export function nodeOf(user: string): string | undefined {
  if (!user.startsWith(NODE)) return undefined
  const name = user.slice(NODE.length)
  return checkSubdomain(name).length > 0 ? undefined : name
}
