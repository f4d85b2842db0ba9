import { afterEach, beforeEach, expect, test } from 'vitest'
import { apiVersionOf } from '@/lib/kube/kind'
import { type Env, startEnv } from '@/server/testing/start-env'
import type { KubeClient } from './client'
import { discoverKinds, discoverVersion } from './discovery'

let env: Env
beforeEach(async () => {
  env = await startEnv()
})
afterEach(() => env.close())

/** The server, with other answers to some paths. */
function answering(answers: Record<string, { status: number; body: unknown }>): KubeClient {
  return {
    ...env.client,
    raw: (method, path, body) => {
      const answer = answers[path]
      return answer ? Promise.resolve(answer) : env.client.raw(method, path, body)
    },
  } as KubeClient
}

const group = (name: string, preferred: string, ...versions: string[]) => ({
  name,
  versions: [...versions, preferred].map((version) => ({ groupVersion: `${name}/${version}`, version })),
  preferredVersion: { groupVersion: `${name}/${preferred}`, version: preferred },
})
const list = (...resources: object[]) => ({ status: 200, body: { kind: 'APIResourceList', resources } })
const widgets = {
  name: 'widgets',
  singularName: 'widget',
  namespaced: true,
  kind: 'Widget',
  verbs: ['get', 'list', 'watch', 'delete'],
}

test('contains for every kind what reads and writes need', async () => {
  const { kinds, unanswered } = await discoverKinds(env.client)
  expect(unanswered).toEqual([])
  const deployment = kinds.find(({ kind }) => kind.kind === 'Deployment')
  expect(deployment).toMatchObject({
    preferred: true,
    verbs: expect.arrayContaining(['list', 'watch', 'patch']),
    kind: {
      group: 'apps',
      version: 'v1',
      plural: 'deployments',
      scope: 'Namespaced',
      origin: 'builtin',
      subresources: { status: true },
    },
  })
  expect(kinds.find(({ kind }) => kind.kind === 'Node')?.kind).toMatchObject({ group: '', scope: 'Cluster' })
  expect(kinds.filter(({ kind }) => kind.plural.includes('/'))).toEqual([])
})

test('prefers the version that the group prefers, and another one for what that lacks', async () => {
  const client = answering({
    '/apis': { status: 200, body: { groups: [group('example.com', 'v1', 'v1beta1')] } },
    '/apis/example.com/v1': list(widgets),
    '/apis/example.com/v1beta1': list(widgets, { ...widgets, name: 'gadgets', kind: 'Gadget' }),
  })
  const found = (await discoverKinds(client)).kinds.filter(({ kind }) => kind.group === 'example.com')
  expect(found.map(({ kind, preferred }) => `${apiVersionOf(kind)}/${kind.kind} ${preferred}`)).toEqual([
    'example.com/v1/Widget true',
    'example.com/v1beta1/Widget false',
    'example.com/v1beta1/Gadget true',
  ])
})

test('names a group that does not answer instead of failing all others', async () => {
  const client = answering({
    '/apis': { status: 200, body: { groups: [group('broken.io', 'v1'), group('example.com', 'v1')] } },
    '/apis/broken.io/v1': { status: 503, body: 'no endpoints' },
    '/apis/example.com/v1': list(widgets),
  })
  const { kinds, unanswered } = await discoverKinds(client)
  expect(unanswered).toEqual(['broken.io/v1'])
  expect(kinds.some(({ kind }) => kind.kind === 'Widget')).toBe(true)
})

test('a version that is not served has no kinds, and one that does not answer is an error', async () => {
  expect(await discoverVersion(env.client, 'example.com/v1')).toEqual([])
  const client = answering({ '/apis/example.com/v1': { status: 503, body: '' } })
  await expect(discoverVersion(client, 'example.com/v1')).rejects.toMatchObject({ code: 503 })
})
