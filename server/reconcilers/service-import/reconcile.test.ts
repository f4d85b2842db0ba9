import { afterEach, beforeEach, expect, test } from 'vitest'
import { isNotFound } from '@/lib/kube/errors'
import { service as serviceKind } from '@/lib/kube/kinds'
import { serviceImport, type ServiceImport } from '@/lib/kube/kinds/service-import'
import { type Env, startEnv } from '@/server/testing/start-env'
import { serviceImportController } from '.'

const ref = { namespace: 'default', name: 'web' }
const derived = { namespace: 'default', name: 'derived-web' }
let env: Env
beforeEach(async () => {
  env = await startEnv()
  await env.run(serviceImportController(env.context()))
})
afterEach(() => env.close())

const importIt = (spec: Partial<NonNullable<ServiceImport['spec']>> = {}) =>
  env.client.create(serviceImport, {
    apiVersion: 'multicluster.x-k8s.io/v1alpha1',
    kind: 'ServiceImport',
    metadata: ref,
    spec: { type: 'ClusterSetIP', ports: [{ name: 'http', port: 80, protocol: 'TCP' }], ...spec },
  })
const read = () => env.client.get(serviceKind, derived)
const portsAre = (expected: number[]) =>
  env.eventually(async () => expect((await read()).spec.ports?.map(({ port }) => port)).toEqual(expected))
const isGone = () =>
  env.eventually(async () => {
    const error: unknown = await read().catch((thrown: unknown) => thrown)
    expect(isNotFound(error)).toBe(true)
  })

test('it creates a Service with its ports, and emits one event', async () => {
  await importIt()
  await portsAre([80])
  const { clusterIP } = (await read()).spec
  const value = { spec: { ports: [{ name: 'http', port: 81, protocol: 'TCP' }] } }
  await env.client.patch(serviceImport, ref, { type: 'merge', value })
  await portsAre([81])
  expect((await read()).spec.clusterIP).toBe(clusterIP)
  await env.eventually(async () =>
    expect((await env.recordedEvents()).map(({ reason, message }) => [reason, message])).toEqual([
      ['SyncDerivedServiceSucceed', 'Sync derived service for serviceImport(web) succeed.'],
    ]),
  )
})

test('the Service is restored, and goes with the import', async () => {
  await importIt()
  await portsAre([80])
  await env.client.delete(serviceKind, derived)
  await portsAre([80])
  await env.client.delete(serviceImport, ref)
  await isGone()
})

test('a headless import stands for none', async () => {
  await importIt({ type: 'Headless' })
  await env.advance(1_000)
  await isGone()
})

test('a Service of such a name without an import stays', async () => {
  const spec = { ports: [{ port: 80 }] }
  await env.client.create(serviceKind, { apiVersion: 'v1', kind: 'Service', metadata: derived, spec })
  await env.advance(1_000)
  expect((await read()).metadata.name).toBe('derived-web')
})
