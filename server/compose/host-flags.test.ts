import { createServer } from 'node:http'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { parseConfig } from '@/server/config/config'
import { createLogger } from '@/server/telemetry/logger'
import { karmadaFlagsOf } from './host-flags'

const deployment = (command: string[], args: string[] = []) => ({
  spec: { template: { spec: { containers: [{ command, args }] } } },
})
const CONTROLLERS = deployment([
  '/bin/karmada-controller-manager',
  '--enable-no-execute-taint-eviction=true',
  '--feature-gates=AllAlpha=true,Failover=true',
])
const SCHEDULER = deployment(['karmada-scheduler'], ['--feature-gates=WorkloadAffinity=true'])

async function read(answer: { code?: number; body: unknown; user?: string }, ...flags: string[]) {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    if (answer.user && request.url?.endsWith('/selfsubjectreviews')) {
      const review = { kind: 'SelfSubjectReview', status: { userInfo: { username: answer.user } } }
      return void response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify(review))
    }
    response.writeHead(answer.code ?? 200, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const dir = mkdtempSync(path.join(tmpdir(), 'host-flags-'))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
    rmSync(dir, { recursive: true })
  })
  const file = path.join(dir, 'host.config')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const config = {
    'current-context': 'host',
    clusters: [{ name: 'host', cluster: { server: url } }],
    users: [{ name: 'host', user: {} }],
    contexts: [{ name: 'host', context: { cluster: 'host', user: 'host' } }],
  }
  writeFileSync(file, JSON.stringify(config))
  const parsed = parseConfig([`--host-kubeconfig=${file}`, ...flags], {})
  const warnings: object[] = []
  const warn = (fields: object): void => void warnings.push(fields)
  const log = { ...createLogger({ level: 'silent' }), warn } as ReturnType<typeof createLogger>
  return { found: await karmadaFlagsOf(parsed, log), asked, warnings }
}

test('both components report their flags', async () => {
  const { found, asked } = await read({ body: { items: [deployment(['nginx']), SCHEDULER, CONTROLLERS] } })
  expect(found).toMatchObject({
    noExecuteEviction: true,
    scheduler: { overcommitProtection: false, workloadAffinity: true },
  })
  expect(asked).toEqual(['/apis/apps/v1/namespaces/karmada-system/deployments'])
})

test('without arguments, the defaults of Karmada hold', async () => {
  const { found } = await read({ body: { items: [deployment(['karmada-controller-manager'])] } })
  expect(found).toMatchObject({ noExecuteEviction: false, evictionsPerSecond: 0.5 })
})

test('the flag wins, and then nothing is read', async () => {
  const { found, asked } = await read({ body: { items: [CONTROLLERS] } }, '--karmada-flags=--v=4')
  expect([found?.noExecuteEviction, asked]).toEqual([false, []])
})

test.each([
  [
    'jane',
    'Allow jane, the user of --host-kubeconfig, to get and list deployments.apps in the namespace karmada-system ',
  ],
  [undefined, 'Allow the user of --host-kubeconfig to get and list deployments.apps in the namespace karmada-system '],
])('a refusal to %s names the user and what the user lacks', async (user, expected) => {
  const { found, warnings } = await read({
    code: 403,
    body: { kind: 'Status', code: 403, message: 'no' },
    ...(user && { user }),
  })
  expect(found).toBeUndefined()
  expect(warnings).toMatchObject([{ cause: 'no', advice: expect.stringContaining(expected) as string }])
})

test('a host cluster without them leaves it open', async () => {
  expect((await read({ body: { items: [] } })).found).toBeUndefined()
  expect((await read({ code: 403, body: { kind: 'Status', code: 403, message: 'no' } })).found).toBeUndefined()
  const odd = { items: [deployment(['karmada-controller-manager', '--resource-eviction-rate=fast'])] }
  expect((await read({ body: odd })).found).toBeUndefined()
  const config = parseConfig(['--host-kubeconfig=/nowhere/host.config'], {})
  expect(await karmadaFlagsOf(config, createLogger({ level: 'silent' }))).toBeUndefined()
})
