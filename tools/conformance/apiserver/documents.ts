/** Discovery, OpenAPI and version documents. */
import { ok, strictEqual } from 'node:assert/strict'
import { type Api, includes, type Json, refused } from './api'
import type { Topic } from './case'

const named = (list: readonly Json[], name: string): Json | undefined => list.find((one) => one.name === name)

export const documents: Topic = {
  topic: 'discovery and schema',
  cases: [
    {
      name: 'lists versions, groups and resources',
      run: async (api) => {
        includes(await api.expect(200, 'GET', '/api'), { kind: 'APIVersions', versions: ['v1'] })
        const { groups } = await api.expect(200, 'GET', '/apis')
        includes(named(groups, 'apps'), { preferredVersion: { groupVersion: 'apps/v1', version: 'v1' } })
        const { resources } = await api.expect(200, 'GET', '/api/v1')
        includes(named(resources, 'configmaps'), { namespaced: true, kind: 'ConfigMap', shortNames: ['cm'] })
        ok(named(resources, 'pods/status'))
        includes(named((await api.expect(200, 'GET', '/apis/apps/v1')).resources, 'deployments'), {
          singularName: 'deployment',
          shortNames: ['deploy'],
          categories: ['all'],
        })
      },
    },
    {
      name: 'tells everything at once to who asks so',
      run: async (api) => {
        const headers = { Accept: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList' }
        const { kind, items } = await api.expect(200, 'GET', '/apis', { headers })
        strictEqual(kind, 'APIGroupDiscoveryList')
        const apps = items.find(({ metadata }) => metadata.name === 'apps')
        const deployments = apps?.versions[0]?.resources.find(({ resource }) => resource === 'deployments')
        includes(deployments, { responseKind: { kind: 'Deployment' }, scope: 'Namespaced' })
      },
    },
    {
      name: 'describes its kinds in OpenAPI, in both versions',
      run: async (api) => {
        const { paths } = await api.expect(200, 'GET', '/openapi/v3')
        const url = paths['apis/apps/v1']?.serverRelativeURL ?? ''
        const { components } = await api.expect(200, 'GET', url)
        ok(Object.values(components.schemas).some((schema) => isFor(schema, 'Deployment')))
        includes(await api.expect(200, 'GET', '/openapi/v2'), { swagger: '2.0' })
      },
    },
    {
      name: 'says which version it is, and that it is well',
      run: async (api) => {
        const { major, minor } = await api.expect(200, 'GET', '/version')
        ok(Number(major) >= 1 && /^\d+/.test(minor))
        for (const path of ['/healthz', '/livez', '/readyz']) strictEqual((await api.send('GET', path)).text, 'ok')
      },
    },
    {
      name: 'knows no path that it does not serve, and no method that a path does not take',
      run: async (api: Api) => {
        refused(
          await api.send('GET', '/api/v1/nonsense'),
          404,
          'NotFound',
          'the server could not find the requested resource',
        )
        refused(
          await api.send('DELETE', '/api/v1/namespaces'),
          405,
          'MethodNotAllowed',
          'the server does not allow this method on the requested resource',
        )
        strictEqual((await api.send('GET', '/nonsense')).status, 404)
      },
    },
  ],
}

function isFor(schema: Readonly<Record<string, unknown>>, kind: string): boolean {
  const kinds = schema['x-kubernetes-group-version-kind'] as { kind: string }[] | undefined
  return kinds?.some((one) => one.kind === kind) === true
}
