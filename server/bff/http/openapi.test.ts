import { describe, expect, test } from 'vitest'
import { kubeError } from '@/lib/kube/errors'
import { english } from '@/lib/messages/english'
import { texts } from '@/lib/messages/texts'
import { PROBLEMS } from '@/lib/view/problems'
import { createFakeClock } from '@/lib/testing/fake-clock'
import { apiEndpoints } from '../actions/endpoints'
import type { ApiDeps } from '../actions/api-deps'
import { createLocalAuthenticator } from '../auth/local'
import { localSessionEndpoints } from '../auth/endpoints'
import { call } from '../testing/call'
import { startBff } from '../testing/start-bff'
import type { AnyEndpoint } from './endpoint'
import { describeApi } from './openapi'

type Json = Record<string, unknown>
interface Document {
  openapi: string
  paths: Record<
    string,
    Record<
      string,
      Json & { parameters: Json[]; responses: Record<string, Json>; operationId: string; security?: unknown }
    >
  >
  components: {
    schemas: Record<string, Json>
    responses: Record<string, Json>
    parameters: Record<string, Json>
    headers: Record<string, Json>
    securitySchemes: Record<string, Json>
  }
}

const deps = {
  views: {},
  cache: {},
  journal: {},
  audit: {},
  clock: createFakeClock(),
  random: () => 0,
  about: {},
} as unknown as ApiDeps
const authenticator = createLocalAuthenticator({
  client: { create: () => Promise.reject(kubeError(0, 'Unreachable', 'away')) } as never,
  clock: createFakeClock(),
})
const endpoints: AnyEndpoint[] = [...apiEndpoints(deps), ...localSessionEndpoints(authenticator)]
const document = describeApi(endpoints, english) as unknown as Document

/** Every `$ref` in a value. */
function refsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, part]) =>
    name === '$ref' && typeof part === 'string' ? [part] : refsIn(part),
  )
}

/** Every summary and description in a value. */
function textsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, part]) =>
    (name === 'summary' || name === 'description') && typeof part === 'string' ? [part] : textsIn(part),
  )
}

describe('the document of the API', () => {
  test('has every endpoint, with a name of its own', () => {
    expect(document.openapi).toBe('3.1.0')
    const described = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
    expect(described.toSorted()).toEqual(endpoints.map(({ method, path }) => `${method} ${path}`).toSorted())
    const names = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    )
    expect(new Set(names).size).toBe(names.length)
  })

  test('refers to nothing that it does not have', () => {
    const refs = [...new Set(refsIn(document))]
    expect(refs.length).toBeGreaterThan(30)
    const missing = refs.filter((ref) => {
      const found = ref
        .slice(2)
        .split('/')
        .reduce<unknown>((value, part) => (value as Json | undefined)?.[part], document)
      return !ref.startsWith('#/') || found === undefined
    })
    expect(missing).toEqual([])
  })

  test('has every problem, and every refusal of an operation is one', () => {
    expect(Object.keys(document.components.responses).toSorted()).toEqual(Object.keys(PROBLEMS).toSorted())
    for (const methods of Object.values(document.paths)) {
      for (const { responses } of Object.values(methods)) {
        expect(Object.keys(responses)).toEqual(
          expect.arrayContaining(['2XX', '400', '401', '403', '404', '429', '500', '503', '504']),
        )
      }
    }
  })

  test('names the parts of a path as parameters, and the headers of an action', () => {
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const [method, operation] of Object.entries(methods)) {
        const inPath = operation.parameters
          .filter((parameter) => parameter.in === 'path')
          .map(({ name }) => `{${String(name)}}`)
        expect(inPath).toEqual(path.match(/\{\w+\}/g) ?? [])
        const isAction =
          endpoints.find((one) => one.path === path && one.method.toLowerCase() === method)?.kind === 'action'
        expect(refsIn(operation.parameters).includes('#/components/parameters/IdempotencyKey')).toBe(isAction)
      }
    }
  })

  test('requires a cookie or a bearer token, except for open operations', () => {
    expect(document).toMatchObject({
      security: [{ cookie: [] }, { bearer: [] }],
      components: {
        securitySchemes: { cookie: { type: 'apiKey', in: 'cookie' }, bearer: { type: 'http', scheme: 'bearer' } },
      },
    })
    expect(document.paths['/api/v1/login']?.get?.security).toEqual([])
    expect(document.paths['/api/v1/workloads']?.get?.security).toBeUndefined()
  })

  test('describes every answer: no schema is empty', () => {
    for (const methods of Object.values(document.paths)) {
      for (const { responses, operationId } of Object.values(methods)) {
        const schema = (responses['2XX'] as { content: Record<string, { schema: Json }> }).content['application/json']
          ?.schema
        expect([operationId, Object.keys(schema ?? {}).length > 0]).toEqual([operationId, true])
      }
    }
    expect(document.components.schemas.Workload).toMatchObject({
      type: 'object',
      properties: { cells: { type: 'array', items: { $ref: '#/components/schemas/WorkloadInCluster' } } },
    })
  })

  test('leaves no code in place of a text', () => {
    const texts = textsIn(document)
    expect(texts.length).toBeGreaterThan(200)
    expect(texts.filter((text) => /^[a-z]+[A-Za-z]*\.[\w.]+$/.test(text))).toEqual([])
  })

  test.each([
    ['en', english, 'List member clusters', 'Replicas that should run.'],
    ['zh-CN', texts['zh-CN'], '列出成员集群', '应运行的副本数。'],
  ])('is answered in the language of the reader: %s', async (locale, text, summary, desired) => {
    const { url } = await startBff()
    const { status, json, headers } = await call(`${url}/api/v1/openapi.json`, {
      headers: { 'accept-language': locale },
    })
    expect(status).toBe(200)
    expect(headers['content-language']).toBe(locale)
    const { paths, components } = json as Document
    expect(Object.keys(paths)).toEqual(
      expect.arrayContaining(['/api/v1/openapi.json', '/api/v1/workloads', '/api/v1/rebalance-plans/{plan}/actions']),
    )
    expect(paths['/api/v1/clusters']?.get).toMatchObject({ summary, tags: [text('api.tag.fleet')] })
    expect(components.schemas.Workload).toMatchObject({ properties: { desired: { description: desired } } })
    expect(components.responses.Forbidden?.description).toContain(text('api.problem.Forbidden.title'))
  })
})
