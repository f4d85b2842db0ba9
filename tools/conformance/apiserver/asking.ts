/** Webhooks: called when configured, their results applied, and ignored where the failure policy permits. */
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { deepStrictEqual, strictEqual } from 'node:assert/strict'
import { selfSigned } from '@/server/apiserver/tls/certificates'
import { type Api, refused, until } from './api'
import { configMap, configMaps, type Topic } from './case'

const ADMISSION = '/apis/admissionregistration.k8s.io/v1'

interface Review {
  apiVersion: string
  request: { uid: string }
}

/** Responds with the result of `decide`; stopped at the end of the case. */
async function listen(api: Api, decide: () => object): Promise<object> {
  const pair = await selfSigned({ hosts: ['127.0.0.1'], now: Date.now() })
  const server: Server = createServer(pair, (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => void chunks.push(chunk))
    request.on('end', () => {
      const { apiVersion, request: asked } = JSON.parse(Buffer.concat(chunks).toString()) as Review
      response.writeHead(200, { 'Content-Type': 'application/json' })
      response.end(JSON.stringify({ kind: 'AdmissionReview', apiVersion, response: { uid: asked.uid, ...decide() } }))
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  api.later(
    () =>
      new Promise((resolve) => {
        server.close(resolve)
        server.closeAllConnections()
      }),
  )
  const { port } = server.address() as AddressInfo
  return { url: `https://127.0.0.1:${port}/review`, caBundle: Buffer.from(pair.cert).toString('base64') }
}

/** Has the ConfigMaps of the case's namespace reviewed. */
async function configure(api: Api, form: 'mutating' | 'validating', more: object): Promise<void> {
  const path = `${ADMISSION}/${form}webhookconfigurations`
  const name = api.fresh('hook')
  await api.expect(201, 'POST', path, {
    body: {
      metadata: { name },
      webhooks: [
        {
          name: 'a.conformance.example.com',
          admissionReviewVersions: ['v1'],
          sideEffects: 'None',
          timeoutSeconds: 5,
          namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': api.namespace } },
          rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
          ...more,
        },
      ],
    },
  })
  api.later(() => api.send('DELETE', `${path}/${name}`))
}

const attempt = (api: Api) => api.send('POST', `${configMaps(api)}?dryRun=All`, { body: configMap('a') })

export const asking: Topic = {
  topic: 'webhooks',
  cases: [
    {
      name: 'change what is written',
      needs: 'loopback',
      run: async (api) => {
        const patch = Buffer.from(JSON.stringify([{ op: 'add', path: '/data/added', value: 'yes' }])).toString('base64')
        await configure(api, 'mutating', {
          clientConfig: await listen(api, () => ({ allowed: true, patchType: 'JSONPatch', patch })),
        })
        await until(async () => (await attempt(api)).body.data?.added === 'yes')
        deepStrictEqual((await attempt(api)).body.data, { added: 'yes', k: 'v' })
      },
    },
    {
      name: 'refuse what they do not like, in their own words',
      needs: 'loopback',
      run: async (api) => {
        const clientConfig = await listen(api, () => ({ allowed: false, status: { message: 'not today', code: 403 } }))
        await configure(api, 'validating', { clientConfig })
        await until(async () => (await attempt(api)).status !== 201)
        refused(
          await attempt(api),
          403,
          '',
          'admission webhook "a.conformance.example.com" denied the request: not today',
        )
      },
    },
    {
      name: 'are asked only where their conditions match',
      needs: 'loopback',
      run: async (api) => {
        const clientConfig = await listen(api, () => ({ allowed: false }))
        const matchConditions = [{ name: 'marked', expression: '"marked" in object.data' }]
        await configure(api, 'validating', { clientConfig, matchConditions })
        const marked = { body: configMap('b', {}, { marked: 'yes' }) }
        await until(async () => (await api.send('POST', `${configMaps(api)}?dryRun=All`, marked)).status !== 201)
        strictEqual((await attempt(api)).status, 201)
      },
    },
    {
      name: 'are skipped when no server answers and their policy allows it',
      run: async (api) => {
        const clientConfig = { url: 'https://127.0.0.1:1/nobody' }
        await configure(api, 'validating', { clientConfig, failurePolicy: 'Ignore' })
        strictEqual((await attempt(api)).status, 201)
        await configure(api, 'validating', { clientConfig, failurePolicy: 'Fail' })
        await until(async () => (await attempt(api)).status !== 201)
        refused(
          await attempt(api),
          500,
          'InternalError',
          /^Internal error occurred: failed calling webhook "a\.conformance\.example\.com"/,
        )
      },
    },
  ],
}
