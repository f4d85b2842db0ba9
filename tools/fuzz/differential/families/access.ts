/** Rights: escalation, reviews, tokens, impersonation. */
import type { Rng } from '@/lib/std/rng'
import { chance, pick } from '../../broken/mutate'
import { type Draft, type Family, get, NAMESPACE, patch, post, step } from '../family'
import { spoil } from '../spoil'

const RBAC = '/apis/rbac.authorization.k8s.io/v1'
const API = 'rbac.authorization.k8s.io/v1'
const GROUP = 'rbac.authorization.k8s.io'

const rule = (rng: Rng): object => ({
  apiGroups: pick(rng, [[''], ['apps'], ['*'], ['', 'apps']]),
  resources: pick(rng, [['configmaps'], ['pods', 'secrets'], ['*'], ['pods/log'], ['deployments/scale'], ['*/scale']]),
  verbs: pick(rng, [['get'], ['get', 'list', 'watch'], ['*'], ['create'], ['escalate'], ['bind']]),
  ...(chance(rng, 0.2) && { resourceNames: ['a', 'b'] }),
})

/** Rights of the viewer in the namespace: RBAC writes and a few reads, by a role of the case. */
function grants(rng: Rng): Draft[] {
  const rules = [
    { apiGroups: [GROUP], resources: ['roles', 'rolebindings'], verbs: ['*'].concat([]) },
    { apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list'] },
  ]
  if (!chance(rng, 0.2))
    rules[0] = {
      apiGroups: [GROUP],
      resources: ['roles', 'rolebindings'],
      verbs: ['get', 'create', 'update', 'patch', 'delete'],
    }
  return [
    NAMESPACE,
    {
      ...post(`${RBAC}/namespaces/{{ns}}/roles`, { apiVersion: API, kind: 'Role', metadata: { name: 'base' }, rules }),
      setup: true,
    },
    {
      ...post(`${RBAC}/namespaces/{{ns}}/rolebindings`, {
        apiVersion: API,
        kind: 'RoleBinding',
        metadata: { name: 'base' },
        roleRef: { apiGroup: GROUP, kind: 'Role', name: 'base' },
        subjects: [{ kind: 'User', apiGroup: GROUP, name: 'viewer' }],
      }),
      setup: true,
    },
    {
      op: 'await',
      request: { method: 'GET', path: '/api/v1/namespaces/{{ns}}/configmaps', user: 'viewer' },
      until: { status: 200 },
      timeout: 5,
      setup: true,
    },
  ]
}

const escalation: Family = {
  name: 'escalation',
  weight: 1.5,
  make(rng) {
    const viewer = { user: 'viewer' as const }
    const roles = `${RBAC}/namespaces/{{ns}}/roles`
    const acts: readonly (() => Draft)[] = [
      () =>
        post(
          roles,
          {
            apiVersion: API,
            kind: 'Role',
            metadata: { name: 'n' },
            rules: Array.from({ length: 1 + rng.below(2) }, () => rule(rng)),
          },
          viewer,
        ),
      () => patch('merge', `${roles}/base`, { rules: [rule(rng)] }, viewer),
      () => patch('json', `${roles}/base`, [{ op: 'add', path: '/rules/-', value: rule(rng) }], viewer),
      () =>
        step(
          'PUT',
          `${roles}/base`,
          { apiVersion: API, kind: 'Role', metadata: { name: 'base' }, rules: [rule(rng)] },
          viewer,
        ),
      () =>
        post(
          `${RBAC}/namespaces/{{ns}}/rolebindings`,
          {
            apiVersion: API,
            kind: 'RoleBinding',
            metadata: { name: `b${rng.below(3)}` },
            roleRef: {
              apiGroup: GROUP,
              ...pick(rng, [
                { kind: 'Role', name: 'base' },
                { kind: 'ClusterRole', name: 'view' },
                { kind: 'ClusterRole', name: 'cluster-admin' },
                { kind: 'Role', name: 'nope' },
                { kind: 'ClusterRole', name: 'nope' },
              ]),
            },
            subjects: [{ kind: 'User', apiGroup: GROUP, name: 'x' }],
          },
          viewer,
        ),
      () =>
        post(
          `${RBAC}/clusterroles`,
          { apiVersion: API, kind: 'ClusterRole', metadata: { name: 'c-{{u}}' }, rules: [rule(rng)] },
          viewer,
        ),
      () => get('/api/v1/namespaces/{{ns}}/secrets', viewer),
      () => get('/api/v1/nodes', viewer),
      () => post('/api/v1/namespaces/{{ns}}/configmaps', { metadata: { name: 'a' } }, viewer),
      () => step('DELETE', `${roles}/base`, undefined, viewer),
    ]
    return [...grants(rng), ...Array.from({ length: 3 }, () => pick(rng, acts)())]
  },
}

const attributes = (rng: Rng): object =>
  pick(rng, [
    {
      resourceAttributes: {
        verb: pick(rng, ['get', '*', '', 'create']),
        resource: pick(rng, ['pods', 'nodes', '*', '']),
        namespace: pick(rng, ['{{ns}}', '']),
        group: pick(rng, ['', 'apps', '*']),
        name: pick(rng, ['', 'a']),
      },
    },
    { resourceAttributes: { verb: 'get', resource: 'pods', subresource: 'log', namespace: '{{ns}}' } },
    { nonResourceAttributes: { path: pick(rng, ['/healthz', '/x', '']), verb: pick(rng, ['get', '']) } },
    {
      resourceAttributes: {
        verb: 'list',
        resource: 'pods',
        labelSelector: { requirements: [{ key: 'a', operator: 'In', values: ['b'] }] },
      },
    },
    { resourceAttributes: { verb: 'list', resource: 'pods', fieldSelector: { rawSelector: 'a=b' } } },
    { resourceAttributes: { verb: 'list', resource: 'pods', labelSelector: { rawSelector: 'a=(' } } },
    { resourceAttributes: { verb: 'get' }, nonResourceAttributes: { path: '/', verb: 'get' } },
    {},
  ])

const reviews: Family = {
  name: 'reviews',
  weight: 1,
  make(rng) {
    const authorization = 'authorization.k8s.io/v1'
    const who = (): object => (chance(rng, 0.4) ? { user: 'viewer' as const } : {})
    const spec = (more: object): object =>
      chance(rng, 0.2) ? (spoil(rng, { ...attributes(rng), ...more }) as object) : { ...attributes(rng), ...more }
    const acts: readonly (() => Draft)[] = [
      () =>
        post(
          `/apis/${authorization}/selfsubjectaccessreviews`,
          { apiVersion: authorization, kind: 'SelfSubjectAccessReview', spec: spec({}) },
          who(),
        ),
      () =>
        post(
          `/apis/${authorization}/subjectaccessreviews`,
          {
            apiVersion: authorization,
            kind: 'SubjectAccessReview',
            spec: spec(
              pick(rng, [
                { user: 'viewer' },
                { groups: ['system:masters'] },
                {},
                { user: 'viewer', uid: 'x', extra: { a: ['b'] } },
              ]),
            ),
          },
          who(),
        ),
      () =>
        post(`/apis/${authorization}/namespaces/{{ns}}/localsubjectaccessreviews`, {
          apiVersion: authorization,
          kind: 'LocalSubjectAccessReview',
          metadata: pick(rng, [{ namespace: '{{ns}}' }, {}, { namespace: 'x' }]),
          spec: spec({ user: 'viewer' }),
        }),
      () =>
        post(
          `/apis/${authorization}/selfsubjectrulesreviews`,
          { apiVersion: authorization, kind: 'SelfSubjectRulesReview', spec: { namespace: pick(rng, ['{{ns}}', '']) } },
          who(),
        ),
      () =>
        post('/apis/authentication.k8s.io/v1/tokenreviews', {
          apiVersion: 'authentication.k8s.io/v1',
          kind: 'TokenReview',
          spec: pick(rng, [
            { token: 'viewer-token' },
            { token: 'nope' },
            {},
            { token: 'viewer-token', audiences: ['a'] },
          ]),
        }),
      () =>
        post(
          '/apis/authentication.k8s.io/v1/selfsubjectreviews',
          {
            apiVersion: 'authentication.k8s.io/v1',
            kind: 'SelfSubjectReview',
            ...(chance(rng, 0.2) && { metadata: { name: 'x' } }),
          },
          who(),
        ),
    ]
    return [NAMESPACE, ...Array.from({ length: 3 }, () => pick(rng, acts)())]
  },
}

const impersonation: Family = {
  name: 'impersonation',
  weight: 0.7,
  make(rng) {
    const ask = (): Draft =>
      get(pick(rng, ['/api/v1/namespaces/{{ns}}/pods', '/api', '/api/v1/nodes']), {
        headers: pick<Record<string, string | string[]>>(rng, [
          { 'Impersonate-User': 'viewer' },
          { 'Impersonate-User': 'viewer', 'Impersonate-Group': ['a', 'b'] },
          { 'Impersonate-Group': 'system:masters' },
          { 'Impersonate-User': 'system:serviceaccount:{{ns}}:x' },
          { 'Impersonate-User': 'system:serviceaccount:x' },
          { 'Impersonate-User': 'x-{{u}}', 'Impersonate-Uid': 'y' },
          { 'Impersonate-Uid': 'y' },
          { 'Impersonate-User': 'x-{{u}}', 'Impersonate-Extra-Scopes': ['a', 'b'] },
          { 'Impersonate-User': 'system:anonymous' },
          { 'Impersonate-User': '' },
          { 'Impersonate-User': 'x-{{u}}', 'Impersonate-Group': 'system:unauthenticated' },
        ]),
        ...(chance(rng, 0.4) && { user: pick(rng, ['viewer', 'anonymous', 'badtoken'] as const) }),
      })
    return [NAMESPACE, ask(), ask(), ask()]
  },
}

const tokens: Family = {
  name: 'tokens',
  weight: 0.5,
  make(rng) {
    const accounts = '/api/v1/namespaces/{{ns}}/serviceaccounts'
    const ask = (): Draft => ({
      ...post(`${accounts}/${pick(rng, ['a', 'a', 'a', 'nope'])}/token`, {
        apiVersion: 'authentication.k8s.io/v1',
        kind: pick(rng, ['TokenRequest', 'TokenRequest', 'TokenReview']),
        spec: pick(rng, [
          {},
          { expirationSeconds: 600 },
          { expirationSeconds: 10 },
          { expirationSeconds: 2 ** 33 },
          { audiences: ['x'] },
          { boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'nope' } },
          { boundObjectRef: { kind: 'Secret', apiVersion: 'v1', name: 's', uid: 'x' } },
          { boundObjectRef: { kind: 'ConfigMap', apiVersion: 'v1', name: 's' } },
        ]),
        ...(chance(rng, 0.2) && { metadata: { name: 'other' } }),
      }),
      unstable: ['/body/status/token'],
    })
    return [NAMESPACE, post(accounts, { metadata: { name: 'a' } }), ask(), ask(), get(`${accounts}/a/token`)]
  },
}

export const accessFamilies: readonly Family[] = [escalation, reviews, impersonation, tokens]
