/** Impersonation by headers, for callers with the right to do so. */
import type { IncomingHttpHeaders } from 'node:http'
import { kubeError } from '@/lib/kube/errors'
import type { Attributes, ResourceAttributes } from '@/lib/kube/rbac/attributes'
import {
  accountGroups,
  accountOf,
  ANONYMOUS,
  AUTHENTICATED,
  MASTERS,
  nodeOf,
  NODES,
  UNAUTHENTICATED,
} from '@/lib/kube/rbac/names'
import { impersonatedValue } from '@/lib/kube/rbac/impersonation'
import { setField } from '@/lib/std/fields'
import type { Caller } from '../call'
import { forbiddenRequest } from './decision'
import type { Authorizer } from './authorizer'

/** Impersonation headers that may be repeated. */
export type DistinctHeaders = NodeJS.Dict<string[]>

const EXTRA = 'impersonate-extra-'

/** Reports whether a request impersonates. */
export function hasImpersonationHeaders(headers: IncomingHttpHeaders): boolean {
  for (const name in headers) if (name.startsWith('impersonate-')) return true
  return false
}

type ImpersonatedIdentity = Required<Pick<Caller, 'user' | 'groups' | 'extra' | 'uid'>>

/** The identity in the headers; undefined without one. Throws 400 for groups and other fields without a user. */
export function impersonatedIdentity(headers: DistinctHeaders): ImpersonatedIdentity | undefined {
  const all = (name: string): string[] => (headers[name] ?? []).map(impersonatedValue)
  const first = (name: string): string => all(name)[0] ?? ''
  const extra: Record<string, string[]> = {}
  for (const name of Object.keys(headers)) {
    if (name.startsWith(EXTRA)) setField(extra, unescaped(name.slice(EXTRA.length)), all(name))
  }
  const user = first('impersonate-user')
  const uid = first('impersonate-uid')
  const groups = all('impersonate-group')
  if (user !== '') return { user, uid, groups, extra }
  if (uid === '' && groups.length === 0 && Object.keys(extra).length === 0) return undefined
  const shown = `Name:"", UID:${JSON.stringify(uid)}, Groups:${goList(groups)}, Extra:${goMap(extra)}`
  throw kubeError(400, 'BadRequest', `requested &user.DefaultInfo{${shown}} without impersonating a user name`)
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function goList(values: readonly string[]): string {
  return `[]string${values.length > 0 ? `{${values.map((value) => JSON.stringify(value)).join(', ')}}` : '(nil)'}`
}

function goMap(extra: Readonly<Record<string, readonly string[]>>): string {
  const entries = Object.entries(extra).sort(([a], [b]) => (a < b ? -1 : 1))
  if (entries.length === 0) return 'map[string][]string(nil)'
  const texts = entries.map(([key, values]) => `${JSON.stringify(key)}:${goList(values).slice('[]string'.length)}`)
  return `map[string][]string{${texts.join(', ')}}`
}

/** A request to impersonate. */
export interface Impersonation {
  authorizer: Authorizer
  keyspace: string
  caller: Caller
  wanted: ImpersonatedIdentity
  /** The impersonated request. */
  attributes: Attributes
}

/**
 * The impersonated caller. First the constrained verbs for some kinds of users and requests are tried
 * (`impersonate:user-info` with `impersonate-on:user-info:list` and so on), then `impersonate`. Throws the first
 * refusal (403).
 */
export function impersonated(request: Impersonation): Caller {
  const refusals: unknown[] = []
  for (const mode of modesFor(request.wanted)) {
    try {
      return actAs(request, mode)
    } catch (error) {
      refusals.push(error)
    }
  }
  throw refusals[0]
}

/** A way to impersonate. The empty one is the classic: its users and groups are of the core group. */
type Mode = '' | 'arbitrary-node' | 'serviceaccount' | 'user-info'

function modesFor({ user, uid, groups, extra }: ImpersonatedIdentity): Mode[] {
  const onlyUser = uid === '' && groups.length === 0 && Object.keys(extra).length === 0
  if (nodeOf(user) !== undefined) return onlyUser ? ['arbitrary-node', ''] : ['']
  if (accountOf(user)) return onlyUser ? ['serviceaccount', ''] : ['']
  return ['user-info', '']
}

function actAs({ authorizer, keyspace, caller, wanted, attributes }: Impersonation, mode: Mode): Caller {
  const demand = (what: Attributes): void => authorizer.require(keyspace, caller, what)
  if (mode !== '') demand({ ...attributes, verb: `impersonate-on:${mode}:${attributes.verb}` })
  if (mode !== '') refuseUnfit(caller, wanted, mode)
  for (const part of partsOf(wanted, mode)) demand(part)
  const groups = groupsOf(wanted, mode)
  const { user, uid, extra } = wanted
  return { user, groups, ...(uid && { uid }), ...(Object.keys(extra).length > 0 && { extra }) }
}

const AUTHENTICATION = { group: 'authentication.k8s.io', version: 'v1' }
const CORE = { group: '', version: 'v1' }

/** Each right that it takes. */
function partsOf({ user, uid, groups, extra }: ImpersonatedIdentity, mode: Mode): ResourceAttributes[] {
  const verb = mode === '' ? 'impersonate' : `impersonate:${mode}`
  const people = { verb, ...(mode === '' ? CORE : AUTHENTICATION), subresource: '', namespace: '' }
  const others = { ...people, ...AUTHENTICATION }
  const node = mode === 'arbitrary-node' ? nodeOf(user) : undefined
  const account = accountOf(user)
  const who =
    node !== undefined
      ? { ...people, resource: 'nodes', name: node }
      : account
        ? { ...people, resource: 'serviceaccounts', ...account }
        : { ...people, resource: 'users', name: user }
  return [
    who,
    ...(uid ? [{ ...others, resource: 'uids', name: uid }] : []),
    ...groups.map((name) => ({ ...people, resource: 'groups', name })),
    ...Object.entries(extra).flatMap(([subresource, values]) =>
      values.map((name) => ({ ...others, resource: 'userextras', subresource, name })),
    ),
  ]
}

/** Available with the verb `impersonate` only. */
function refuseUnfit(caller: Caller, { groups }: ImpersonatedIdentity, mode: Mode): void {
  const refuse = (name: string, why: string): never => {
    throw forbiddenRequest(
      caller.user,
      { verb: `impersonate:${mode}`, ...AUTHENTICATION, resource: 'groups', subresource: '', namespace: '', name },
      why,
    )
  }
  if (groups.includes('')) refuse('', 'impersonating the empty string group is not allowed')
  if (groups.includes(MASTERS)) refuse(MASTERS, 'impersonating the system:masters group is not allowed')
}

/** The groups of a service account or a node are derived; every caller is authenticated or unauthenticated. */
function groupsOf({ user, groups }: ImpersonatedIdentity, mode: Mode): string[] {
  const account = accountOf(user)
  const ofAccount = account && groups.length === 0 ? accountGroups(account.namespace) : groups
  const implied = mode === 'arbitrary-node' ? [NODES] : ofAccount
  const own = user === ANONYMOUS ? UNAUTHENTICATED : AUTHENTICATED
  if (implied.includes(own) || implied.includes(UNAUTHENTICATED)) return [...implied]
  return [...implied, own]
}
