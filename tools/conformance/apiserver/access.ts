/** Authorization. Users are impersonated, so that the server needs no user accounts. */
import { deepStrictEqual, strictEqual } from 'node:assert/strict'
import { type Api, includes, refused, until } from './api'
import { configMap, configMaps, type Topic } from './case'

const RBAC = '/apis/rbac.authorization.k8s.io/v1'
const REVIEWS = '/apis/authorization.k8s.io/v1'
const as = (user: string) => ({ headers: { 'Impersonate-User': user } })

/** Lets a user read ConfigMaps of the case's namespace. */
async function allow(api: Api, user: string): Promise<void> {
  const path = `${RBAC}/namespaces/${api.namespace}`
  await api.expect(201, 'POST', `${path}/roles`, {
    body: {
      metadata: { name: 'reader' },
      rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list'] }],
    },
  })
  await api.expect(201, 'POST', `${path}/rolebindings`, {
    body: {
      metadata: { name: 'reader' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'reader' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: user }],
    },
  })
  await until(async () => (await api.send('GET', configMaps(api), as(user))).status === 200)
}

export const authorizing: Topic = {
  topic: 'access',
  cases: [
    {
      name: 'lets no user do what no role allows, and refuses in the words of Kubernetes',
      run: async (api) => {
        const user = api.fresh('user')
        refused(
          await api.send('GET', configMaps(api), as(user)),
          403,
          'Forbidden',
          `configmaps is forbidden: User "${user}" cannot list resource "configmaps" in API group "" in the namespace "${api.namespace}"`,
        )
        refused(
          await api.send('GET', '/nope', as(user)),
          403,
          'Forbidden',
          `forbidden: User "${user}" cannot get path "/nope"`,
        )
      },
    },
    {
      name: 'lets a role allow what it says, and nothing else',
      run: async (api) => {
        const user = api.fresh('user')
        await allow(api, user)
        await api.expect(201, 'POST', configMaps(api), { body: configMap('a') })
        await api.expect(200, 'GET', `${configMaps(api)}/a`, as(user))
        refused(await api.send('DELETE', `${configMaps(api)}/a`, as(user)), 403, 'Forbidden')
        refused(await api.send('GET', '/api/v1/configmaps', as(user)), 403, 'Forbidden', /at the cluster scope$/)
      },
    },
    {
      name: 'answers reviews as it decides',
      run: async (api) => {
        const user = api.fresh('user')
        await allow(api, user)
        const ask = async (verb: string): Promise<unknown> =>
          (
            await api.expect(201, 'POST', `${REVIEWS}/subjectaccessreviews`, {
              body: { spec: { user, resourceAttributes: { namespace: api.namespace, verb, resource: 'configmaps' } } },
            })
          ).status.allowed
        deepStrictEqual([await ask('get'), await ask('delete')], [true, false])
        includes(
          await api.expect(201, 'POST', `${REVIEWS}/selfsubjectaccessreviews`, {
            ...as(user),
            body: { spec: { resourceAttributes: { namespace: api.namespace, verb: 'list', resource: 'configmaps' } } },
          }),
          { status: { allowed: true } },
        )
        const { status } = await api.expect(201, 'POST', `${REVIEWS}/selfsubjectrulesreviews`, {
          ...as(user),
          body: { spec: { namespace: api.namespace } },
        })
        strictEqual(JSON.stringify(status.resourceRules).includes('"resources":["configmaps"]'), true)
      },
    },
    {
      name: 'lets no user grant rights that they do not have',
      run: async (api) => {
        const user = api.fresh('user')
        const path = `${RBAC}/namespaces/${api.namespace}`
        await allow(api, user)
        await api.expect(200, 'PATCH', `${path}/roles/reader`, {
          type: 'application/json-patch+json',
          body: [
            {
              op: 'add',
              path: '/rules/-',
              value: { apiGroups: ['rbac.authorization.k8s.io'], resources: ['roles'], verbs: ['create'] },
            },
          ],
        })
        const rules = (resource: string) => ({
          metadata: { name: api.fresh('r') },
          rules: [{ apiGroups: [''], resources: [resource], verbs: ['get'] }],
        })
        await until(
          async () =>
            (await api.send('POST', `${path}/roles`, { ...as(user), body: rules('configmaps') })).status === 201,
        )
        refused(
          await api.send('POST', `${path}/roles`, { ...as(user), body: rules('secrets') }),
          403,
          'Forbidden',
          /is attempting to grant RBAC permissions not currently held/,
        )
      },
    },
    {
      name: 'refuses a token that was never issued',
      run: async (api) => {
        refused(
          await api.send('GET', '/api', { headers: { Authorization: 'Bearer no-such-token' } }),
          401,
          'Unauthorized',
          'Unauthorized',
        )
        const review = await api.expect(201, 'POST', '/apis/authentication.k8s.io/v1/tokenreviews', {
          body: { spec: { token: 'no-such-token' } },
        })
        strictEqual(review.status.authenticated ?? false, false)
        const { status } = await api.expect(201, 'POST', '/apis/authentication.k8s.io/v1/selfsubjectreviews', {
          ...as('alice'),
          body: {},
        })
        includes(status.userInfo, { username: 'alice', groups: ['system:authenticated'] })
      },
    },
  ],
}
