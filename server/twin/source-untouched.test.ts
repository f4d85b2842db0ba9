/** The source of a twin, behind a proxy that refuses everything but reads. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { keptShare } from '@/lib/domain/twin'
import { cluster, resourceBinding } from '@/lib/kube/kinds'
import { createHttpTransport } from '@/server/kube/http-transport'
import { generatedFederation } from '@/server/testing/generated-federation'
import { type ReadOnlyProxy, startReadOnlyProxy } from '@/server/testing/read-only-proxy'
import { type Env, startEnv } from '@/server/testing/start-env'
import { readExport, writeExport } from './export-file'
import { seedControlPlane } from './seed'
import { takeExport } from './take-export'

const NOW = Date.parse('2026-01-01T00:00:00Z')
const WORKLOADS = 12

let source: Env
let proxy: ReadOnlyProxy
let folder: string
beforeEach(async () => {
  source = await startEnv()
  await seedInto(source, generatedFederation({ clusters: 3, workloads: WORKLOADS, seed: 2, now: NOW }))
  proxy = await startReadOnlyProxy(source.url)
  folder = mkdtempSync(join(tmpdir(), 'evenkeel-twin-test-'))
  writeFileSync(join(folder, 'kubeconfig'), kubeconfigOf(proxy.url, source.token))
})
afterEach(async () => {
  await proxy.close()
  await source.close()
  rmSync(folder, { recursive: true })
})

const seedInto = ({ url, token, restore }: Env, taken: Parameters<typeof seedControlPlane>[1]) =>
  seedControlPlane({ transport: createHttpTransport({ url, token }), restore }, taken, {
    now: NOW,
    uid: () => crypto.randomUUID(),
  })

const kubeconfigOf = (server: string, token: string): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'source',
    clusters: [{ name: 'source', cluster: { server } }],
    users: [{ name: 'source', user: { token } }],
    contexts: [{ name: 'source', context: { cluster: 'source', user: 'source' } }],
  })

const take = (anonymise: boolean) =>
  takeExport({ kubeconfig: join(folder, 'kubeconfig'), proxies: {}, anonymise, now: NOW })

/** Every object that a rehearsal could want to change, with its version. */
const stateOf = async ({ client }: Env) =>
  JSON.stringify(await Promise.all([client.list(cluster), client.list(resourceBinding)]))

test.each([false, true])('an export (anonymised: %s) and its twin send reads only', async (anonymise) => {
  const before = await stateOf(source)
  const file = join(folder, 'federation.json')
  await writeExport(file, await take(anonymise))
  const twin = await startEnv()
  onTestFinished(() => twin.close())
  const { proof, omissions } = await seedInto(twin, await readExport(file))
  expect(proxy.refused).toEqual([])
  expect(proxy.reads).toBeGreaterThan(10)
  expect(omissions).toEqual([])
  expect(proof.workloads).toBe(WORKLOADS)
  expect(keptShare(proof)).toBe(1)
  expect(await stateOf(source)).toBe(before)
})

test('a failed read leaves neither a write nor a file', async () => {
  const { url } = proxy
  writeFileSync(join(folder, 'kubeconfig'), kubeconfigOf(url, 'wrong'))
  await expect(take(false)).rejects.toMatchObject({ name: 'TwinError', detail: { code: 'twin.error.noClusters' } })
  expect(proxy.refused).toEqual([])
  expect(readdirSync(folder)).toEqual(['kubeconfig'])
})

test('the proxy refuses what is no read', async () => {
  for (const [method, path] of [
    ['POST', '/api/v1/namespaces'],
    ['GET', '/api/v1/pods?watch=true'],
    ['GET', '/apis/cluster.karmada.io/v1alpha1/clusters/member-0/proxy/api/v1/nodes'],
  ] as const) {
    expect((await fetch(`${proxy.url}${path}`, { method })).status).toBe(405)
  }
  expect(proxy.refused).toHaveLength(3)
})
