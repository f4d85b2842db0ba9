/** Certificate requests: who may make, approve and sign them, and the certificates that come of it. */
import { X509Certificate } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newAuthority } from '../index'
import { certificateRequest } from '../testing/certificate-request'
import { startTestServer, type Answered, type TestServer } from '../testing/start-server'

const REQUESTS = '/apis/certificates.k8s.io/v1/certificatesigningrequests'
const CLIENT = 'kubernetes.io/kube-apiserver-client'
const USAGES = ['digital signature', 'client auth']

let server: TestServer
let authority: { key: string; cert: string }

beforeAll(async () => {
  authority = await newAuthority(Date.UTC(2026, 0, 1))
  server = await startTestServer({ clientAuthority: authority })
})
afterAll(async () => {
  await server.close()
  expect(server.faults).toEqual([])
})

const request = async (subject: string): Promise<string> => (await certificateRequest(subject)).request

const asked = (name: string, spec: object): object => ({ metadata: { name }, spec })
const approved = { type: 'Approved', status: 'True', reason: 'ByTest', message: '' }

async function decide(name: string, condition: object, headers = {}): Promise<Answered> {
  const { body } = await server.send('GET', `${REQUESTS}/${name}`)
  const status = { ...(body.status as object), conditions: [condition] }
  return server.send('PUT', `${REQUESTS}/${name}/approval`, { ...body, status }, headers)
}

interface Status {
  certificate?: string
  conditions?: { type: string; message?: string }[]
}

/** The status once the signer is done with the request. */
async function settled(name: string): Promise<Status> {
  const watch = await server.watch(`${REQUESTS}?watch=1&fieldSelector=metadata.name=${name}`)
  for (;;) {
    const [event] = await watch.next(1)
    const status = event?.object.status as Status
    const isDone = status.certificate !== undefined || status.conditions?.some(({ type }) => type === 'Failed')
    if (!isDone) continue
    watch.stop()
    return status
  }
}

describe('a certificate request', () => {
  test('names who made it, waits for approval, and is signed by the authority of clients', async () => {
    const spec = { request: await request('CN=carl, O=dev'), signerName: CLIENT, usages: USAGES, username: 'other' }
    const { body } = await server.send('POST', REQUESTS, asked('carl', spec))
    expect(body.spec).toMatchObject({ username: 'admin', groups: ['system:masters', 'system:authenticated'] })
    expect(body.status).toEqual({})
    const { body: decided } = await decide('carl', approved)
    expect(decided.status).toMatchObject({ conditions: [{ type: 'Approved', lastUpdateTime: '2026-01-01T00:00:00Z' }] })
    const { certificate = '' } = await settled('carl')
    const made = new X509Certificate(Buffer.from(certificate, 'base64'))
    expect(made.toLegacyObject().subject).toEqual({ CN: 'carl', O: 'dev' })
    expect(made.verify(new X509Certificate(authority.cert).publicKey)).toBe(true)
    expect(made.keyUsage).toEqual(['1.3.6.1.5.5.7.3.2'])
    expect(Date.parse(made.validTo) - Date.UTC(2026, 0, 1)).toBe((365 * 86_400 - 300) * 1000)
  })

  test('fails if its signer does not support the request', async () => {
    const spec = { request: await request('CN=dan'), signerName: CLIENT, usages: ['server auth'] }
    await server.send('POST', REQUESTS, asked('dan', spec))
    await decide('dan', approved)
    const { certificate, conditions } = await settled('dan')
    expect(certificate).toBeUndefined()
    expect(conditions?.at(-1)).toMatchObject({
      type: 'Failed',
      reason: 'SignerValidationFailure',
      message: 'invalid usage for client certificate: server auth',
    })
  })

  test.each([
    ['no request', 'bm90aGluZw==', USAGES, /spec\.request: .*PEM block type must be CERTIFICATE REQUEST/],
    ['no usages', undefined, [], /spec\.usages: Required value/],
    ['an unknown usage', undefined, ['everything'], /spec\.usages\[0\]: Unsupported value: "everything"/],
  ])('with %s is refused', async (_what, content, usages, text) => {
    const spec = { request: content ?? (await request('CN=eve')), signerName: CLIENT, usages }
    const { status, body } = await server.send('POST', REQUESTS, asked('eve', spec))
    expect(status).toBe(422)
    expect(body.message).toMatch(text)
  })

  test('with a changed subject no longer has its signature', async () => {
    const pem = Buffer.from(await request('CN=frank'), 'base64').toString()
    const der = Buffer.from(pem.replaceAll(/-----[^-]+-----|\s/g, ''), 'base64')
    der.write('FRANK', der.indexOf('frank'))
    const forged = `-----BEGIN CERTIFICATE REQUEST-----\n${der.toString('base64')}\n-----END CERTIFICATE REQUEST-----\n`
    const spec = { request: Buffer.from(forged).toString('base64'), signerName: CLIENT, usages: USAGES }
    const { status, body } = await server.send('POST', REQUESTS, asked('frank', spec))
    expect([status, body.message]).toEqual([422, expect.stringContaining('x509: signature does not match')])
  })

  test('for the group of administrators is refused', async () => {
    const spec = { request: await request('CN=gil, O=system:masters'), signerName: CLIENT, usages: USAGES }
    const { status, body } = await server.send('POST', REQUESTS, asked('gil', spec))
    expect(status).toBe(403)
    expect(body.message).toBe(
      'certificatesigningrequests.certificates.k8s.io "gil" is forbidden: '
        + `use of ${CLIENT} signer with system:masters group is not allowed`,
    )
  })

  test('is approved and signed only with permission for its signer', async () => {
    const rbac = '/apis/rbac.authorization.k8s.io/v1'
    const resources = ['certificatesigningrequests', 'certificatesigningrequests/approval']
    const rules = [{ apiGroups: ['certificates.k8s.io'], resources, verbs: ['*'] }]
    await server.send('POST', `${rbac}/clusterroles`, { metadata: { name: 'clerk' }, rules })
    const subjects = [{ kind: 'User', name: 'clara', apiGroup: 'rbac.authorization.k8s.io' }]
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'clerk' }
    await server.send('POST', `${rbac}/clusterrolebindings`, { metadata: { name: 'clerk' }, subjects, roleRef })
    const spec = { request: await request('CN=hal'), signerName: CLIENT, usages: USAGES }
    await server.send('POST', REQUESTS, asked('hal', spec))
    const { status, body } = await decide('hal', approved, { 'Impersonate-User': 'clara' })
    expect(status).toBe(403)
    expect(body.message).toContain(`user not permitted to approve requests with signerName "${CLIENT}"`)
    const { body: current } = await server.send('GET', `${REQUESTS}/hal`)
    const sly = await server.send('PUT', `${REQUESTS}/hal/status`, { ...current, status: { conditions: [approved] } })
    expect([sly.status, sly.body.message]).toEqual([
      422,
      expect.stringContaining('updates may not add a condition of type "Approved"'),
    ])
  })
})
