/** Rights are by group and resource: whichever version of a kind a request names, the answer is the same. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allKinds } from '@/lib/kube/kinds'
import { otherVersions } from '@/lib/kube/kinds/other-versions'
import { apiVersionOf, type Kind } from '@/lib/kube/kind'
import { startTestServer, type TestServer } from '../testing/start-server'
import { as, RBAC, user } from './testing/rights'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  await server.send('POST', '/api/v1/namespaces', { metadata: { name: 'tenant' } })
})
afterAll(() => server.close())

const pathOf = (kind: Kind): string => {
  const root = kind.group === '' ? '/api/v1' : `/apis/${apiVersionOf(kind)}`
  return `${root}${kind.scope === 'Namespaced' ? '/namespaces/tenant' : ''}/${kind.plural}`
}

/** Every request to a collection, an object and what belongs to it, and whether it was forbidden. A watch of no version ends at once. */
async function forbidden(kind: Kind, name: string): Promise<Record<string, boolean>> {
  const ask = as(server, name)
  const [all, one] = [pathOf(kind), `${pathOf(kind)}/one`]
  const subresources = [kind.subresources.status && 'status', kind.subresources.scale && 'scale'].filter(
    (part) => part !== undefined,
  )
  const requests: [string, string][] = [
    ['GET', all],
    ['GET', `${all}?watch=1&resourceVersion=none`],
    ['POST', all],
    ['DELETE', all],
    ['GET', one],
    ['GET', `${one}?watch=1&resourceVersion=none`],
    ['PUT', one],
    ['PATCH', one],
    ['DELETE', one],
    ...subresources.flatMap((part): [string, string][] =>
      ['GET', 'PUT', 'PATCH'].map((method) => [method, `${one}/${String(part)}`]),
    ),
  ]
  const answers = await Promise.all(
    requests.map(async ([method, path]) => {
      const { status } = await ask(method, path, method === 'GET' ? undefined : {})
      return [`${method} ${path.slice(all.length)}`, status === 403] as const
    }),
  )
  return Object.fromEntries(answers)
}

const RIGHTS: Record<string, readonly { verbs: string[]; parts?: string[]; resourceNames?: string[] }[]> = {
  none: [],
  reader: [{ verbs: ['get', 'list'] }],
  watcher: [{ verbs: ['watch'] }],
  writer: [{ verbs: ['create', 'update', 'patch'] }],
  scaler: [{ verbs: ['get', 'update', 'patch'], parts: ['scale'] }],
  reporter: [{ verbs: ['update', 'patch'], parts: ['status'] }],
  'of-one': [{ verbs: ['get', 'update', 'delete'], resourceNames: ['one'] }],
  'of-another': [{ verbs: ['get', 'update', 'delete'], resourceNames: ['another'] }],
}

/** Roles that allow some requests and forbid others of every kind. */
const PARTIAL = new Set(['reader', 'watcher', 'writer', 'of-one'])

const pairs = otherVersions.flatMap((other): [string, Kind, Kind][] =>
  allKinds
    .filter(
      (kind) =>
        kind.group === other.group && kind.plural === other.plural && kind !== other && kind.version !== other.version,
    )
    .map((kind) => [`${other.plural}.${other.group} in ${kind.version} and ${other.version}`, kind, other]),
)

describe.each(pairs)('%s', (_what, kind, other) => {
  test.each(Object.keys(RIGHTS))('the same is forbidden to: %s', async (shape) => {
    const name = `${shape}-${kind.plural}-${kind.version}`
    const rules = (RIGHTS[shape] ?? []).map(({ parts, ...rule }) => ({
      ...rule,
      apiGroups: [kind.group],
      resources: parts ? parts.map((part) => `${kind.plural}/${part}`) : [kind.plural],
    }))
    await server.send('POST', `${RBAC}/clusterroles`, { metadata: { name }, rules })
    await server.send('POST', `${RBAC}/clusterrolebindings`, {
      metadata: { name },
      subjects: [user(name)],
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
    })
    const verdicts = await forbidden(kind, name)
    expect(await forbidden(other, name)).toEqual(verdicts)
    if (PARTIAL.has(shape)) expect(new Set(Object.values(verdicts)).size).toBe(2)
  })
})

test('there are kinds of several versions', () => {
  expect(pairs.length).toBeGreaterThanOrEqual(3)
})
