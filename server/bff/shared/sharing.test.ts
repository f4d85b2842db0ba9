import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { KubeError, kubeError, type StatusReason } from '@/lib/kube/errors'
import { namespace } from '@/lib/kube/kinds/namespace'
import type { KubeClient } from '@/server/kube/client'
import { systemClock } from '@/server/runtime/system-clock'
import { createLogger } from '@/server/telemetry/logger'
import { withFaults } from '@/server/testing/faulty-client'
import { NO_REDIS, redisInstalled, RedisServer } from '@/server/testing/redis-server'
import { startEnv } from '@/server/testing/start-env'
import { controlPlaneId, openSharing, type SharingOptions } from './sharing'

function recorded() {
  const lines: string[] = []
  const destination = new PassThrough().on('data', (line: Buffer) => lines.push(line.toString()))
  return { lines, log: createLogger({ level: 'debug', destination }) }
}

async function open(options: Partial<SharingOptions>) {
  const sharing = await openSharing({
    controlPlane: 'cp',
    clock: systemClock,
    random: Math.random,
    log: recorded().log,
    ...options,
  })
  onTestFinished(() => sharing.close())
  return sharing
}

describe('sharing', () => {
  test('a single instance keeps its values in memory and needs no socket adapter', async () => {
    const sharing = await open({})
    expect(sharing.socketAdapter).toBeUndefined()
    await sharing.store.set('key', 'value', 1000)
    expect(sharing.store.state()).toEqual({ ok: true })
  })

  test('a file of authorities that cannot be read ends the start with its name', async () => {
    await expect(open({ redis: { url: 'rediss://127.0.0.1:1', caFile: '/nowhere/ca.pem' } })).rejects.toThrow(
      '/nowhere/ca.pem',
    )
  })

  test('a Redis that does not answer is told once, with no password, and counted', async () => {
    const { log, lines } = recorded()
    const reachable: boolean[] = []
    const directory = mkdtempSync(join(tmpdir(), 'sharing-'))
    onTestFinished(() => rmSync(directory, { recursive: true }))
    writeFileSync(join(directory, 'ca.pem'), '')
    await open({
      redis: { url: 'rediss://:the-secret@127.0.0.1:1', caFile: join(directory, 'ca.pem') },
      log,
      metrics: { storeReachable: (ok) => reachable.push(ok) },
    })
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatch(/sign-outs on other instances may take effect late/)
    expect(lines.join('')).not.toContain('the-secret')
    expect(reachable).toEqual([false])
  })
})

describe.skipIf(!redisInstalled)(redisInstalled ? 'sharing a Redis' : NO_REDIS, () => {
  test('two instances of one control plane share, and joins and leaves are logged and counted', async () => {
    const redis = await new RedisServer().start()
    onTestFinished(() => redis.remove())
    const reachable: boolean[] = []
    const one = await open({ redis: { url: redis.url }, metrics: { storeReachable: (ok) => reachable.push(ok) } })
    const two = await open({ redis: { url: redis.url } })
    const foreign = await open({ redis: { url: redis.url }, controlPlane: 'another' })
    await one.store.set('key', 'value', 60_000)
    expect(await two.store.get('key')).toBe('value')
    expect(await foreign.store.get('key')).toBeUndefined()
    await redis.kill()
    await vi.waitFor(() => expect(reachable).toEqual([true, false]), { timeout: 20_000 })
    await redis.start()
    await vi.waitFor(() => expect(reachable).toEqual([true, false, true]), { timeout: 20_000 })
  })
})

describe('the name of a control plane', () => {
  test('is the uid of kube-system, so that every instance finds the same', async () => {
    const env = await startEnv()
    onTestFinished(() => env.close())
    const { uid } = (await env.client.get(namespace, { name: 'kube-system' })).metadata
    expect(await controlPlaneId(env.client, 'https://a')).toBe(uid)
    expect(await controlPlaneId(env.client, 'https://b')).toBe(uid)
  })

  /** A real control plane whose answers to reads of namespaces are replaced. */
  async function answering(code: number, reason: StatusReason): Promise<KubeClient> {
    const env = await startEnv()
    onTestFinished(() => env.close())
    const refuse = (): never => {
      throw kubeError(code, reason, 'no')
    }
    return withFaults(env.client, { verb: 'get', kind: namespace, times: Infinity, before: refuse })
  }

  test('is made of the address where that may not be read', async () => {
    const [forbidden, absent] = [await answering(403, 'Forbidden'), await answering(404, 'NotFound')]
    expect(await controlPlaneId(forbidden, 'https://a')).toBe(await controlPlaneId(absent, 'https://a'))
    expect(await controlPlaneId(forbidden, 'https://a')).not.toBe(await controlPlaneId(forbidden, 'https://b'))
  })

  test('is not guessed while the control plane does not answer, for instances must not differ', async () => {
    await expect(controlPlaneId(await answering(500, 'InternalError'), 'https://a')).rejects.toThrow(KubeError)
  })
})
