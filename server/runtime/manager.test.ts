import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { configMap } from '@/lib/kube/kinds/config-map'
import { fencedClient } from '@/server/kube/fenced-client'
import type { Informers } from '@/server/kube/informer'
import { createInformers } from '@/server/kube/informers'
import { startElection } from '@/server/kube/leases'
import { type Env, startEnv } from '@/server/testing/start-env'
import { type Controller, watch } from './controller'
import { createManager, type StartElection, type Manager } from './manager'
import { systemClock } from './system-clock'

let env: Env
const managers: Manager[] = []
beforeEach(async () => {
  env = await startEnv()
})
afterEach(async () => {
  await Promise.all(managers.splice(0).map((manager) => manager.stop()))
  await env.close()
})

const put = (name: string) =>
  env.client.create(configMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'default' } })
const failed = (error: unknown): never => {
  throw error
}

/** One of several processes that run the same loop. */
function process(identity: string, elected = true): { manager: Manager; seen: string[]; informers: Informers } {
  const { client, clock } = env
  const seen: string[] = []
  const informers = createInformers({ client, clock: systemClock, random: () => 0, onError: failed })
  const elect: StartElection = (name, callbacks) =>
    startElection(
      { client, clock, random: () => 0, namespace: 'default', name, identity, onError: () => undefined },
      callbacks,
    )
  const manager = createManager({ informers, clock, log: env.log, ...(elected && { startElection: elect }) })
  managers.push(manager)
  const loop: Controller = {
    name: 'loop',
    watches: [watch({ kind: configMap, relevant: ({ type }) => type === 'added' })],
    reconcile: async (key) => {
      if (key.startsWith('default/')) seen.push(key)
    },
  }
  manager.add(loop)
  return { manager, seen, informers }
}

describe('the manager', () => {
  test('runs every loop once its caches are synced', async () => {
    await put('a')
    const { manager, seen } = process('only', false)
    await manager.start()
    await env.eventually(() => expect(seen).toEqual(['default/a']))
    expect(manager.leads('loop')).toBe(true)
    await env.eventually(() => expect(manager.pending()).toBe(0))
  })

  test('refuses two loops of one name', () => {
    const { manager } = process('only', false)
    expect(() => manager.add({ name: 'loop', watches: [], reconcile: async () => undefined })).toThrow(
      'two controllers are named "loop"',
    )
  })

  test('runs a controller with leader election in one process, and in the next when that stops', async () => {
    await put('a')
    const first = process('first')
    await first.manager.start()
    await env.eventually(() => expect(first.seen).toEqual(['default/a']))
    const second = process('second')
    await second.manager.start()
    await put('b')
    await env.eventually(() => expect(first.seen).toEqual(['default/a', 'default/b']))
    expect([first.manager.leads('loop'), second.manager.leads('loop'), second.seen]).toEqual([true, false, []])
    await first.manager.stop()
    await env.eventually(() => expect(second.seen).toEqual(['default/a', 'default/b']))
    expect([first.manager.leads('loop'), second.manager.leads('loop')]).toEqual([false, true])
  })

  test('hands its loops over when it resigns, while what it reads stays current until it stops', async () => {
    const first = process('first')
    await first.manager.start()
    await env.eventually(() => expect(first.manager.leads('loop')).toBe(true))
    const second = process('second')
    await second.manager.start()
    await first.manager.stopControllers()
    await put('a')
    await env.eventually(() => expect(second.seen).toEqual(['default/a']))
    await env.eventually(() => expect(first.informers.of(configMap).get('default/a')).toBeDefined())
    expect(first.seen).toEqual([])
  })

  test('lets a loop that does not lead write nothing through a fenced client', async () => {
    const { manager } = process('only')
    const fenced = fencedClient(env.client, () => manager.leads('loop'))
    const draft = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'fenced', namespace: 'default' } }
    await expect(fenced.create(configMap, draft)).rejects.toMatchObject({ code: 409 })
    await manager.start()
    await env.eventually(() => expect(manager.leads('loop')).toBe(true))
    await expect(fenced.create(configMap, draft)).resolves.toBeDefined()
    await manager.stop()
    await expect(fenced.delete(configMap, { namespace: 'default', name: 'fenced' })).rejects.toMatchObject({
      code: 409,
    })
  })
})
