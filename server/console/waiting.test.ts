import { expect, onTestFinished, test } from 'vitest'
import { message } from '@/lib/messages/message'
import { foreignRequest, ownNames } from '@/server/bff'
import { createLogger } from '@/server/telemetry/logger'
import { startWithoutPages } from '.'
import { type Disconnection, waitingHandler } from './waiting'

const SERVER = 'https://karmada.example:5443'
const refused: Disconnection = {
  cause: 'connect ECONNREFUSED 10.0.0.1:5443 <script>',
  advice: message('server.advice.address'),
  since: Date.parse('2026-01-01T10:00:00Z'),
}

interface Setup {
  found?: Disconnection
  showsCause?: boolean
  server?: string | undefined
}

async function start({ found, showsCause = true, ...given }: Setup) {
  const server = 'server' in given ? given.server : SERVER
  const names = ownNames([])
  const bff = waitingHandler({
    server: () => server,
    disconnection: () => found,
    foreign: (request) => foreignRequest(request, names),
    showsCause,
    every: 2000,
  })
  const log = createLogger({ level: 'silent' })
  const { url, close } = await startWithoutPages({ host: '127.0.0.1', port: 0, bff, log })
  onTestFinished(() => close(0))
  return async (path: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${url}${path}`, { headers })
    return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() }
  }
}

test('a page names the cause and what to do, in the language of the reader, and executes nothing', async () => {
  const get = await start({ found: refused })
  const page = await get('/fleet')
  expect(page).toMatchObject({ status: 503, type: 'text/html; charset=utf-8' })
  expect(page.text).toContain('Cannot connect to the control plane')
  expect(page.text).toContain(SERVER)
  expect(page.text).toContain('ECONNREFUSED 10.0.0.1:5443 &lt;script&gt;')
  expect(page.text).toContain('Check the server of the cluster')
  expect(page.text).not.toContain('<script')
  expect((await get('/fleet', { 'accept-language': 'zh-CN' })).text).toContain('无法连接控制面')
})

test('without a usable kubeconfig there is no address to name', async () => {
  const found = { ...refused, cause: 'no file', advice: message('server.advice.kubeconfigMissing') }
  const get = await start({ found, server: undefined })
  const { text } = await get('/fleet')
  expect(text).toContain('Create the file')
  expect(text).not.toContain('API server:')
  const { detail } = JSON.parse((await get('/api/v1/workloads')).text) as { detail: string }
  expect(detail).toMatch(/no file.*Create the file/)
})

test('before the first attempt has failed it is connecting', async () => {
  const get = await start({})
  const { text } = await get('/')
  expect(text).toContain('Connecting to the control plane')
  expect(text).not.toContain('Cause')
})

test('it is alive and not ready', async () => {
  const get = await start({ found: refused })
  expect(await get('/healthz')).toMatchObject({ status: 200, text: 'ok' })
  const ready = await get('/readyz')
  expect(ready.status).toBe(503)
  expect(ready.text).toContain('ECONNREFUSED')
})

test('the API answers with a problem', async () => {
  const get = await start({ found: refused })
  const { status, type, text } = await get('/api/v1/workloads')
  expect({ status, type }).toEqual({ status: 503, type: 'application/problem+json' })
  expect((JSON.parse(text) as { detail: string }).detail).toContain('ECONNREFUSED')
})

test('where a login is required, only the log has the cause', async () => {
  const get = await start({ found: refused, showsCause: false })
  const answers = await Promise.all(['/', '/readyz', '/api/v1/workloads'].map((path) => get(path)))
  for (const { text } of answers) {
    expect(text).not.toContain('ECONNREFUSED')
    expect(text).not.toContain('karmada.example')
  }
  expect(answers[0]!.text).toContain('in the log of the server')
})

test('another site is refused', async () => {
  const get = await start({ found: refused })
  const { status, text } = await get('/api/v1/workloads', { origin: 'https://elsewhere.example' })
  expect(status).toBe(403)
  expect(text).not.toContain('ECONNREFUSED')
})
