import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { issueClientCertificate, type KeyPair, newAuthority, selfSigned } from '../index'
import { certificateRequest } from '../testing/certificate-request'
import { ADMIN_TOKEN, startTestServer, type TestServer } from '../testing/start-server'

const KUBECTL = process.env.KUBECTL ?? '/usr/bin/kubectl'

let server: TestServer
let directory = ''

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'kubectl-access-'))
  const now = Date.now()
  const tls = await selfSigned({ hosts: ['127.0.0.1'], now })
  const authority = await newAuthority(now)
  server = await startTestServer({ tls, clientAuthority: authority })
  const certified = async (by: KeyPair, user: string, groups: string[]): Promise<object> => {
    const { key, cert } = await issueClientCertificate(by, { user, groups, now, days: 1 })
    return { 'client-certificate-data': base64(cert), 'client-key-data': base64(key) }
  }
  const users = {
    admin: { token: ADMIN_TOKEN },
    carl: await certified(authority, 'carl', ['dev', 'ops']),
    stranger: await certified(await newAuthority(now), 'admin', ['system:masters']),
    nobody: {},
  }
  writeFileSync(
    join(directory, 'config'),
    stringify({
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'admin',
      clusters: [
        {
          name: 'test',
          cluster: { server: server.url.replace('http:', 'https:'), 'certificate-authority-data': base64(tls.cert) },
        },
      ],
      users: Object.entries(users).map(([name, user]) => ({ name, user })),
      contexts: Object.keys(users).map((name) => ({ name, context: { cluster: 'test', user: name } })),
    }),
  )
})
afterAll(async () => {
  await server.close()
  rmSync(directory, { recursive: true })
})

function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}

const base64Text = (encoded: string): string => Buffer.from(encoded, 'base64').toString()

/** Runs kubectl and answers all that it printed, whether it was content or not. */
function kubectl(line: string, stdin = ''): Promise<string> {
  const env = {
    PATH: process.env.PATH,
    HOME: directory,
    KUBECONFIG: join(directory, 'config'),
  } as unknown as NodeJS.ProcessEnv
  return new Promise((resolve) => {
    const args = ['--request-timeout=20s', ...line.split(' ')]
    const told = (_error: unknown, stdout: string, stderr: string): void => resolve(stdout + stderr)
    const child = execFile(KUBECTL, args, { env, timeout: 25_000 }, told)
    child.stdin?.end(stdin)
  })
}

describe('kubectl', () => {
  test('approves a certificate request, and is the user of the certificate', async () => {
    const { request, key } = await certificateRequest('CN=carla, O=dev')
    const spec = { request, signerName: 'kubernetes.io/kube-apiserver-client', usages: ['client auth'] }
    const csr = { apiVersion: 'certificates.k8s.io/v1', kind: 'CertificateSigningRequest', metadata: { name: 'carla' } }
    expect(await kubectl('apply -f -', JSON.stringify({ ...csr, spec }))).toContain('carla created')
    expect(await kubectl('certificate approve carla')).toContain('carla approved')
    await kubectl('wait csr/carla --for=jsonpath={.status.certificate} --timeout=10s')
    expect(await kubectl('get csr')).toMatch(
      /carla +\S+ +kubernetes\.io\/kube-apiserver-client +admin +<none> +Approved,Issued/,
    )
    const [certificate, keyFile] = ['carla.crt', 'carla.key'].map((name) => join(directory, name)) as [string, string]
    writeFileSync(keyFile, key)
    writeFileSync(certificate, base64Text(await kubectl('get csr carla -o jsonpath={.status.certificate}')))
    await kubectl(`config set-credentials carla --client-certificate=${certificate} --client-key=${keyFile}`)
    expect(await kubectl('auth whoami --user=carla')).toMatch(/Username +carla\nGroups +\[dev system:authenticated\]/)
  })

  test('creates and describes roles and bindings', async () => {
    for (const line of [
      'create role reader --verb=get,list --resource=configmaps',
      'create rolebinding readers --role=reader --user=rita --serviceaccount=default:robot',
      'create clusterrole prober --verb=get --non-resource-url=/metrics',
      'create clusterrolebinding probers --clusterrole=prober --group=probes',
    ]) {
      expect(await kubectl(line)).toMatch(/rbac\.authorization\.k8s\.io\/\w+ created\n$/)
    }
    expect(await kubectl('describe role reader')).toMatch(/configmaps +\[\] +\[\] +\[get list\]/)
    expect(await kubectl('describe rolebinding readers')).toMatch(/ServiceAccount +robot +default/)
    expect(await kubectl('get rolebinding readers -o wide')).toMatch(/readers +Role\/reader +\S+ +rita +default\/robot/)
  })

  test('checks what a user may do', async () => {
    expect(await kubectl('auth can-i list configmaps --as=rita')).toBe('yes\n')
    expect(await kubectl('auth can-i list secrets --as=rita')).toBe('no\n')
    expect(await kubectl('auth can-i get /metrics --as=pia --as-group=probes')).toBe('yes\n')
    expect(await kubectl('auth can-i list pods --subresource=log')).toBe('yes\n')
    expect(await kubectl('auth can-i --list --as=rita')).toMatch(/configmaps +\[\] +\[\] +\[get list\]/)
  })

  test('makes a token with which a service account comes in', async () => {
    await kubectl('create serviceaccount robot')
    const token = (await kubectl('create token robot --duration=10m')).trim()
    const asRobot = (line: string): Promise<string> => kubectl(`${line} --token=${token} --context=nobody`)
    const whoami = await asRobot('auth whoami -o jsonpath={.status.userInfo.username}')
    expect(whoami).toBe('system:serviceaccount:default:robot')
    expect(await asRobot('get configmaps')).toContain('No resources found')
    expect(await asRobot('get secrets')).toContain('secrets is forbidden')
  })

  test('reconciles roles without taking anything away', async () => {
    const manifest = stringify({
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'Role',
      metadata: { name: 'reader', namespace: 'default' },
      rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['watch'] }],
    })
    expect(await kubectl('auth reconcile -f -', manifest)).toContain('role.rbac.authorization.k8s.io/reader reconciled')
    expect(await kubectl('auth can-i watch configmaps --as=rita')).toBe('yes\n')
    expect(await kubectl('auth can-i list configmaps --as=rita')).toBe('yes\n')
  })

  test('shows the roles that are there from the start', async () => {
    const labels = await kubectl('get clusterrole admin -o jsonpath={.metadata.labels}')
    expect(labels).toBe('{"kubernetes.io/bootstrapping":"rbac-defaults"}')
    expect(await kubectl('auth can-i create deployments --as=eda')).toBe('no\n')
    await kubectl('create rolebinding eda --clusterrole=edit --user=eda')
    expect(await kubectl('auth can-i create deployments --as=eda')).toBe('yes\n')
    expect(await kubectl('auth can-i create rolebindings --as=eda')).toBe('no\n')
  })

  test('explains the new kinds', async () => {
    expect(await kubectl('explain rolebinding.roleRef')).toContain('roleRef')
    expect(await kubectl('explain selfsubjectaccessreview.spec')).toContain('resourceAttributes')
  })
})

describe('a client certificate', () => {
  test('shows the identity of the caller', async () => {
    expect(await kubectl('auth whoami -o jsonpath={.status.userInfo} --context=carl')).toBe(
      '{"groups":["dev","ops","system:authenticated"],"username":"carl"}',
    )
    expect(await kubectl('get secrets --context=carl')).toContain('User "carl" cannot list resource "secrets"')
  })

  test('of another authority is worth nothing', async () => {
    expect(await kubectl('get secrets --context=stranger')).toContain('Unauthorized')
  })

  test('is not demanded', async () => {
    expect(await kubectl('auth whoami -o jsonpath={.status.userInfo.username}')).toBe('admin')
  })
})
