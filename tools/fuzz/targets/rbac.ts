/** Graphs of roles and bindings, and a user who may write some of them and tries to come by more than was granted. */
import type { Rng } from '@/lib/std/rng'
import { chance, mutate, pick } from '../broken/mutate'
import { privilege } from '../oracles/privilege'
import { PATCH_TYPES, request, setup, type Step } from '../steps'
import type { Target } from '../target'
import { nativeKeys, times } from '../text'

const GROUP = 'rbac.authorization.k8s.io'
const ROOT = `/apis/${GROUP}/v1`

interface Rule {
  apiGroups: string[]
  resources: string[]
  verbs: string[]
  resourceNames?: string[]
}

const resources = ['secrets', 'configmaps', 'pods', 'serviceaccounts', '*']
const verbs = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', '*']

/** What administrators give: never the right to escalate, bind or impersonate, not by a wildcard either. */
function granted(rng: Rng): Rule {
  return {
    apiGroups: [''],
    resources: [pick(rng, resources.slice(0, 3))],
    verbs: some(rng, verbs.slice(0, 7)),
    ...(chance(rng, 0.6) && { resourceNames: [pick(rng, ['foo', 'bar'])] }),
  }
}

/** What an attacker would like to have. */
function wanted(rng: Rng): Rule {
  return {
    apiGroups: [pick(rng, ['', '*', GROUP, 'apps'])],
    resources: some(rng, [...resources, 'roles', 'rolebindings', 'pods/*', '*/*']),
    verbs: some(rng, [...verbs, 'escalate', 'bind', 'impersonate', 'GET', '']),
    ...(chance(rng, 0.3) && { resourceNames: pick(rng, [[], [''], ['foo'], ['*'], ['bar', 'foo']]) }),
  }
}

const some = (rng: Rng, from: readonly string[]): string[] => times(1 + rng.below(3), () => pick(rng, from))

const mayWriteRoles: Rule = {
  apiGroups: [GROUP],
  resources: ['roles', 'rolebindings'],
  verbs: ['get', 'list', 'create', 'update', 'patch', 'delete'],
}

export const rbac: Target = {
  name: 'rbac',
  oracles: [privilege],
  generate: (rng, name) => {
    const attacker = `${name}-attacker`
    const space = (path: string): string => `${ROOT}/namespaces/${name}/${path}`
    const own = role('Role', 'own', [granted(rng), mayWriteRoles])
    return {
      name,
      actors: [attacker],
      steps: [
        setup('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }),
        ...['foo', 'bar'].map((secret) =>
          setup('POST', `/api/v1/namespaces/${name}/secrets`, {
            apiVersion: 'v1',
            kind: 'Secret',
            metadata: { name: secret },
          }),
        ),
        setup('POST', space('roles'), own),
        setup(
          'POST',
          space('roles'),
          role(
            'Role',
            'others',
            times(1 + rng.below(2), () => granted(rng)),
          ),
        ),
        setup('POST', `${ROOT}/clusterroles`, role('ClusterRole', `${name}-shared`, [granted(rng)])),
        setup('POST', space('rolebindings'), binding('own', { kind: 'Role', name: 'own' }, attacker)),
        setup(
          'POST',
          space('rolebindings'),
          binding(
            'others',
            pick(rng, [
              { kind: 'Role', name: 'others' },
              { kind: 'ClusterRole', name: `${name}-shared` },
            ]),
            `${name}-other`,
          ),
        ),
        ...times(2 + rng.below(10), () => attempt(rng, { name, attacker })),
      ],
      cleanup: [
        request('DELETE', `/api/v1/namespaces/${name}`),
        request('DELETE', `${ROOT}/clusterroles/${name}-shared`),
        request('DELETE', `${ROOT}/clusterroles/${name}-mine`),
        request('DELETE', `${ROOT}/clusterrolebindings/${name}-mine`),
      ],
    }
  },
}

function role(kind: 'Role' | 'ClusterRole', name: string, rules: readonly unknown[]): object {
  return { apiVersion: `${GROUP}/v1`, kind, metadata: { name }, rules }
}

function binding(name: string, to: { kind: string; name: string }, user: string): object {
  return {
    apiVersion: `${GROUP}/v1`,
    kind: 'RoleBinding',
    metadata: { name },
    roleRef: { apiGroup: GROUP, ...to },
    subjects: [{ apiGroup: GROUP, kind: 'User', name: user }],
  }
}

interface Actor {
  name: string
  attacker: string
}

function attempt(rng: Rng, actor: Actor): Step {
  return pick(rng, [widenByPatch, widenByPatch, widenByPatch, replaceRole, createRole, bindTo, applyRole, clusterWide])(
    rng,
    actor,
  )
}

const rolePath = (rng: Rng, { name }: Actor): string =>
  `${ROOT}/namespaces/${name}/roles/${pick(rng, ['own', 'others', 'mine'])}`

/** Pointers into a rule, also by the names that every object has. */
function widenByPatch(rng: Rng, actor: Actor): Step {
  const at = `/rules/${pick(rng, ['0', '1', '-', '00', '9'])}`
  const field = pick(rng, [
    '',
    '/verbs',
    '/verbs/-',
    '/verbs/0',
    '/resources/-',
    '/resourceNames',
    '/resourceNames/0',
    ...nativeKeys.map((key) => `/${key}`),
    '/verbs/__proto__',
    '/resourceNames/length',
    '/verbs/length',
  ])
  const value = pick(rng, [wanted(rng), some(rng, verbs), '*', [], null, { verbs: ['*'], resourceNames: null }, 0, {}])
  const operations = times(1 + rng.below(4), () => ({
    op: pick(rng, ['add', 'add', 'replace', 'remove', 'copy', 'move', 'test']),
    path: pick(rng, [at + field, `${at}/${pick(rng, nativeKeys)}/verbs`, `/rules/0${field}`]),
    from: pick(rng, ['/rules/0', '/rules/1', '/rules/0/verbs', '/rules/1/verbs', '/metadata']),
    value,
  }))
  const kind = pick(rng, ['json', 'json', 'merge', 'strategic'] as const)
  const body =
    kind === 'json'
      ? JSON.stringify(operations)
      : JSON.stringify(
          pick(rng, [
            { rules: [wanted(rng)] },
            { rules: [{ ...granted(rng), ...Object.fromEntries([[pick(rng, nativeKeys), wanted(rng)]]) }] },
            Object.fromEntries([[pick(rng, nativeKeys), { rules: [wanted(rng)] }]]),
            { rules: null },
            { rules: { 0: wanted(rng) } },
            { aggregationRule: { clusterRoleSelectors: [{}] } },
          ]),
        )
  return request('PATCH', rolePath(rng, actor), body, { as: actor.attacker, type: PATCH_TYPES[kind] })
}

function replaceRole(rng: Rng, actor: Actor): Step {
  const name = pick(rng, ['own', 'others'])
  const rules = [
    chance(rng, 0.5) ? wanted(rng) : mutate(rng, granted(rng)),
    chance(rng, 0.5) ? granted(rng) : mayWriteRoles,
  ]
  return request('PUT', `${ROOT}/namespaces/${actor.name}/roles/${name}`, role('Role', name, rules), {
    as: actor.attacker,
  })
}

function createRole(rng: Rng, actor: Actor): Step {
  const text = JSON.stringify(role('Role', 'mine', [pick(rng, [wanted, granted])(rng), granted(rng)]))
  // A duplicate key: the checked value must be the stored one.
  const body = chance(rng, 0.3) ? text.replace('"verbs":', `"verbs":["*"],"Verbs":["*"],"verbs":`) : text
  return request('POST', `${ROOT}/namespaces/${actor.name}/roles`, body, { as: actor.attacker })
}

function bindTo(rng: Rng, actor: Actor): Step {
  const to = pick(rng, [
    { kind: 'ClusterRole', name: 'cluster-admin' },
    { kind: 'ClusterRole', name: 'edit' },
    { kind: 'Role', name: 'others' },
    { kind: 'Role', name: 'mine' },
    { kind: 'ClusterRole', name: `${actor.name}-shared` },
    { kind: 'Role', name: 'nothing' },
    { kind: 'clusterrole', name: 'cluster-admin' },
    { kind: 'Role', name: '__proto__' },
  ])
  const body = binding(`b${rng.below(3)}`, to, pick(rng, [actor.attacker, `${actor.name}-other`]))
  const collection = `${ROOT}/namespaces/${actor.name}/rolebindings`
  return pick(rng, [
    request('POST', collection, body, { as: actor.attacker }),
    request('PUT', `${collection}/own`, { ...body, metadata: { name: 'own' } }, { as: actor.attacker }),
    request(
      'PATCH',
      `${collection}/${pick(rng, ['own', 'others'])}`,
      { roleRef: { apiGroup: GROUP, ...to } },
      { as: actor.attacker, type: PATCH_TYPES.merge },
    ),
    request(
      'PATCH',
      `${collection}/others`,
      JSON.stringify([
        { op: 'add', path: '/subjects/-', value: { apiGroup: GROUP, kind: 'User', name: actor.attacker } },
      ]),
      { as: actor.attacker, type: PATCH_TYPES.json },
    ),
    request(
      'PATCH',
      `${collection}/others`,
      JSON.stringify([{ op: 'add', path: `/subjects/0/${pick(rng, nativeKeys)}`, value: { name: actor.attacker } }]),
      { as: actor.attacker, type: PATCH_TYPES.json },
    ),
  ])
}

function applyRole(rng: Rng, actor: Actor): Step {
  const name = pick(rng, ['own', 'others', 'mine'])
  const body = JSON.stringify(role('Role', name, [wanted(rng)]))
  return request('PATCH', `${ROOT}/namespaces/${actor.name}/roles/${name}?fieldManager=f&force=true`, body, {
    as: actor.attacker,
    type: PATCH_TYPES.apply,
  })
}

/** What lies outside of the namespace, and other ways to gain an identity. */
function clusterWide(rng: Rng, { name, attacker }: Actor): Step {
  const as = attacker
  return pick(rng, [
    request('POST', `${ROOT}/clusterroles`, role('ClusterRole', `${name}-mine`, [wanted(rng)]), { as }),
    request(
      'PATCH',
      `${ROOT}/clusterroles/${name}-shared`,
      JSON.stringify([{ op: 'add', path: '/rules/-', value: wanted(rng) }]),
      { as, type: PATCH_TYPES.json },
    ),
    request(
      'POST',
      `${ROOT}/clusterrolebindings`,
      {
        ...binding(`${name}-mine`, { kind: 'ClusterRole', name: 'cluster-admin' }, attacker),
        kind: 'ClusterRoleBinding',
      },
      { as },
    ),
    request('GET', `/api/v1/namespaces/${name}/secrets/foo`, undefined, {
      as,
      headers: { 'impersonate-group': 'system:masters' },
    }),
    request(
      'POST',
      `/api/v1/namespaces/${name}/serviceaccounts/default/token`,
      { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} },
      { as },
    ),
    request(
      'PATCH',
      `/api/v1/namespaces/${name}`,
      { metadata: { labels: { a: 'b' } } },
      { as, type: PATCH_TYPES.merge },
    ),
  ])
}
