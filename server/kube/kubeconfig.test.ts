import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { connectionOf } from './kubeconfig'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'kubeconfig-'))
})
afterEach(() => rmSync(dir, { recursive: true }))

const base64 = (text: string): string => Buffer.from(text).toString('base64')

function write(name: string, { cluster, user }: { cluster: object; user: object }, current = name): string {
  const file = path.join(dir, name)
  writeFileSync(
    file,
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': current,
      clusters: [{ name, cluster }],
      users: [{ name, user }],
      contexts: [{ name, context: { cluster: name, user: name } }],
    }),
  )
  return file
}

test('a token over plain HTTP', async () => {
  const kubeconfig = write('one', { cluster: { server: 'http://127.0.0.1:7443' }, user: { token: 'secret' } })
  expect(await connectionOf({ kubeconfig })).toEqual({
    refresh: expect.any(Function),
    url: 'http://127.0.0.1:7443',
    headers: { authorization: 'Bearer secret' },
  })
})

test('certificates, given in the file or beside it', async () => {
  writeFileSync(path.join(dir, 'client.pem'), 'CERT')
  const kubeconfig = write('one', {
    cluster: { server: 'https://api.example', 'certificate-authority-data': base64('CA'), 'tls-server-name': 'inner' },
    user: { 'client-certificate': 'client.pem', 'client-key-data': base64('KEY') },
  })
  expect(await connectionOf({ kubeconfig })).toEqual({
    refresh: expect.any(Function),
    url: 'https://api.example',
    ca: 'CA',
    cert: 'CERT',
    key: 'KEY',
    serverName: 'inner',
    headers: {},
  })
})

test('a certificate that is not to be verified', async () => {
  const kubeconfig = write('one', {
    cluster: { server: 'https://api.example', 'insecure-skip-tls-verify': true },
    user: {},
  })
  expect(await connectionOf({ kubeconfig })).toMatchObject({ insecureSkipTlsVerify: true })
})

test('a user name and a password', async () => {
  const kubeconfig = write('one', {
    cluster: { server: 'https://api.example' },
    user: { username: 'u', password: 'p' },
  })
  expect((await connectionOf({ kubeconfig })).headers).toEqual({ authorization: `Basic ${base64('u:p')}` })
})

test('files are read again when they change, and a file that is half written changes nothing', async () => {
  const cluster = { server: 'https://api.example', 'certificate-authority': 'ca.pem' }
  writeFileSync(path.join(dir, 'ca.pem'), 'OLD CA')
  const kubeconfig = write('one', { cluster, user: { token: 'old' } })
  const { refresh } = await connectionOf({ kubeconfig })
  const before = await refresh?.()
  expect(before).toEqual({ headers: { authorization: 'Bearer old' }, ca: 'OLD CA' })
  expect(await refresh?.()).toBe(before)

  writeFileSync(path.join(dir, 'ca.pem'), 'RENEWED CA')
  expect(await refresh?.()).toMatchObject({ ca: 'RENEWED CA' })
  writeFileSync(kubeconfig, 'apiVersion: [')
  expect(await refresh?.()).toMatchObject({ headers: { authorization: 'Bearer old' }, ca: 'RENEWED CA' })
  write('one', { cluster, user: { token: 'renewed' } })
  expect(await refresh?.()).toEqual({ headers: { authorization: 'Bearer renewed' }, ca: 'RENEWED CA' })
})

test('a plug-in is asked again when its credentials may have changed', async () => {
  const plugin = path.join(dir, 'plugin.cjs')
  const credential = {
    apiVersion: 'client.authentication.k8s.io/v1',
    kind: 'ExecCredential',
    status: { token: 'from-plugin' },
  }
  writeFileSync(plugin, `console.log(${JSON.stringify(JSON.stringify(credential))})`)
  const exec = {
    apiVersion: 'client.authentication.k8s.io/v1',
    command: process.execPath,
    args: [plugin],
    interactiveMode: 'Never',
  }
  const kubeconfig = write('one', { cluster: { server: 'https://api.example' }, user: { exec } })
  const connection = await connectionOf({ kubeconfig })
  expect(await connection.refresh?.()).toMatchObject({ headers: { authorization: 'Bearer from-plugin' } })
})

test.each([
  [
    'fails',
    'console.error("log in again"); process.exit(3)',
    /plug-in of the user "one" \(.*plugin\.cjs\) failed: log in again/,
  ],
  ['hangs', 'setTimeout(() => {}, 3000)', /did not answer within 0\.1 s/],
])('a plug-in that %s stops no start, and its fault says which one and what to do', async (what, script, text) => {
  const plugin = path.join(dir, 'plugin.cjs')
  writeFileSync(plugin, script)
  const exec = {
    apiVersion: 'client.authentication.k8s.io/v1',
    command: process.execPath,
    args: [plugin],
    interactiveMode: 'Never',
  }
  const kubeconfig = write('one', { cluster: { server: 'https://api.example' }, user: { exec } })
  const { refresh } = await connectionOf({ kubeconfig, pluginPatienceMs: what === 'hangs' ? 100 : 5000 })
  await expect(refresh?.()).rejects.toThrow(text)
})

test('several files are merged, the first one names the current context, and another can be chosen', async () => {
  const kubeconfig = [
    write('one', { cluster: { server: 'https://one.example' }, user: {} }),
    write('two', { cluster: { server: 'https://two.example' }, user: {} }),
  ].join(path.delimiter)
  expect((await connectionOf({ kubeconfig })).url).toBe('https://one.example')
  expect((await connectionOf({ kubeconfig, context: 'two' })).url).toBe('https://two.example')
  await expect(connectionOf({ kubeconfig, context: 'three' })).rejects.toThrow(
    'the kubeconfig has no context "three"; it has: one, two',
  )
})

test('of several files, one that is missing is left out', async () => {
  const there = write('one', { cluster: { server: 'https://one.example' }, user: {} })
  const kubeconfig = [path.join(dir, 'missing'), there].join(path.delimiter)
  expect((await connectionOf({ kubeconfig })).url).toBe('https://one.example')
})

test('the proxy of the cluster wins over those of the environment', async () => {
  const proxies = { https: 'http://env.example:3128' }
  const own = { server: 'https://api.example', 'proxy-url': 'socks5://own.example:1080' }
  const withOwn = write('one', { cluster: own, user: {} })
  expect((await connectionOf({ kubeconfig: withOwn, proxies })).proxy).toBe('socks5://own.example:1080')
  const without = write('two', { cluster: { server: 'https://api.example' }, user: {} })
  expect((await connectionOf({ kubeconfig: without, proxies })).proxy).toBe('http://env.example:3128')
  expect((await connectionOf({ kubeconfig: without })).proxy).toBeUndefined()
})

test('a plug-in is run again once the server rejects what it gave, and when its files change', async () => {
  const plugin = path.join(dir, 'plugin.cjs')
  const answer = (token: string): void => {
    const kind = { apiVersion: 'client.authentication.k8s.io/v1', kind: 'ExecCredential' }
    writeFileSync(plugin, `console.log(${JSON.stringify(JSON.stringify({ ...kind, status: { token } }))})`)
  }
  const execAs = (apiVersion: string) => ({
    apiVersion: `client.authentication.k8s.io/${apiVersion}`,
    command: process.execPath,
    args: [plugin],
    interactiveMode: 'Never',
  })
  const cluster = { server: 'https://api.example' }
  const kubeconfig = write('one', { cluster, user: { exec: execAs('v1') } })
  const { refresh, rejected } = await connectionOf({ kubeconfig })
  const token = async () => (await refresh?.())?.headers?.authorization
  answer('first')
  expect(await token()).toBe('Bearer first')
  answer('second')
  expect(await token()).toBe('Bearer first')
  rejected?.()
  expect(await token()).toBe('Bearer second')
  // A server that rejects everything does not start a process for each request.
  answer('third')
  rejected?.()
  expect(await token()).toBe('Bearer second')
  write('one', { cluster, user: { exec: execAs('v1beta1') } })
  expect(await token()).toBe('Bearer third')
})

test('what cannot be read is named', async () => {
  await expect(connectionOf({ kubeconfig: path.join(dir, 'missing') })).rejects.toThrow(
    /cannot read the kubeconfig .*missing: ENOENT/,
  )
  const broken = path.join(dir, 'broken')
  writeFileSync(broken, '{')
  await expect(connectionOf({ kubeconfig: broken })).rejects.toThrow(/cannot read the kubeconfig .*broken/)
  await expect(connectionOf({})).rejects.toThrow('no kubeconfig was named')
})

test('a context without a cluster is refused', async () => {
  const kubeconfig = write('one', { cluster: { server: 'https://one.example' }, user: {} }, 'elsewhere')
  await expect(connectionOf({ kubeconfig })).rejects.toThrow(
    'the kubeconfig does not have a cluster for its context "elsewhere"',
  )
  const nowhere = write('two', { cluster: { server: 'nowhere' }, user: {} })
  await expect(connectionOf({ kubeconfig: nowhere })).rejects.toThrow(/a cluster with a valid server for .* "two"/)
})
