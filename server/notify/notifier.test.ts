import { createHmac } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { toJSONSchema } from 'zod'
import type { MessageCode } from '@/lib/messages'
import { english } from '@/lib/messages/english'
import { isoTime } from '@/lib/std/clock'
import { createFakeClock, type FakeClock } from '@/lib/testing/fake-clock'
import type { RunningIncident } from '@/lib/view/notices/incidents'
import { type NoticePayload, noticePayloadSchema } from '@/lib/view/schemas/notices'
import { createLogger } from '@/server/telemetry/logger'
import { createMetrics } from '@/server/telemetry/metrics'
import { memoryInFile, memoryOfProcess, type NotifierMemory } from './memory'
import { type IncidentFeed, Notifier } from './notifier'
import { parseNotifySettings, type NotifySettings } from './settings'
import { type ReceiverServer, startReceiver } from './testing/receiver-server'

const START = Date.UTC(2026, 10, 22, 3, 0, 0)
const SECOND = 1_000
const MINUTE = 60 * SECOND

function settingsOf(receiver: object): NotifySettings {
  const settings = parseNotifySettings({ receivers: [{ name: 'pager', type: 'webhook', ...receiver }] })
  if ('faults' in settings) throw new Error(settings.faults.join())
  return settings
}

const incident = (name: string, more: Partial<RunningIncident> = {}): RunningIncident => ({
  key: `cluster ${name}`,
  kind: 'cluster',
  cluster: name,
  since: isoTime(START),
  requested: false,
  state: 'not reachable',
  blocked: 0,
  ...more,
})

interface Setup {
  receiver: ReceiverServer
  clock: FakeClock
  /** Runs a notifier; `look` passes the running incidents to it. */
  run(options?: RunOptions): Promise<Running>
}
interface RunOptions {
  settings?: object
  memory?: NotifierMemory
  leads?: () => boolean
}
interface Running {
  notifier: Notifier
  look(...running: RunningIncident[]): void
  metrics(): Promise<string>
}

async function setup(): Promise<Setup> {
  const receiver = await startReceiver()
  const clock = createFakeClock(START)
  const running: Notifier[] = []
  onTestFinished(async () => {
    await Promise.all(running.map((notifier) => notifier.stop()))
    await receiver.close()
  })
  return {
    receiver,
    clock,
    run: async ({ settings = {}, memory = memoryOfProcess(), leads = () => true } = {}) => {
      const metrics = createMetrics()
      const notifier = new Notifier({
        settings: settingsOf({ url: `${receiver.url}/in-9e1b?to=ops-2c`, ...settings }),
        sender: { consoleUrl: 'https://fleet.example', controlPlane: 'plane' },
        memory,
        clock,
        random: () => 1,
        log: createLogger({ level: 'silent' }),
        metrics,
        leads,
      })
      running.push(notifier)
      let notify: Parameters<IncidentFeed>[0] = () => undefined
      await notifier.start((look) => {
        notify = look
        return () => undefined
      })
      return { notifier, look: (...all) => notify(all), metrics: async () => (await metrics.expose()).text }
    },
  }
}

const told = ({ received }: ReceiverServer): string[] =>
  received.map(({ json }) => {
    const { event, incident: about } = json as NoticePayload
    return `${event} ${about?.cluster ?? ''}`
  })

const arrives = (receiver: ReceiverServer, count: number): Promise<void> =>
  vi.waitFor(() => expect(receiver.received).toHaveLength(count), { timeout: 5_000 })

/** Until the notifier waits to try again. */
const waits = (clock: FakeClock, delayMs: number): Promise<void> =>
  vi.waitFor(() => expect(clock.nextDue).toBe(clock.now() + delayMs), { timeout: 5_000 })

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'notices-'))
  onTestFinished(() => rm(path, { recursive: true }))
  return path
}

test('a webhook is sent with its credentials, a signature and an id; nothing of them is shown', async () => {
  const { receiver, run } = await setup()
  const files = await folder()
  await writeFile(join(files, 'token'), 'tok-3f9a\n')
  await writeFile(join(files, 'hmac'), 'hmac-77c1')
  const { notifier, look } = await run({
    settings: {
      bearerTokenFile: join(files, 'token'),
      hmacSecretFile: join(files, 'hmac'),
      headers: { 'X-Team': 'sre-5d2e' },
    },
  })
  look(incident('m1', { blocked: 2 }))
  await arrives(receiver, 1)
  const [{ path, headers, text, json }] = receiver.received as [ReceiverServer['received'][0]]
  expect(noticePayloadSchema.parse(json)).toMatchObject({
    event: 'IncidentBegan',
    severity: 'critical',
    text: 'Cluster m1: not reachable',
    url: 'https://fleet.example/failover/incident?cluster=m1',
    incident: { kind: 'cluster', cluster: 'm1', since: isoTime(START), blockedWorkloads: 2 },
  })
  const seconds = START / 1000
  const signature = createHmac('sha256', 'hmac-77c1').update(`${seconds}.${text}`).digest('hex')
  expect({ path, ...headers }).toMatchObject({
    path: '/in-9e1b?to=ops-2c',
    authorization: 'Bearer tok-3f9a',
    'x-team': 'sre-5d2e',
    'idempotency-key': (json as NoticePayload).id,
    'evenkeel-signature': `t=${seconds},v1=${signature}`,
  })
  await vi.waitFor(async () => expect((await notifier.list())[0]?.last?.result).toBe('sent'))
  const [shown] = await notifier.list()
  expect(shown).toMatchObject({ name: 'pager', host: new URL(receiver.url).host, waiting: 0, last: { status: 200 } })
  expect(JSON.stringify(shown)).not.toMatch(/tok-|hmac-|sre-|in-9e1b|ops-/)
})

test('failures are retried with backoff, as the receiver requests, with the same id and in order', async () => {
  const { receiver, clock, run } = await setup()
  receiver.answers.push(500, 'reset', { status: 429, headers: { 'retry-after': '120' } }, 503, 200)
  const { notifier, look, metrics } = await run()
  look(incident('m1'))
  look(incident('m1'), incident('m2'))
  look(incident('m2'))
  for (const [count, pause] of [
    [1, 1 * SECOND],
    [2, 2 * SECOND],
    [3, 2 * MINUTE],
    [4, 8 * SECOND],
  ] as const) {
    await arrives(receiver, count)
    await waits(clock, pause)
    expect((await notifier.list())[0]).toMatchObject({ waiting: 3, last: { result: 'retrying', attempts: count } })
    clock.advance(pause)
  }
  await arrives(receiver, 7)
  expect(told(receiver)).toEqual([...Array(5).fill('IncidentBegan m1'), 'IncidentBegan m2', 'IncidentEnded m1'])
  const ids = receiver.received.map(({ headers }) => headers['idempotency-key'])
  expect([new Set(ids.slice(0, 5)).size, new Set(ids).size]).toEqual([1, 3])
  await vi.waitFor(async () =>
    expect(await metrics()).toContain('evenkeel_notices_total{receiver="pager",result="sent"} 3'),
  )
  expect(await metrics()).toContain('evenkeel_notice_attempts_total{receiver="pager",result="error"} 4')
  expect(await metrics()).toContain('evenkeel_notice_queue_length{receiver="pager"} 0')
  expect(await metrics()).toContain('evenkeel_incidents{kind="cluster"} 1')
})

test('a receiver that does not answer is left after the timeout, and given up after the limit', async () => {
  const { receiver, clock, run } = await setup()
  receiver.answers.push('silence', 'silence')
  const { notifier, look, metrics } = await run({ settings: { timeout: '50ms', giveUpAfter: '2s' } })
  look(incident('m1'))
  await arrives(receiver, 1)
  await waits(clock, 1 * SECOND)
  clock.advance(1 * SECOND)
  await vi.waitFor(async () => expect((await notifier.list())[0]?.last?.result).toBe('failed'))
  expect((await notifier.list())[0]).toMatchObject({ waiting: 0, last: { attempts: 2, error: 'timeout' } })
  expect(await metrics()).toContain('evenkeel_notices_total{receiver="pager",result="failed"} 1')
  look()
  await arrives(receiver, 3)
  expect(told(receiver).at(-1)).toBe('IncidentEnded m1')
})

test('a refusal and a redirect are final: no other address gets a notice', async () => {
  const { receiver, run } = await setup()
  const other = await startReceiver()
  onTestFinished(() => other.close())
  receiver.answers.push({ status: 307, headers: { location: other.url } }, 404)
  const { notifier, look } = await run()
  look(incident('m1'))
  await vi.waitFor(async () =>
    expect((await notifier.list())[0]?.last).toMatchObject({
      result: 'failed',
      error: 'HTTP 307: redirects are not followed',
    }),
  )
  look()
  await vi.waitFor(async () => expect((await notifier.list())[0]?.last).toMatchObject({ error: 'HTTP 404' }))
  expect([receiver.received.length, other.received.length]).toEqual([2, 0])
})

test('a full queue loses its oldest notices, and counts them', async () => {
  const { receiver, clock, run } = await setup()
  receiver.answers.push(500)
  const { look, metrics } = await run({ settings: { queueLimit: 2 } })
  look(incident('m1'))
  await waits(clock, 1 * SECOND)
  look(incident('m1'), incident('m2'))
  look(incident('m1'), incident('m2'), incident('m3'))
  clock.advance(1 * SECOND)
  await arrives(receiver, 3)
  expect(told(receiver)).toEqual(['IncidentBegan m1', 'IncidentBegan m1', 'IncidentBegan m3'])
  expect(await metrics()).toContain('evenkeel_notices_total{receiver="pager",result="dropped"} 1')
})

test('a receiver gets only the events it subscribed to', async () => {
  const { receiver, run } = await setup()
  const { look } = await run({ settings: { kinds: ['cluster'], events: ['IncidentEnded'] } })
  look(incident('m1'), incident('m2', { key: 'failover m2', kind: 'failover' }))
  look()
  await arrives(receiver, 1)
  expect(told(receiver)).toEqual(['IncidentEnded m1'])
})

test('after a restart waiting notices are sent, sent ones are not, and incidents that ended meanwhile are reported', async () => {
  const { receiver, clock, run } = await setup()
  const directory = await folder()
  const first = await run({ memory: memoryInFile(directory) })
  first.look(incident('m1'), incident('m2'))
  await arrives(receiver, 2)
  receiver.answers.push('reset')
  first.look(incident('m1'), incident('m2'), incident('m3'))
  await arrives(receiver, 3)
  await waits(clock, 1 * SECOND)
  await first.notifier.stop()

  const second = await run({ memory: memoryInFile(directory) })
  // The journal of this process saw the outage begin later.
  second.look(incident('m2', { since: isoTime(START + MINUTE) }), incident('m3'))
  await arrives(receiver, 5)
  expect(told(receiver).slice(2)).toEqual(['IncidentBegan m3', 'IncidentBegan m3', 'IncidentEnded m1'])
  const keys = receiver.received.map(({ headers }) => headers['idempotency-key'])
  expect(keys[2]).toBe(keys[3])
  await vi.waitFor(async () => expect((await second.notifier.list())[0]?.waiting).toBe(0))
})

test('the stored state is always complete: a process killed after a response repeats at most that notice', async () => {
  const { receiver, clock, run } = await setup()
  const kept: string[] = []
  const memory: NotifierMemory = {
    load: async () => undefined,
    save: async (state) => void kept.push(JSON.stringify(state)),
  }
  const { look } = await run({ memory })
  look(incident('m1'), incident('m2'))
  await arrives(receiver, 2)
  await vi.waitFor(() => expect(JSON.parse(kept.at(-1)!).waiting.pager).toEqual([]))
  for (const [index, text] of kept.entries()) {
    receiver.received.length = 0
    const next = await run({ memory: { load: async () => JSON.parse(text), save: async () => undefined } })
    next.look(incident('m1'), incident('m2'))
    const waiting = (JSON.parse(text).waiting.pager as unknown[]).length
    await arrives(receiver, waiting)
    await next.notifier.stop()
    expect([index, receiver.received.length]).toEqual([index, waiting])
  }
  expect(clock.now()).toBe(START)
})

test('an instance that is not the leader sends nothing, and shows the state stored by the leader', async () => {
  const { receiver, run } = await setup()
  const memory = memoryOfProcess()
  const leader = await run({ memory })
  leader.look(incident('m1'))
  await arrives(receiver, 1)
  await vi.waitFor(async () => expect((await leader.notifier.list())[0]?.last?.result).toBe('sent'))
  const other = await run({ memory, leads: () => false })
  other.look(incident('m1'), incident('m2'))
  await other.notifier.stop()
  expect((await other.notifier.list())[0]).toMatchObject({ last: { result: 'sent' } })
  expect(receiver.received).toHaveLength(1)
})

test('an Alertmanager gets alerts that it keeps firing, and resolves', async () => {
  const { receiver, clock, run } = await setup()
  const { look } = await run({
    settings: { type: 'alertmanager', url: `${receiver.url}/am/`, labels: { env: 'prod' } },
  })
  const lost = incident('m1', { blocked: 1 })
  look(lost)
  await arrives(receiver, 1)
  const alert = {
    labels: { alertname: 'EvenkeelIncident', kind: 'cluster', cluster: 'm1', severity: 'critical', env: 'prod' },
    annotations: { summary: 'not reachable' },
    startsAt: isoTime(START),
    endsAt: isoTime(START + 5 * MINUTE),
    generatorURL: 'https://fleet.example/failover/incident?cluster=m1',
  }
  expect(receiver.received[0]).toMatchObject({ path: '/am/api/v2/alerts' })
  expect(receiver.received[0]?.json).toEqual([alert])
  clock.advance(MINUTE)
  await arrives(receiver, 2)
  expect(receiver.received[1]?.json).toEqual([{ ...alert, endsAt: isoTime(START + 6 * MINUTE) }])
  look(lost)
  await arrives(receiver, 3)
  const blocked = { ...alert.labels, alertname: 'EvenkeelIncidentBlocked' }
  expect(receiver.received[2]?.json).toMatchObject([{ labels: alert.labels }, { labels: blocked }])
  look()
  await arrives(receiver, 4)
  const endsAt = isoTime(START + MINUTE)
  expect(receiver.received[3]?.json).toMatchObject([
    { labels: alert.labels, startsAt: isoTime(START), endsAt },
    { labels: blocked, endsAt },
  ])
})

test('a test is one request, whatever becomes of it', async () => {
  const { receiver, run } = await setup()
  const { notifier } = await run()
  receiver.answers.push(200, 500)
  expect(await notifier.test('pager', 'key-1')).toMatchObject({ result: 'sent', status: 200 })
  expect(await notifier.test('pager', 'key-2')).toMatchObject({ result: 'failed', status: 500, error: 'HTTP 500' })
  expect(await notifier.test('nowhere', 'key-3')).toBeUndefined()
  expect(
    receiver.received.map(({ json, headers }) => [noticePayloadSchema.parse(json).event, headers['idempotency-key']]),
  ).toEqual([
    ['Test', 'key-1'],
    ['Test', 'key-2'],
  ])
})

test('the documented schema of a webhook is the one that it has', async () => {
  const withTexts = (key: string, value: unknown): unknown =>
    key === 'description' ? english.of({ code: value as MessageCode }) : value
  const schema: unknown = JSON.parse(JSON.stringify(toJSONSchema(noticePayloadSchema)), withTexts)
  expect(JSON.parse(await readFile('docs/notice.schema.json', 'utf8'))).toEqual(schema)
})
