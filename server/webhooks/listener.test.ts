import { request } from 'node:https'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Listener, listen } from './listener'
import { Refusal } from './review'
import { webhookPair } from './testing/tenants'

let listener: Listener
const pair = await webhookPair()
const failures: string[] = []
beforeEach(async () => {
  failures.length = 0
  listener = await listen({
    host: '127.0.0.1',
    port: 0,
    pair,
    onError: (error, path) => failures.push(`${path} ${String(error)}`),
    decisions: {
      '/yes': async () => [],
      '/change': async () => [{ op: 'add', path: '/x', value: 1 }],
      '/no': async () => {
        throw new Refusal(403, 'not you')
      },
      '/broken': async () => {
        throw new Error('the API server is away')
      },
    },
  })
})
afterEach(() => listener.close())

function send(path: string, body: string, method = 'POST'): Promise<{ code: number | undefined; text: string }> {
  return new Promise((resolve, reject) => {
    const call = request({ host: '127.0.0.1', port: listener.port, path, method, ca: pair.cert }, async (response) => {
      let text = ''
      for await (const chunk of response) text += String(chunk)
      resolve({ code: response.statusCode, text })
    })
    call.on('error', reject).end(body)
  })
}

const review = (fields: object = {}) =>
  JSON.stringify({ kind: 'AdmissionReview', apiVersion: 'admission.k8s.io/v1', request: { uid: 'u1' }, ...fields })

test.each([
  ['/yes', { uid: 'u1', allowed: true }],
  [
    '/change',
    { uid: 'u1', allowed: true, patchType: 'JSONPatch', patch: 'W3sib3AiOiJhZGQiLCJwYXRoIjoiL3giLCJ2YWx1ZSI6MX1d' },
  ],
])('%s answers as decided', async (path, response) => {
  const { code, text } = await send(`${path}?timeout=3s`, review())
  expect([code, JSON.parse(text)]).toEqual([
    200,
    { kind: 'AdmissionReview', apiVersion: 'admission.k8s.io/v1', response },
  ])
})

test('a refusal carries its code and its sentence', async () => {
  const { text } = await send('/no', review())
  expect(JSON.parse(text)).toMatchObject({
    response: { uid: 'u1', allowed: false, status: { code: 403, reason: 'Forbidden', message: 'not you' } },
  })
})

test('an undecided request is left to the failure policy, and logged', async () => {
  const { code, text } = await send('/broken', review())
  expect([code, text]).toEqual([500, 'the webhook could not review this request: the API server is away'])
  expect(failures).toEqual(['/broken Error: the API server is away'])
})

test.each<[string, string, string, string, number]>([
  ['an unknown path', '/nowhere', review(), 'POST', 404],
  ['a GET', '/yes', '', 'GET', 405],
  ['no JSON', '/yes', '{', 'POST', 400],
  ['an empty body', '/yes', '', 'POST', 400],
  ['null', '/yes', 'null', 'POST', 400],
  ['another version', '/yes', review({ apiVersion: 'admission.k8s.io/v1beta1' }), 'POST', 400],
  ['another kind', '/yes', review({ kind: 'Pod' }), 'POST', 400],
  ['no request', '/yes', review({ request: null }), 'POST', 400],
  ['a body without end', '/yes', 'x'.repeat(9 * 1024 * 1024), 'POST', 413],
])('%s is answered calmly', async (_case, ...[path, body, method, code]) => {
  expect((await send(path, body, method)).code).toBe(code)
})
