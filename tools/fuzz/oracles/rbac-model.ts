/**
 * RBAC as its documentation defines it, over a finite set of questions: written apart from the server's authorizer, so
 * that the two can be compared. Reads own properties only.
 */

export interface Probe {
  verb: string
  group: string
  /** With its subresource. */
  resource: string
  /** '' for the whole cluster. */
  namespace: string
  /** '' for any object. */
  name: string
}

export interface RbacObjects {
  roles: readonly unknown[]
  bindings: readonly unknown[]
  clusterRoles: readonly unknown[]
  clusterBindings: readonly unknown[]
}

const RBAC_GROUP = 'rbac.authorization.k8s.io'

const verbs = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'escalate', 'bind', 'impersonate']
const resources: readonly (readonly [group: string, resource: string])[] = [
  ['', 'secrets'],
  ['', 'configmaps'],
  ['', 'pods'],
  ['', 'pods/exec'],
  ['', 'serviceaccounts'],
  ['', 'serviceaccounts/token'],
  ['', 'users'],
  ['', 'groups'],
  ['apps', 'deployments'],
  [RBAC_GROUP, 'roles'],
  [RBAC_GROUP, 'rolebindings'],
  [RBAC_GROUP, 'clusterroles'],
  [RBAC_GROUP, 'clusterrolebindings'],
  ['work.karmada.io', 'resourcebindings'],
]

/** Every question about a namespace and about the cluster. */
export function probes(namespace: string): Probe[] {
  return [namespace, ''].flatMap((space) =>
    resources.flatMap(([group, resource]) =>
      verbs.flatMap((verb) => ['', 'foo', 'bar'].map((name) => ({ verb, group, resource, namespace: space, name }))),
    ),
  )
}

interface Rule {
  verbs: string[]
  apiGroups: string[]
  resources: string[]
  resourceNames: string[]
}

/** Answers whether a user may. */
export function modelOf(objects: RbacObjects): (user: string, probe: Probe) => boolean {
  const roles = new Map(objects.roles.map((role) => [nameOf(role), rulesOf(role)]))
  const clusterRoles = new Map(objects.clusterRoles.map((role) => [nameOf(role), rulesOf(role)]))
  const grants = [
    ...objects.bindings.map((binding) => ({ binding, everywhere: false })),
    ...objects.clusterBindings.map((binding) => ({ binding, everywhere: true })),
  ].map(({ binding, everywhere }) => {
    const ref = field(binding, 'roleRef')
    const from = field(ref, 'kind') === 'ClusterRole' ? clusterRoles : roles
    return { everywhere, subjects: list(field(binding, 'subjects')), rules: from.get(String(field(ref, 'name'))) ?? [] }
  })
  return (user, probe) =>
    grants.some(
      ({ everywhere, subjects, rules }) =>
        (everywhere || probe.namespace !== '')
        && subjects.some((subject) => isUser(subject, user))
        && rules.some((rule) => covers(rule, probe)),
    )
}

function covers({ verbs, apiGroups, resources, resourceNames }: Rule, { verb, group, resource, name }: Probe): boolean {
  const [, subresource] = resource.split('/')
  return (
    (verbs.includes('*') || verbs.includes(verb))
    && (apiGroups.includes('*') || apiGroups.includes(group))
    && (resources.includes('*')
      || resources.includes(resource)
      || (subresource !== undefined && resources.includes(`*/${subresource}`)))
    && (resourceNames.length === 0 || (name !== '' && resourceNames.includes(name)))
  )
}

function isUser(subject: unknown, user: string): boolean {
  const name = field(subject, 'name')
  switch (field(subject, 'kind')) {
    case 'User':
      return name === user
    case 'Group':
      return groupsOf(user).includes(String(name))
    case 'ServiceAccount':
      return user === `system:serviceaccount:${String(field(subject, 'namespace'))}:${String(name)}`
    default:
      return false
  }
}

function groupsOf(user: string): string[] {
  if (user === 'system:anonymous') return ['system:unauthenticated']
  const [, namespace] = /^system:serviceaccount:([^:]+):/.exec(user) ?? []
  return [
    'system:authenticated',
    ...(namespace === undefined ? [] : ['system:serviceaccounts', `system:serviceaccounts:${namespace}`]),
  ]
}

const rulesOf = (role: unknown): Rule[] =>
  list(field(role, 'rules')).map((rule) => ({
    verbs: texts(field(rule, 'verbs')),
    apiGroups: texts(field(rule, 'apiGroups')),
    resources: texts(field(rule, 'resources')),
    resourceNames: texts(field(rule, 'resourceNames')),
  }))

const nameOf = (object: unknown): string => String(field(field(object, 'metadata'), 'name'))

function field(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
  return (value as Record<string, unknown>)[key]
}

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const texts = (value: unknown): string[] => list(value).filter((each) => typeof each === 'string')
