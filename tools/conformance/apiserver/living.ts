/** Lifecycle of objects: namespaces, owners, events, leases. */
import { deepStrictEqual, match } from 'node:assert/strict'
import { type Api, includes, refused, until } from './api'
import { configMap, configMaps, ofCore, type Topic } from './case'

async function owned(api: Api, name: string, more: object = {}): Promise<void> {
  const { metadata } = await api.expect(201, 'POST', configMaps(api), { body: configMap('owner') })
  const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: metadata.uid, ...more }]
  await api.expect(201, 'POST', configMaps(api), { body: configMap(name, { ownerReferences }) })
}

const gone = (api: Api, name: string) => async (): Promise<boolean> =>
  (await api.send('GET', `${configMaps(api)}/${name}`)).status === 404
const remove = (api: Api, propagationPolicy: string) =>
  api.expect(200, 'DELETE', `${configMaps(api)}/owner`, { body: { propagationPolicy } })

export const living: Topic = {
  topic: 'the life of objects',
  cases: [
    {
      name: 'a namespace that goes takes along what is in it, and lets nothing in meanwhile',
      needs: 'controllers',
      run: async (api) => {
        const name = api.fresh('leaving')
        await api.expect(201, 'POST', '/api/v1/namespaces', { body: { metadata: { name } } })
        await api.expect(201, 'POST', ofCore(name, 'configmaps'), {
          body: configMap('a', { finalizers: ['test.example.com/hold'] }),
        })
        includes(await api.expect(200, 'DELETE', `/api/v1/namespaces/${name}`), { status: { phase: 'Terminating' } })
        refused(
          await api.send('POST', ofCore(name, 'configmaps'), { body: configMap('b') }),
          403,
          'Forbidden',
          /because it is being terminated$/,
        )
        await until(
          async () =>
            (await api.expect(200, 'GET', `${ofCore(name, 'configmaps')}/a`)).metadata.deletionTimestamp !== undefined,
        )
        await api.expect(200, 'PATCH', `${ofCore(name, 'configmaps')}/a`, { body: { metadata: { finalizers: null } } })
        await until(async () => (await api.send('GET', `/api/v1/namespaces/${name}`)).status === 404)
      },
    },
    {
      name: 'what is owned goes after its owner in the background',
      needs: 'controllers',
      run: async (api) => {
        await owned(api, 'a')
        await remove(api, 'Background')
        await until(gone(api, 'a'))
      },
    },
    {
      name: 'an owner waits in the foreground for what blocks it',
      needs: 'controllers',
      run: async (api) => {
        await owned(api, 'a', { blockOwnerDeletion: true })
        await api.expect(200, 'PATCH', `${configMaps(api)}/a`, {
          body: { metadata: { finalizers: ['test.example.com/hold'] } },
        })
        await remove(api, 'Foreground')
        await until(
          async () => (await api.expect(200, 'GET', `${configMaps(api)}/a`)).metadata.deletionTimestamp !== undefined,
        )
        includes(await api.expect(200, 'GET', `${configMaps(api)}/owner`), {
          metadata: { finalizers: ['foregroundDeletion'] },
        })
        await api.expect(200, 'PATCH', `${configMaps(api)}/a`, { body: { metadata: { finalizers: null } } })
        await until(gone(api, 'owner'))
      },
    },
    {
      name: 'orphans stay, without their owner',
      needs: 'controllers',
      run: async (api) => {
        await owned(api, 'a')
        await remove(api, 'Orphan')
        await until(gone(api, 'owner'))
        deepStrictEqual((await api.expect(200, 'GET', `${configMaps(api)}/a`)).metadata.ownerReferences, undefined)
      },
    },
    {
      name: 'an event counts in a series, in both of its forms',
      run: async (api) => {
        const body = {
          metadata: { name: 'e' },
          eventTime: '2026-01-01T00:00:00.000000Z',
          reportingController: 'example.com/c',
          reportingInstance: 'c-1',
          action: 'Act',
          reason: 'Because',
          type: 'Normal',
          regarding: { apiVersion: 'v1', kind: 'ConfigMap', name: 'a', namespace: api.namespace },
        }
        const path = `/apis/events.k8s.io/v1/namespaces/${api.namespace}/events`
        await api.expect(201, 'POST', path, { body })
        const series = { count: 2, lastObservedTime: '2026-01-01T00:00:05.000000Z' }
        await api.expect(200, 'PATCH', `${path}/e`, { body: { series } })
        includes(await api.expect(200, 'GET', `${ofCore(api.namespace, 'events')}/e`), {
          involvedObject: { kind: 'ConfigMap', name: 'a' },
          reportingComponent: 'example.com/c',
          series: { count: 2 },
        })
      },
    },
    {
      name: 'a lease is held by who writes it first',
      run: async (api) => {
        const path = `/apis/coordination.k8s.io/v1/namespaces/${api.namespace}/leases`
        const lease = {
          metadata: { name: 'l' },
          spec: { holderIdentity: 'one', leaseDurationSeconds: 15, renewTime: '2026-01-01T00:00:00.000000Z' },
        }
        const held = await api.expect(201, 'POST', path, { body: lease })
        match(String(held.spec.renewTime), /^2026-01-01T00:00:00\.000000Z$/)
        await api.expect(200, 'PUT', `${path}/l`, {
          body: { ...held, spec: { ...(held.spec as object), holderIdentity: 'two' } },
        })
        refused(await api.send('PUT', `${path}/l`, { body: held }), 409, 'Conflict')
      },
    },
  ],
}
