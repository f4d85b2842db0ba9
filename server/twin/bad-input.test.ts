import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { TwinExport } from '@/lib/domain/twin'
import { configMap, deployment, propagationPolicy, secret } from '@/lib/kube/kinds'
import { aBinding, aDeployment, aPolicy } from '@/lib/testing/builders'
import { createHttpTransport } from '@/server/kube/http-transport'
import type { Transport, TransportAnswer, TransportRequest } from '@/server/kube/transport'
import { generatedFederation } from '@/server/testing/generated-federation'
import { type Env, startEnv } from '@/server/testing/start-env'
import { resourceBinding } from '@/lib/kube/kinds'
import { readExport, writeExport } from './export-file'
import { readFederation } from './read-federation'
import { readOnly, WriteRefused } from './read-only'

const NOW = Date.parse('2026-01-01T00:00:00Z')

describe('files', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'evenkeel-twin-test-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  const small = () => generatedFederation({ clusters: 2, workloads: 3, seed: 1, now: NOW })
  const fileWith = (text: string): string => {
    const file = join(folder, 'export.json')
    writeFileSync(file, text)
    return file
  }

  test('an export is read as it was written, and no temporary file stays', async () => {
    const file = join(folder, 'out.json')
    await writeExport(file, small())
    expect(readdirSync(folder)).toEqual(['out.json'])
    expect(await readExport(file)).toEqual(JSON.parse(JSON.stringify(small())))
  })

  test('a file that cannot be written leaves nothing', async () => {
    await expect(writeExport(join(folder, 'absent', 'out.json'), small())).rejects.toMatchObject({
      name: 'TwinError',
      detail: { code: 'twin.error.noOutput' },
    })
    expect(readdirSync(folder)).toEqual([])
  })

  const head = (change: object): string => JSON.stringify({ ...small(), ...change })
  test.each([
    ['twin.error.notJson', () => head({}).slice(0, -500)],
    ['twin.error.notJson', () => 'apiVersion: v1'],
    ['twin.error.notAnExport', () => '[]'],
    ['twin.error.notAnExport', () => '{"apiVersion":"v1","kind":"List","items":[]}'],
    ['twin.error.otherVersion', () => head({ apiVersion: 'evenkeel.io/v9' })],
    ['twin.error.incomplete', () => head({ objects: small().objects.slice(1) })],
    ['twin.error.invalid', () => head({ objects: [{ apiVersion: 'v1', kind: 'Pod' }] })],
    ['twin.error.invalid', () => head({ metadata: { ...small().metadata, takenAt: 'yesterday' } })],
    ['twin.error.hostileKey', () => head({}).replace('"labels":{', '"labels":{"__proto__":"x",')],
    ['twin.error.tooDeep', () => head({ objects: [] }).replace('[]', '['.repeat(3000) + ']'.repeat(3000))],
  ])('%s is told for what is no export', async (code, text) => {
    await expect(readExport(fileWith(text()))).rejects.toMatchObject({ name: 'TwinError', detail: { code } })
  })

  test('a file that is not there is told', async () => {
    await expect(readExport(join(folder, 'absent'))).rejects.toMatchObject({ detail: { code: 'twin.error.noFile' } })
  })
})

describe('sources', () => {
  let env: Env
  let requests: TransportRequest[]
  beforeEach(async () => {
    env = await startEnv()
    requests = []
  })
  afterEach(() => env.close())

  type Answer = (request: TransportRequest) => TransportAnswer | undefined
  /** The control plane of the test; `answer` replaces some of its answers. */
  const source = (answer: Answer = () => undefined): Transport => {
    const transport = createHttpTransport({ url: env.url, token: env.token })
    return {
      ...transport,
      call: async (request) => {
        requests.push(request)
        return answer(request) ?? transport.call(request)
      },
    }
  }
  const read = async (answer?: Answer) => (await readFederation(source(answer), { source: 'test', now: NOW })).export
  const status = (code: number, reason: string): TransportAnswer => ({
    code,
    body: { kind: 'Status', apiVersion: 'v1', status: 'Failure', message: reason, reason, code },
  })
  const names = (taken: TwinExport, kind: string): string[] =>
    taken.objects.filter((object) => object.kind === kind).map(({ metadata }) => metadata.name)

  const fill = async (): Promise<void> => {
    await env.createCluster('m1')
    await env.create(propagationPolicy, aPolicy('web'))
    await env.create(deployment, aDeployment('web'))
    await env.create(resourceBinding, aBinding('web', { clusters: [{ name: 'm1', replicas: 1 }] }))
  }

  test('are read with GET alone, and at one revision', async () => {
    await fill()
    const taken = await read()
    expect(new Set(requests.map(({ method }) => method))).toEqual(new Set(['GET']))
    expect(taken.metadata.resourceVersion).toBeDefined()
    expect(taken.omissions).toEqual([])
    expect(names(taken, 'Deployment')).toEqual(['web'])
  })

  test('are never written to, watched, or reached through a proxy', async () => {
    const transport = readOnly(source())
    const paths = [
      { method: 'POST', path: '/api/v1/namespaces', body: {} },
      { method: 'DELETE', path: '/api/v1/namespaces/default' },
      { method: 'PATCH', path: '/api/v1/namespaces/default', body: {} },
      { method: 'GET', path: '/apis/cluster.karmada.io/v1alpha1/clusters/m1/proxy/api/v1/nodes' },
    ]
    for (const request of paths) {
      await expect(transport.call({ userAgent: 'test', ...request })).rejects.toBeInstanceOf(WriteRefused)
    }
    await expect(transport.watch({ userAgent: 'test', method: 'GET', path: '/api/v1/pods?watch=1' })).rejects.toThrow()
    expect(requests).toEqual([])
  })

  test('without permission for a kind are copied without it', async () => {
    await fill()
    const taken = await read(({ path }) => (path.includes('/works?') ? status(403, 'Forbidden') : undefined))
    expect(taken.omissions).toEqual([{ reason: 'Forbidden', kind: 'Work', count: 1, names: [] }])
    expect(names(taken, 'ResourceBinding')).toEqual(['web-deployment'])
  })

  test('with other versions of a definition, or without it, are copied without the kind', async () => {
    await fill()
    const taken = await read(({ path }) => {
      if (path.includes('/overridepolicies?') || path.includes('/federatedresourcequotas?'))
        return status(404, 'NotFound')
      if (path === '/apis/policy.karmada.io') return { code: 200, body: { versions: [{ version: 'v9' }] } }
      return undefined
    })
    expect(taken.omissions).toEqual([
      { reason: 'OtherVersion', kind: 'OverridePolicy', count: 1, names: [], detail: 'policy.karmada.io/v9' },
      { reason: 'OtherVersion', kind: 'FederatedResourceQuota', count: 1, names: [], detail: 'policy.karmada.io/v9' },
    ])
  })

  test('with large templates are copied without them', async () => {
    await fill()
    const huge = { ...aDeployment('web'), apiVersion: 'apps/v1', spec: { text: 'x'.repeat(50 * 1024 * 1024) } }
    const taken = await read(({ path }) =>
      path.startsWith('/apis/apps/v1/deployments')
        ? { code: 200, body: { metadata: { resourceVersion: '1' }, items: [huge] } }
        : undefined,
    )
    expect(taken.omissions).toContainEqual({ reason: 'TooLarge', kind: 'Deployment', count: 1, names: ['default/web'] })
    expect(taken.omissions.map(({ reason }) => reason)).toContain('TemplateMissing')
  })

  test('that change while they are read are read again, and the report says so', async () => {
    await fill()
    const gone: Answer = ({ path }) =>
      path.includes('/resourcebindings?') && path.includes('Exact') ? status(410, 'Expired') : undefined
    const taken = await read(gone)
    expect(taken.metadata.resourceVersion).toBeUndefined()
    expect(taken.omissions).toEqual([{ reason: 'ReadLater', kind: 'ResourceBinding', count: 1, names: [] }])
    expect(names(taken, 'ResourceBinding')).toEqual(['web-deployment'])
    const always: Answer = ({ path }) => (path.includes('/resourcebindings?') ? status(410, 'Expired') : undefined)
    await expect(read(always)).rejects.toMatchObject({ detail: { code: 'twin.error.keptChanging' } })
  })

  test('that do not let clusters be listed are refused', async () => {
    const forbidden: Answer = ({ path }) => (path.includes('/clusters?') ? status(403, 'Forbidden') : undefined)
    await expect(read(forbidden)).rejects.toMatchObject({ detail: { code: 'twin.error.noClusters' } })
  })

  test('contains neither Secrets nor values', async () => {
    await fill()
    const text = 'do-not-copy'
    await env.create(secret, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'web', namespace: 'default' },
      data: { password: Buffer.from(text).toString('base64') },
    })
    await env.create(configMap, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'web', namespace: 'default', annotations: { 'example.com/note': text } },
      data: { key: text },
    })
    for (const kind of ['Secret', 'ConfigMap']) {
      const resource = { apiVersion: 'v1', kind, namespace: 'default', name: 'web' }
      const binding = aBinding('web', { spec: { resource }, metadata: { name: `web-${kind.toLowerCase()}` } })
      await env.create(resourceBinding, binding)
    }
    const taken = await read()
    expect(taken.omissions).toEqual([{ reason: 'Secret', kind: 'Secret', count: 1, names: [] }])
    expect(names(taken, 'ConfigMap')).toEqual(['web'])
    expect(JSON.stringify(taken)).not.toContain(text)
    expect(requests.some(({ path }) => path.includes('/secrets'))).toBe(false)
  })
})
