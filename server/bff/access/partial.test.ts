/** What browsers are shown while the API server has not answered about all namespaces yet. */
import { expect, onTestFinished, test } from 'vitest'
import { role } from '@/lib/kube/kinds/role'
import { selfSubjectAccessReview } from '@/lib/kube/kinds/access-reviews'
import type { KubeClient } from '@/server/kube/client'
import { systemClock } from '@/server/runtime/system-clock'
import { trustingAuthenticator, grant, idOfWeb, startPlaneOfTwo } from '../testing/plane-of-two'
import { call } from '../testing/call'
import { eventually, startBff } from '../testing/start-bff'
import { Tap } from '../testing/tap'

const READ = ['get', 'list', 'watch']

/** A console that may not list RBAC objects, and an API server that keeps its answer about `ns-blue` back. */
async function startSlowly(namespaces: readonly ('ns-red' | 'ns-blue')[]) {
  const env = await startPlaneOfTwo()
  const answer = Promise.withResolvers<void>()
  const slow = (client: KubeClient): KubeClient => ({
    ...client,
    create: async (kind, object, options) => {
      const { namespace } = (object as unknown as { spec: { namespace?: string } }).spec
      if (namespace === 'ns-blue') await answer.promise
      return client.create(kind, object, options)
    },
  })
  const blind: KubeClient = {
    ...env.client,
    create: (kind, object, options) => {
      const asked = (object as unknown as { spec?: { resourceAttributes?: { group?: string } } }).spec
        ?.resourceAttributes
      return (kind as unknown) === selfSubjectAccessReview && asked?.group === role.group
        ? Promise.resolve({ ...object, status: { allowed: false } } as never)
        : env.client.create(kind, object, options)
    },
  }
  const authenticator = trustingAuthenticator(env)
  const { url } = await startBff({
    client: blind,
    informers: env.informers,
    clock: systemClock,
    authenticator: {
      ...authenticator,
      authenticate: async (request) => {
        const principal = await authenticator.authenticate(request)
        return { ...principal, client: slow(principal.client) }
      },
    },
  })
  await grant(env, 'jane', [{ resources: ['resourcebindings', 'events'], verbs: READ, namespaces }])
  const tap = new Tap(url, { 'x-test-user': 'jane' }, ['workloads', 'queues', `workload/${idOfWeb('ns-blue')}`])
  onTestFinished(() => tap.close())
  return { url, tap, answer: answer.resolve }
}

const PAGE = `workload/${idOfWeb('ns-blue')}`

test('known permitted objects are shown as a part, and a request that may still be permitted is not refused', async () => {
  const { tap, url, answer } = await startSlowly(['ns-red', 'ns-blue'])
  await eventually(() => expect(tap.ids('workloads')).toHaveLength(2))
  expect([[...tap.refused.keys()], tap.unsettled]).toEqual([
    [],
    ['workloads: catching-up', 'queues: catching-up', `${PAGE}: catching-up`],
  ])
  const whole = call(`${url}/api/v1/workloads`, { headers: { 'x-test-user': 'jane' } })
  answer()
  await eventually(() => expect(tap.unsettled).toEqual([]))
  expect([tap.ids('workloads').length, tap.ids(PAGE), [...tap.refused.keys()]]).toEqual([
    4,
    [idOfWeb('ns-blue')],
    ['queues'],
  ])
  // A list over HTTP is whole or none.
  expect((await whole).json).toMatchObject({
    items: [expect.anything(), expect.anything(), expect.anything(), expect.anything()],
  })
})

test('what turns out not to be permitted is refused then', async () => {
  const { tap, answer } = await startSlowly(['ns-red'])
  await eventually(() => expect(tap.ids('workloads')).toHaveLength(2))
  expect(tap.refused.size).toBe(0)
  answer()
  await eventually(() => expect(tap.unsettled).toEqual([]))
  expect([[...tap.refused.keys()].sort(), tap.ids('workloads').length]).toEqual([['queues', PAGE], 2])
})
