import { expect, onTestFinished, test } from 'vitest'
import { allKinds } from '@/lib/kube/kinds'
import { createFakeClock } from '@/lib/testing/fake-clock'
import { createMemoryStore, startApiServer } from '@/server/apiserver'
import { SpecAuthors } from './spec-authors'

test('who last changed a spec is known by name; reports, labels and the loops of the product do not count', async () => {
  const authors = new SpecAuthors()
  let uids = 0
  const server = await startApiServer({
    store: createMemoryStore(),
    kinds: allKinds,
    host: '127.0.0.1',
    port: 0,
    clock: createFakeClock(),
    random: () => 0.5,
    uid: () => `u${++uids}`,
    tokens: [],
    onSpecChange: (change) => authors.note(change),
  })
  onTestFinished(() => server.close())
  const as = (user: string, userAgent: string) => {
    const local = server.local({ caller: { user, groups: ['system:masters'] } })
    return async (method: string, path: string, body: object): Promise<void> => {
      const contentType = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
      const { code, body: answer } = await local.call({ method, path, userAgent, body, contentType })
      expect(code, JSON.stringify(answer)).toBeLessThan(300)
    }
  }
  const [ann, ben, loops] = [as('ann', 'kubectl/v1'), as('ben', 'kubectl/v1'), as('admin', 'evenkeel')]
  const web = '/apis/apps/v1/namespaces/default/deployments/web'
  const author = (): string | undefined =>
    authors.authorOf({ apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'default', name: 'web' })
  await ann('POST', '/apis/apps/v1/namespaces/default/deployments', {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: {
      selector: { matchLabels: { a: 'b' } },
      template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
    },
  })
  expect(author()).toBeUndefined()
  await ann('PATCH', `${web}/scale`, { spec: { replicas: 3 } })
  expect(author()).toBe('ann')
  await ben('PATCH', web, { metadata: { labels: { c: 'd' } } })
  await ben('PATCH', `${web}/status`, { status: { replicas: 3 } })
  await loops('PATCH', web, { spec: { replicas: 4 } })
  expect(author()).toBe('ann')
  await ben('PATCH', web, { spec: { replicas: 5 } })
  expect(author()).toBe('ben')
})
