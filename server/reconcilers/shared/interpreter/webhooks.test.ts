/** Interpreter webhooks called over TLS. */
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ScriptUnavailable } from '@/lib/domain/interpreter'
import {
  resourceInterpreterCustomization as customizationKind,
  resourceInterpreterWebhookConfiguration as configurationKind,
} from '@/lib/kube/kinds'
import type { UnknownObject } from '@/lib/kube/object'
import { encodeBase64 } from '@/lib/std/base64'
import { type KeyPair, selfSigned } from '@/server/apiserver/tls/certificates'
import { type Env, startEnv } from '@/server/testing/start-env'
import { createInterpreter, type Interpreter } from '.'

interface Asked {
  uid: string
  operation: string
  replicas?: number
  aggregatedStatus?: unknown[]
  observedObject?: { spec: { nest: string } }
}
type Answer = (asked: Asked) => Record<string, unknown> | string | undefined

const flock = (fields: object = {}): UnknownObject =>
  ({
    apiVersion: 'example.io/v1',
    kind: 'Flock',
    metadata: { name: 'birds', namespace: 'default' },
    spec: { size: 3 },
    ...fields,
  }) as unknown as UnknownObject

let pair: KeyPair
let server: Server
let answer: Answer
let asked: Asked[]
beforeAll(async () => {
  pair = await selfSigned({ hosts: ['127.0.0.1'], now: Date.now() })
  // It would speak HTTP/2 to a client that offers it, which this server cannot: then every test here fails.
  server = createServer({ ...pair, ALPNProtocols: ['h2', 'http/1.1'] }, (request, response) => {
    void (async () => {
      let text = ''
      for await (const chunk of request) text += String(chunk)
      const { request: question } = JSON.parse(text) as { request: Asked }
      asked.push(question)
      const given = answer(question)
      if (given === undefined) return
      const body = { response: { uid: question.uid, successful: true, ...(typeof given === 'object' && given) } }
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(typeof given === 'string' ? given : JSON.stringify(body))
    })()
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

let env: Env
let interpreter: Interpreter
beforeEach(async () => {
  env = await startEnv()
  interpreter = createInterpreter(env.informers, { longestCallMs: 20_000 })
  asked = []
})
afterEach(async () => {
  await interpreter.close()
  await env.close()
})

async function configure(caBundle = pair.cert): Promise<void> {
  const rule = { operations: ['*'], apiGroups: ['example.io'], apiVersions: ['*'], kinds: ['Flock'] }
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/interpret`
  await env.create(configurationKind, {
    apiVersion: 'config.karmada.io/v1alpha1',
    kind: 'ResourceInterpreterWebhookConfiguration',
    metadata: { name: 'flocks' },
    webhooks: [
      {
        name: 'birds.example.io',
        rules: [rule],
        clientConfig: { url, caBundle: encodeBase64(caBundle) },
        interpreterContextVersions: ['v1alpha1'],
      },
    ],
  })
  await env.eventually(() => expect(interpreter.isScripted(flock(), 'health')).toBe(true))
}

const patch = (path: string, value: unknown) => ({
  patchType: 'JSONPatch',
  patch: encodeBase64(JSON.stringify([{ op: 'add', path, value }])),
})

const answers: Record<string, Answer> = {
  InterpretReplica: () => ({ replicas: 3 }),
  InterpretComponent: () => ({ components: [{ name: 'wing', replicas: 2 }] }),
  ReviseReplica: ({ replicas }) => patch('/spec/size', replicas),
  Retain: ({ observedObject }) => patch('/spec/nest', observedObject?.spec.nest),
  AggregateStatus: ({ aggregatedStatus }) => patch('/status', { members: aggregatedStatus?.length }),
  InterpretStatus: () => ({ rawStatus: { mood: 'calm', tags: [] } }),
  InterpretHealth: () => ({ healthy: false }),
  InterpretDependency: () => ({
    dependencies: [{ apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default', name: 'c' }],
  }),
}

test('a webhook handles every operation of its kind', async () => {
  answer = (question) => answers[question.operation]?.(question)
  await configure()
  const now = ''
  expect(await interpreter.replicas(flock())).toEqual({ replicas: 3 })
  expect(await interpreter.components(flock())).toEqual([{ name: 'wing', replicas: 2 }])
  expect(await interpreter.revise(flock(), 5)).toEqual(flock({ spec: { size: 5 } }))
  expect(await interpreter.retain(flock(), flock({ spec: { nest: 'oak' } }))).toMatchObject({ spec: { nest: 'oak' } })
  expect(await interpreter.aggregate(flock(), [{ clusterName: 'a' }], { now })).toEqual({ members: 1 })
  expect(await interpreter.reflect(flock())).toEqual({ mood: 'calm', tags: [] })
  expect(await interpreter.health(flock())).toBe(false)
  expect(await interpreter.dependencies(flock())).toMatchObject([{ kind: 'ConfigMap', name: 'c' }])
  expect([interpreter.hasHealthRule(flock()), interpreter.hasDependencyRule(flock())]).toEqual([true, true])
  await env.client.delete(configurationKind, { name: 'flocks' })
  await env.eventually(async () => expect(await interpreter.health(flock())).toBe(true))
})

test('a script takes precedence over a webhook', async () => {
  answer = () => ({ healthy: false })
  await configure()
  const luaScript = 'function InterpretHealth(o) return true end'
  await env.create(customizationKind, {
    apiVersion: 'config.karmada.io/v1alpha1',
    kind: 'ResourceInterpreterCustomization',
    metadata: { name: 'flocks' },
    spec: {
      target: { apiVersion: 'example.io/v1', kind: 'Flock' },
      customizations: { healthInterpretation: { luaScript } },
    },
  })
  await env.eventually(async () => expect(await interpreter.health(flock())).toBe(true))
})

describe('a webhook that does not respond is called again later', () => {
  test.each<[string, Answer, string]>([
    ['of another form', () => ({}), 'webhook returned nil response.healthy'],
    ['that it failed', () => ({ successful: false, status: { code: 500, message: 'moult' } }), 'msg: moult'],
    ['to another request', () => ({ uid: 'x', healthy: true }), 'expected response.uid'],
    ['that is no JSON', () => '<html>', 'JSON'],
    ['that is too large', () => JSON.stringify({ text: 'x'.repeat(9 * 1024 * 1024) }), 'size'],
  ])('%s', async (_, given, expected) => {
    answer = given
    await configure()
    const refused = interpreter.health(flock())
    await expect(refused).rejects.toBeInstanceOf(ScriptUnavailable)
    await expect(refused).rejects.toThrow('failed calling webhook "flocks/birds.example.io"')
    await expect(refused).rejects.toThrow(expected)
  })

  test('with a certificate of another CA', async () => {
    answer = () => ({ healthy: true })
    await configure((await selfSigned({ hosts: ['127.0.0.1'], now: Date.now() })).cert)
    await expect(interpreter.health(flock())).rejects.toThrow('certificate')
  })

  test('in time: it is not called for a while', async () => {
    await interpreter.close()
    interpreter = createInterpreter(env.informers, { longestCallMs: 50 })
    answer = () => undefined
    await configure()
    await expect(interpreter.health(flock())).rejects.toThrow('no answer within 50 ms')
    const before = asked.length
    for (let times = 0; times < 20; times += 1)
      await expect(interpreter.health(flock())).rejects.toThrow('in time before')
    expect(asked).toHaveLength(before)
  })
})
