import { expect, test } from 'vitest'
import type { ResourceAttributes } from '@/lib/kube/rbac/attributes'
import { attributesOf } from './request-attributes'

function read(request: string): ReturnType<typeof attributesOf> {
  const [method = '', target = ''] = request.split(' ')
  const [path = '', query] = target.split('?')
  return attributesOf({ method, path, query: new URLSearchParams(query) })
}

const NOTHING = { group: '', version: 'v1', resource: '', subresource: '', namespace: '', name: '' }

test.each<[request: string, attributes: Partial<ResourceAttributes>]>([
  ['GET /api/v1/namespaces/x/pods/web', { verb: 'get', namespace: 'x', resource: 'pods', name: 'web' }],
  ['HEAD /api/v1/namespaces/x/pods/web', { verb: 'get', namespace: 'x', resource: 'pods', name: 'web' }],
  ['PUT /api/v1/nodes/n/status', { verb: 'update', resource: 'nodes', name: 'n', subresource: 'status' }],
  ['PATCH /api/v1/nodes/n', { verb: 'patch', resource: 'nodes', name: 'n' }],
  ['POST /api/v1/namespaces/x/pods', { verb: 'create', namespace: 'x', resource: 'pods' }],
  ['DELETE /api/v1/namespaces/x/pods', { verb: 'deletecollection', namespace: 'x', resource: 'pods' }],
  ['DELETE /api/v1/namespaces/x/pods/', { verb: 'deletecollection', namespace: 'x', resource: 'pods' }],
  ['GET /api/v1/pods', { verb: 'list', resource: 'pods' }],
  ['GET /api/v1/pods?watch=1', { verb: 'watch', resource: 'pods' }],
  ['GET /api/v1/pods?watch=false', { verb: 'list', resource: 'pods' }],
  ['GET /api/v1/namespaces/x/pods/web?watch=1', { verb: 'get', namespace: 'x', resource: 'pods', name: 'web' }],
  ['GET /api/v1/namespaces', { verb: 'list', resource: 'namespaces' }],
  ['GET /api/v1/namespaces/x', { verb: 'get', namespace: 'x', resource: 'namespaces', name: 'x' }],
  [
    'PUT /api/v1/namespaces/x/finalize',
    { verb: 'update', namespace: 'x', resource: 'namespaces', name: 'x', subresource: 'finalize' },
  ],
  [
    'POST /api/v1/namespaces/x/serviceaccounts/a/token',
    { verb: 'create', namespace: 'x', resource: 'serviceaccounts', name: 'a', subresource: 'token' },
  ],
  [
    'GET /api/v1/pods?fieldSelector=spec.nodeName%3Da,metadata.name%3Dweb',
    { verb: 'list', resource: 'pods', name: 'web' },
  ],
  ['GET /api/v1/pods?fieldSelector=metadata.name%21%3Dweb', { verb: 'list', resource: 'pods' }],
  ['GET /api/v1/pods?fieldSelector=metadata.name%3D%3Dweb', { verb: 'list', resource: 'pods', name: 'web' }],
  ['GET /api/v1/nodes/a%2Fb', { verb: 'get', resource: 'nodes', name: 'a', subresource: 'b' }],
  ['GET /apis%2Fapps/v1/deployments', { verb: 'list', group: 'apps', resource: 'deployments' }],
  [
    'POST /apis/cluster.karmada.io/v1alpha1/clusters/m/proxy/api/v1/pods',
    {
      verb: 'create',
      group: 'cluster.karmada.io',
      version: 'v1alpha1',
      resource: 'clusters',
      name: 'm',
      subresource: 'proxy',
    },
  ],
  ['GET /apis/no.such/v1/things', { verb: 'list', group: 'no.such', resource: 'things' }],
])('%s is about a resource', (request, attributes) => {
  expect(read(request)).toEqual({ ...NOTHING, ...attributes })
})

test.each([
  ['GET /api', 'get', '/api'],
  ['GET /api/v1', 'get', '/api/v1'],
  ['GET /apis/apps', 'get', '/apis/apps'],
  ['GET /apis/apps/v1', 'get', '/apis/apps/v1'],
  ['GET /', 'get', '/'],
  ['POST /metrics/x', 'post', '/metrics/x'],
  ['GET /apis%2Fapps', 'get', '/apis/apps'],
])('%s is about a path', (request, verb, path) => {
  expect(read(request)).toEqual({ verb, path })
})

test('a path that cannot be read is none', () => {
  expect(() => read('GET /api/v1/nodes/%zz')).toThrow('could not find the requested resource')
})
