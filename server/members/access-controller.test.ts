import { afterEach, beforeEach, expect, test } from 'vitest'
import { cluster as clusterKind, node as nodeKind, secret as secretKind } from '@/lib/kube/kinds'
import { SIM_NODES } from '@/lib/kube/simulation'
import { decodeBase64 } from '@/lib/std/base64'
import { createRestClient } from '@/server/kube/rest-client'
import { type Env, startEnv } from '@/server/testing/start-env'
import { memberSimulation } from '.'
import { accessController } from './access-controller'

let env: Env
beforeEach(async () => {
  env = await startEnv({ transport: 'http' })
  const access = accessController(env.context(), { url: env.url, ca: 'PEM', impersonator: false })
  await env.run(...memberSimulation(env.context()), access)
})
afterEach(() => env.close())

const cluster = (name: string) => env.client.get(clusterKind, { name })

test('a simulated member is reached by the address and the Secret that its Cluster names', async () => {
  await env.createCluster('m1', { annotations: { [SIM_NODES]: '1' } })
  await env.eventually(async () => expect((await cluster('m1')).spec.secretRef).toBeDefined())
  const { apiEndpoint = '', secretRef, impersonatorSecretRef } = (await cluster('m1')).spec
  expect(impersonatorSecretRef).toBeUndefined()
  const { data } = await env.client.get(secretKind, secretRef!)
  expect(decodeBase64(data?.caBundle ?? '')).toBe('PEM')
  const token = decodeBase64(data?.token ?? '')!
  const member = createRestClient({ url: apiEndpoint, token, userAgent: 'test' })
  await env.eventually(async () => expect((await member.list(nodeKind)).items).toHaveLength(1))
  await member.close()
  const elsewhere = createRestClient({ url: env.url, token, userAgent: 'test' })
  await expect(elsewhere.list(secretKind)).rejects.toThrow('forbidden')
  await elsewhere.close()
})

test('an address of its own is left alone', async () => {
  await env.createCluster('m1', { annotations: { [SIM_NODES]: '1' } })
  await env.eventually(async () => expect((await cluster('m1')).spec.apiEndpoint).toBeDefined())
  const spec = { apiEndpoint: 'https://elsewhere:6443' }
  await env.create(clusterKind, {
    apiVersion: 'cluster.karmada.io/v1alpha1',
    kind: 'Cluster',
    metadata: { name: 'm2', annotations: { [SIM_NODES]: '1' } },
    spec: { syncMode: 'Push', ...spec },
  })
  await env.createCluster('m3', { annotations: { [SIM_NODES]: '1' } })
  await env.eventually(async () => expect((await cluster('m3')).spec.apiEndpoint).toBeDefined())
  expect((await cluster('m2')).spec).toMatchObject(spec)
})
