import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answered, startTestServer, type TestServer } from '../testing/start-server'
import { type As, as as asIn, clusterRole, configMaps, freshNamespace, RBAC, role, user } from './testing/rights'

const ACCESS = '/apis/authorization.k8s.io/v1'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const namespace = (): Promise<string> => freshNamespace(server)
const as = (name: string, more?: Record<string, string>): As => asIn(server, name, more)

/** Lets a user do something in a namespace. */
async function grant(ns: string, name: string, rules: readonly object[]): Promise<void> {
  expect((await server.send('POST', `${RBAC}/namespaces/${ns}/roles`, { metadata: { name }, rules })).status).toBe(201)
  const binding = { metadata: { name }, roleRef: role(name), subjects: [user(name)] }
  expect((await server.send('POST', `${RBAC}/namespaces/${ns}/rolebindings`, binding)).status).toBe(201)
}

const onConfigMaps = (...verbs: string[]): object => ({ apiGroups: [''], resources: ['configmaps'], verbs })

describe('an anonymous client', () => {
  const anonymously = async (method: string, path: string): Promise<Answered> =>
    server.send(method, path, undefined, { Authorization: '' })
  const refused = 'User "system:anonymous" cannot'

  test.each([
    ['GET', '/api/v1/namespaces', 'namespaces', 'list resource "namespaces" in API group "" at the cluster scope'],
    ['GET', '/api/v1/nodes/n1', 'nodes "n1"', 'get resource "nodes" in API group "" at the cluster scope'],
    [
      'DELETE',
      '/apis/apps/v1/namespaces/x/deployments',
      'deployments.apps',
      'deletecollection resource "deployments" in API group "apps" in the namespace "x"',
    ],
    [
      'GET',
      '/api/v1/namespaces/x/pods?watch=true',
      'pods',
      'watch resource "pods" in API group "" in the namespace "x"',
    ],
    [
      'PUT',
      '/apis/apps/v1/namespaces/x/deployments/d/scale',
      'deployments.apps "d"',
      'update resource "deployments/scale" in API group "apps" in the namespace "x"',
    ],
  ])('is refused %s %s', async (method, path, ...[what, where]) => {
    const { status, body } = await anonymously(method, path)
    expect([status, body.message]).toEqual([403, `${what} is forbidden: ${refused} ${where}`])
  })

  test.each([
    ['GET', '/apis', 'get path "/apis"'],
    ['POST', '/nope', 'post path "/nope"'],
  ])('is refused %s %s, whether it is there or not', async (method, path, where) => {
    const { status, body } = await anonymously(method, path)
    expect([status, body.message]).toEqual([403, `forbidden: ${refused} ${where}`])
  })

  test.each(['/version', '/healthz', '/readyz', '/livez'])('may get %s', async (path) => {
    expect((await anonymously('GET', path)).status).toBe(200)
  })

  test('is not who shows a wrong token', async () => {
    const response = await fetch(`${server.url}/version`, { headers: { Authorization: 'Bearer wrong' } })
    expect(response.status).toBe(401)
  })
})

describe('a role', () => {
  test('allows what its rules say in its namespace, from the answer to its binding on', async () => {
    const ns = await namespace()
    await grant(ns, 'ann', [onConfigMaps('get', 'list', 'create')])
    const ann = as('ann')
    expect((await ann('POST', configMaps(ns), { metadata: { name: 'a' } })).status).toBe(201)
    expect((await ann('GET', configMaps(ns))).status).toBe(200)
    expect((await ann('GET', '/api/v1/configmaps')).status).toBe(403)
    expect((await ann('DELETE', configMaps(ns))).body.message).toBe(
      'configmaps is forbidden: User "ann" cannot deletecollection resource "configmaps" in API group "" in the '
        + `namespace "${ns}"`,
    )
    await server.send('DELETE', `${RBAC}/namespaces/${ns}/rolebindings/ann`)
    expect((await ann('GET', configMaps(ns))).status).toBe(403)
  })

  test('for a name lets only that one be listed', async () => {
    const ns = await namespace()
    await grant(ns, 'nora', [{ ...onConfigMaps('list', 'watch'), resourceNames: ['mine'] }])
    const nora = as('nora')
    expect((await nora('GET', configMaps(ns))).status).toBe(403)
    expect((await nora('GET', `${configMaps(ns)}?fieldSelector=metadata.name%3Dmine`)).status).toBe(200)
    expect((await nora('GET', `${configMaps(ns)}?fieldSelector=metadata.name%3Dother`)).status).toBe(403)
  })

  test('that allows updates allows no creation by PUT', async () => {
    const ns = await namespace()
    await grant(ns, 'lea', [{ apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['update'] }])
    const { status, body } = await as('lea')('PUT', `/apis/coordination.k8s.io/v1/namespaces/${ns}/leases/l`, {
      metadata: { name: 'l' },
      spec: {},
    })
    expect([status, body.message]).toEqual([
      403,
      'leases.coordination.k8s.io "l" is forbidden: User "lea" cannot create resource "leases" in API group '
        + `"coordination.k8s.io" in the namespace "${ns}"`,
    ])
  })

  test('that is not there is named in the refusal', async () => {
    const ns = await namespace()
    const binding = { metadata: { name: 'b' }, roleRef: clusterRole('nope'), subjects: [user('nils')] }
    await server.send('POST', `${RBAC}/namespaces/${ns}/rolebindings`, binding)
    expect((await as('nils')('GET', configMaps(ns))).body.message).toMatch(
      /in the namespace "n\d+": RBAC: clusterrole\.rbac\.authorization\.k8s\.io "nope" not found$/,
    )
  })

  test('is given to groups and service accounts too', async () => {
    const ns = await namespace()
    await grant(ns, 'base', [onConfigMaps('list')])
    const subjects = [
      { kind: 'Group', name: 'team' },
      { kind: 'ServiceAccount', name: 'robot' },
    ]
    const binding = { metadata: { name: 'b' }, roleRef: role('base'), subjects }
    await server.send('POST', `${RBAC}/namespaces/${ns}/rolebindings`, binding)
    expect((await as('gil', { 'Impersonate-Group': 'team' })('GET', configMaps(ns))).status).toBe(200)
    expect((await as(`system:serviceaccount:${ns}:robot`)('GET', configMaps(ns))).status).toBe(200)
    expect((await as('system:serviceaccount:default:robot')('GET', configMaps(ns))).status).toBe(403)
  })

  test('may gather the rules of others, and follows them', async () => {
    const gathering = {
      metadata: { name: 'gathering' },
      rules: [],
      aggregationRule: { clusterRoleSelectors: [{ matchLabels: { gather: 'yes' } }] },
    }
    await server.send('POST', `${RBAC}/clusterroles`, gathering)
    const part = { metadata: { name: 'part', labels: { gather: 'yes' } }, rules: [onConfigMaps('get')] }
    await server.send('POST', `${RBAC}/clusterroles`, part)
    const rules = async (): Promise<unknown> => (await server.send('GET', `${RBAC}/clusterroles/gathering`)).body.rules
    await expect.poll(rules).toEqual([onConfigMaps('get')])
    await server.send('DELETE', `${RBAC}/clusterroles/part`)
    await expect.poll(rules).toBe(null)
  })
})

describe('giving away rights', () => {
  const mayGrant = {
    apiGroups: ['rbac.authorization.k8s.io'],
    resources: ['roles', 'rolebindings'],
    verbs: ['create', 'update', 'patch'],
  }

  test('that one does not hold is refused, with what is missing', async () => {
    const ns = await namespace()
    await grant(ns, 'eve', [mayGrant, onConfigMaps('get')])
    const eve = as('eve', { 'Impersonate-Group': 'dev' })
    const rules = [onConfigMaps('get', 'delete'), { apiGroups: [''], resources: ['secrets'], verbs: ['*'] }]
    const wanted = { metadata: { name: 'more' }, rules }
    const { status, body } = await eve('POST', `${RBAC}/namespaces/${ns}/roles`, wanted)
    expect([status, body.message]).toEqual([
      403,
      'roles.rbac.authorization.k8s.io "more" is forbidden: user "eve" (groups=["dev" "system:authenticated"]) is '
        + 'attempting to grant RBAC permissions not currently held:\n'
        + '{APIGroups:[""], Resources:["configmaps"], Verbs:["delete"]}\n'
        + '{APIGroups:[""], Resources:["secrets"], Verbs:["*"]}',
    ])
    const held = { metadata: { name: 'same' }, rules: [onConfigMaps('get')] }
    expect((await eve('POST', `${RBAC}/namespaces/${ns}/roles`, held)).status).toBe(201)
    const patched = await eve('PATCH', `${RBAC}/namespaces/${ns}/roles/same`, { rules })
    expect(patched.status).toBe(403)
    const binding = { metadata: { name: 'all' }, roleRef: clusterRole('cluster-admin'), subjects: [user('eve')] }
    expect((await eve('POST', `${RBAC}/namespaces/${ns}/rolebindings`, binding)).status).toBe(403)
    const lost = { ...binding, roleRef: role('lost') }
    expect((await eve('POST', `${RBAC}/namespaces/${ns}/rolebindings`, lost)).body.message).toBe(
      'rolebindings.rbac.authorization.k8s.io "lost" not found',
    )
  })

  test('takes the verb escalate for a role, and bind for a binding', async () => {
    const ns = await namespace()
    await grant(ns, 'max', [
      mayGrant,
      { ...mayGrant, verbs: ['escalate'] },
      {
        apiGroups: ['rbac.authorization.k8s.io'],
        resources: ['clusterroles'],
        resourceNames: ['view'],
        verbs: ['bind'],
      },
    ])
    const max = as('max')
    const wanted = { metadata: { name: 'more' }, rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }] }
    expect((await max('POST', `${RBAC}/namespaces/${ns}/roles`, wanted)).status).toBe(201)
    const bind = (name: string): Promise<Answered> =>
      max('POST', `${RBAC}/namespaces/${ns}/rolebindings`, {
        metadata: { name },
        roleRef: clusterRole(name),
        subjects: [user('max')],
      })
    expect((await bind('view')).status).toBe(201)
    expect((await bind('edit')).status).toBe(403)
  })

  test('is never a matter of the binding that already stands', async () => {
    const ns = await namespace()
    await grant(ns, 'rob', [onConfigMaps('get')])
    const path = `${RBAC}/namespaces/${ns}/rolebindings/rob`
    const { status, body } = await server.send('PATCH', path, { roleRef: { name: 'x' } })
    expect([status, body.message]).toEqual([
      422,
      'RoleBinding.rbac.authorization.k8s.io "rob" is invalid: roleRef: '
        + 'Invalid value: {"APIGroup":"rbac.authorization.k8s.io","Kind":"Role","Name":"x"}: cannot change roleRef',
    ])
  })
})

describe('questions', () => {
  test('about oneself and about others are answered, with who allows it', async () => {
    const ns = await namespace()
    await grant(ns, 'ria', [onConfigMaps('get')])
    const resourceAttributes = { namespace: ns, verb: 'get', resource: 'configmaps' }
    const own = await as('ria')('POST', `${ACCESS}/selfsubjectaccessreviews`, { spec: { resourceAttributes } })
    expect([own.status, own.body.status]).toEqual([
      201,
      { allowed: true, reason: `RBAC: allowed by RoleBinding "ria/${ns}" of Role "ria" to User "ria"` },
    ])
    const about = (name: string): object => ({ spec: { user: name, resourceAttributes } })
    const other = await server.send('POST', `${ACCESS}/subjectaccessreviews`, about('zoe'))
    expect(other.body.status).toEqual({ allowed: false })
    const local = await server.send('POST', `${ACCESS}/namespaces/${ns}/localsubjectaccessreviews`, about('ria'))
    expect([local.body.metadata, local.body.status]).toEqual([{ namespace: ns }, own.body.status])
    const rules = await as('ria')('POST', `${ACCESS}/selfsubjectrulesreviews`, { spec: { namespace: ns } })
    expect(rules.body.status).toMatchObject({ incomplete: false })
    expect((rules.body.status as { resourceRules: unknown }).resourceRules).toContainEqual(onConfigMaps('get'))
  })

  test.each([
    [
      'subjectaccessreviews',
      { resourceAttributes: { verb: 'get' } },
      'spec.user: Invalid value: "": at least one of user or group must be specified',
    ],
    [
      'selfsubjectaccessreviews',
      {},
      'spec.resourceAttributes: Invalid value: null: exactly one of nonResourceAttributes or resourceAttributes must '
        + 'be specified',
    ],
    [
      'namespaces/default/localsubjectaccessreviews',
      { user: 'a', resourceAttributes: { namespace: 'x' } },
      'spec.resourceAttributes.namespace: Invalid value: "x": must match metadata.namespace',
    ],
    [
      'namespaces/default/localsubjectaccessreviews',
      { user: 'a', resourceAttributes: { verb: 'get' }, nonResourceAttributes: { path: '/x', verb: 'get' } },
      '[spec.nonResourceAttributes: Invalid value: {"Path":"/x","Verb":"get"}: cannot be specified in combination with '
        + 'resourceAttributes, spec.resourceAttributes.namespace: Invalid value: "": must match metadata.namespace, '
        + 'spec.nonResourceAttributes: Invalid value: {"Path":"/x","Verb":"get"}: disallowed on this kind of request]',
    ],
  ])('%s that make no sense are refused', async (path, spec, message) => {
    const { status, body } = await server.send('POST', `${ACCESS}/${path}`, { spec })
    expect([status, body.message]).toEqual([422, `.authorization.k8s.io "" is invalid: ${message}`])
  })

  test.each([
    ['a=b', 'a=b', undefined],
    ['a=(', 'a=b', 'spec.resourceAttributes.labelSelector ignored due to parse error'],
    [
      'a=(',
      'a!!b',
      'spec.resourceAttributes.fieldSelector ignored due to parse error; spec.resourceAttributes.labelSelector ignored due to parse error',
    ],
  ])('say which selectors they ignore: %s, %s', async (labels, fields, evaluationError) => {
    const selectors = { labelSelector: { rawSelector: labels }, fieldSelector: { rawSelector: fields } }
    const spec = { resourceAttributes: { verb: 'list', resource: 'pods', ...selectors } }
    const { body } = await server.send('POST', `${ACCESS}/selfsubjectaccessreviews`, { spec })
    expect((body.status as { evaluationError?: string }).evaluationError).toBe(evaluationError)
  })

  test('cannot be listed', async () => {
    expect((await server.send('GET', `${ACCESS}/subjectaccessreviews`)).status).toBe(405)
  })
})

describe('in a member', () => {
  const CLUSTERS = '/apis/cluster.karmada.io/v1alpha1/clusters'

  test('a caller is who they are, and the roles there decide', async () => {
    const cluster = {
      metadata: { name: 'm1', annotations: { 'sim.evenkeel.io/nodes': '1' } },
      spec: { syncMode: 'Push' },
    }
    expect((await server.send('POST', CLUSTERS, cluster)).status).toBe(201)
    const there = (path: string): string => `${CLUSTERS}/m1/proxy${path}`
    const mia = as('mia')
    expect((await mia('GET', there(configMaps('default')))).body.message).toBe(
      'clusters.cluster.karmada.io "m1" is forbidden: User "mia" cannot get resource "clusters/proxy" in API group '
        + '"cluster.karmada.io" at the cluster scope',
    )
    await server.send('POST', `${RBAC}/clusterrolebindings`, {
      metadata: { name: 'proxy-mia' },
      roleRef: clusterRole('cluster-proxy-admin'),
      subjects: [user('mia')],
    })
    expect((await mia('GET', there(configMaps('default')))).body.message).toBe(
      'configmaps is forbidden: User "mia" cannot list resource "configmaps" in API group "" in the namespace "default"',
    )
    const binding = { metadata: { name: 'mia' }, roleRef: clusterRole('view'), subjects: [user('mia')] }
    expect((await server.send('POST', there(`${RBAC}/namespaces/default/rolebindings`), binding)).status).toBe(201)
    expect((await mia('GET', there(configMaps('default')))).status).toBe(200)
    expect((await mia('GET', configMaps('default'))).status).toBe(403)
  })
})
