import { copyFile, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Writable } from 'node:stream'
import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { createFakeClock } from '@/lib/testing/fake-clock'
import type { RecordedEvent } from '@/server/kube/events'
import { createLogger } from '@/server/telemetry/logger'
import type { Principal } from '../auth/principal'
import { endpoint } from '../http/endpoint'
import { createMemoryStore } from '../shared/memory-store'
import { eventually } from '../testing/start-bff'
import { activityOf, AuditLog, openAuditLog } from './audit-log'
import { noSink, openAuditSink } from './audit-sink'

const address = '10.0.0.7'
const jane: Principal = {
  identity: { user: 'jane', groups: ['staff'] },
  key: 'key-of-jane',
  via: 'token',
  session: { id: 'very-secret', expiresAt: 0 },
  client: undefined as never,
}
const hold = endpoint({
  method: 'POST',
  path: '/api/v1/queues/{namespace}/{name}/hold',
  kind: 'action',
  tag: 'api.tag.queues',
  summary: 'queues.api.hold',
  event: 'HeldByUser',
  response: z.unknown(),
  perform: () => undefined,
})
const object = { apiVersion: 'evenkeel.io/v1alpha1', kind: 'Queue', namespace: 'lab', name: 'main', uid: 'u1' }
const log = createLogger({ level: 'silent' })

function start(more: Partial<ConstructorParameters<typeof AuditLog>[0]> = {}) {
  const clock = createFakeClock(Date.UTC(2026, 10, 21, 9, 0, 0, 123))
  const lines: string[] = []
  const told: RecordedEvent[] = []
  const events = { record: (event: RecordedEvent) => void told.push(event), flush: () => Promise.resolve() }
  const audit = new AuditLog({
    sink: { ...noSink(), append: (line) => void lines.push(line) },
    clock,
    random: () => 0.25,
    log,
    events,
    ...more,
  })
  const act = () => audit.begin({ endpoint: hold, address, requestId: 'request-1' }, jane)
  return { audit, clock, lines, told, act }
}

describe('an act that is done', () => {
  test('is one line: who, from where, what, to which object, what changed, and how it ended', () => {
    const { act, clock, lines } = start()
    const one = act()
    one.concerns({ object, before: { hold: undefined } })
    clock.advance(42)
    one.concerns({ object, before: {}, after: { hold: { reason: 'release' } } })
    one.end({ status: 200 })
    one.end({ status: 500 })
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      {
        id: '2026-11-21T09:00:00.123Z-90000-1',
        at: '2026-11-21T09:00:00.123Z',
        user: 'jane',
        key: 'key-of-jane',
        groups: ['staff'],
        via: 'token',
        session: expect.stringMatching(/^[\w-]{16}$/),
        address: '10.0.0.7',
        endpoint: 'POST /api/v1/queues/{namespace}/{name}/hold',
        summary: { code: 'queues.api.hold' },
        object,
        changes: [{ path: 'hold.reason', after: '"release"' }],
        result: 'accepted',
        status: 200,
        requestId: 'request-1',
        durationMs: 42,
      },
    ])
    expect(lines.join()).not.toContain('very-secret')
  })

  test('is an Event on the object', () => {
    const { act, told } = start()
    const one = act()
    one.concerns({ object })
    one.end({ status: 200 })
    expect(told).toEqual([
      {
        component: 'evenkeel-console',
        type: 'Normal',
        reason: 'HeldByUser',
        message: 'Hold a queue, or change its hold, requested by jane',
        regarding: object,
        annotations: { 'console.evenkeel.io/activity': expect.stringContaining('"user":"jane"') },
      },
    ])
  })

  test('without an object is attributed to the first written one', () => {
    const { act, audit, told } = start()
    act().end({ status: 200, written: [object, { ...object, name: 'other' }] })
    expect(audit.latest()[0]?.object).toEqual(object)
    expect(told).toHaveLength(1)
  })
})

test.each([
  [{ status: 403, reason: 'Forbidden', detail: 'You may not.' }, 'refused'],
  [{ status: 409, reason: 'PlanOutdated' }, 'refused'],
  [{ status: 502, reason: 'ApiServerFailed', outcome: 'nothing' as const }, 'failed'],
  [{ status: 504, reason: 'Timeout', outcome: 'unknown' as const }, 'unknown'],
])('an act that ends with %o is on record as %s, and no Event', (end, result) => {
  const { act, audit, told } = start()
  const one = act()
  one.concerns({ object })
  one.end(end)
  expect(audit.latest()).toMatchObject([{ result, reason: end.reason, object }])
  expect(told).toEqual([])
})

test('what others are shown leaves out sessions, addresses, groups and keys', () => {
  const { act, audit } = start()
  act().end({ status: 200 })
  const [record] = audit.latest()
  expect(Object.keys(activityOf(record!))).not.toEqual(expect.arrayContaining(['session']))
  expect(
    Object.keys(activityOf(record!)).filter((name) => ['session', 'address', 'groups', 'key'].includes(name)),
  ).toEqual([])
})

test('that is refused before it names an object is attributed to the requested one', () => {
  const { act, audit } = start()
  const one = act()
  one.suppose(object)
  one.end({ status: 403, reason: 'Forbidden' })
  expect(audit.latest()).toMatchObject([{ object, result: 'refused' }])
})

test('an endpoint that does several things says which', () => {
  const { act, audit } = start()
  const one = act()
  one.concerns({ object, summary: 'Pause it until noon' })
  one.end({ status: 200 })
  expect(audit.latest()[0]?.summary).toBe('Pause it until noon')
})

test('login is told as a whole, and a user is given no Event', () => {
  const { audit, act, told } = start()
  const ended = act()
  ended.concerns({ object: { apiVersion: 'authentication.k8s.io/v1', kind: 'User', name: 'joe' } })
  ended.end({ status: 200 })
  expect(told).toEqual([])
  audit.record({
    address,
    requestId: 'request-2',
    endpoint: 'POST /api/v1/session',
    summary: 'Log in',
    who: jane,
    status: 401,
    reason: 'TokenInvalid',
  })
  expect(audit.latest()).toContainEqual(
    expect.objectContaining({ endpoint: 'POST /api/v1/session', result: 'refused', changes: [] }),
  )
})

test('the latest are at hand, and the oldest of them gives way', () => {
  const { act, audit, clock } = start({ atHand: 2 })
  for (let count = 0; count < 3; count += 1) {
    act().end({ status: 200 })
    clock.advance(1000)
  }
  expect(audit.latest().map(({ at }) => at)).toEqual(['2026-11-21T09:00:02.123Z', '2026-11-21T09:00:01.123Z'])
})

test('the stream shows the latest 200, and is told which one gives way', () => {
  const { act, audit } = start()
  const told: string[] = []
  audit.touched.listen((id) => told.push(id))
  for (let count = 0; count < 201; count += 1) act().end({ status: 200 })
  const [first] = told
  expect(audit.liveIds()).toHaveLength(200)
  expect([audit.live(first!), audit.get(first!)?.result, told.filter((id) => id === first).length]).toEqual([
    undefined,
    'accepted',
    2,
  ])
})

test('all instances show what one of them did, once', async () => {
  const clock = createFakeClock()
  const store = createMemoryStore({
    clock,
    onError: (error) => {
      throw error
    },
  })
  const [one, two] = [start({ store, clock }), start({ store, clock, random: () => 0.5 })]
  one.act().end({ status: 200 })
  two.act().end({ status: 403, reason: 'Forbidden' })
  await eventually(() => {
    expect(one.audit.latest()).toHaveLength(2)
    expect(two.audit.latest()).toEqual(one.audit.latest())
  })
  expect([one.lines.length, two.lines.length]).toEqual([1, 1])
})

describe('a file', () => {
  async function open(target: string) {
    const clock = createFakeClock(Date.UTC(2026, 10, 21))
    const sink = await openAuditSink({
      target,
      clock,
      onError: (error) => {
        throw error
      },
    })
    const audit = await openAuditLog({ sink, clock, random: () => 0.25, log })
    return { audit, clock }
  }

  test('holds a line for each act, and is read back by the next life', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'evenkeel-audit-'))
    onTestFinished(() => rm(directory, { recursive: true }))
    const target = join(directory, 'audit.jsonl')
    const first = await open(target)
    first.audit.begin({ endpoint: hold, address, requestId: 'request-1' }, jane).end({ status: 200 })
    await first.audit.close()
    const files = (await readdir(directory)).filter((name) => name.endsWith('.jsonl'))
    expect(files).toEqual([expect.stringMatching(/^audit-\d{13}\.jsonl$/)])
    expect((await readFile(join(directory, files[0]!), 'utf8')).trim().split('\n')).toHaveLength(1)
    const second = await open(target)
    expect(second.audit.latest()).toMatchObject([{ requestId: 'request-1' }])
    await second.audit.close()
  })

  test('is not made when the operator turned it off', async () => {
    const { audit } = await open('none')
    audit.begin({ endpoint: hold, address, requestId: 'request-1' }, jane).end({ status: 200 })
    expect(audit.latest()).toHaveLength(1)
    await audit.close()
  })
})

describe('an act that the end of the process cuts off', () => {
  /** A process that ends without a word: what it was about to write is lost. */
  async function live(target: string) {
    const clock = createFakeClock(Date.UTC(2026, 10, 21))
    const sink = await openAuditSink({
      target,
      clock,
      onError: (error) => {
        throw error
      },
    })
    const audit = await openAuditLog({ sink, clock, random: Math.random, log })
    const begin = () => audit.begin({ endpoint: hold, address, requestId: 'request-1' }, jane)
    return { audit, clock, begin }
  }

  async function newTarget(): Promise<string> {
    const directory = await mkdtemp(join(tmpdir(), 'evenkeel-audit-'))
    onTestFinished(() => rm(directory, { recursive: true }))
    return join(directory, 'audit.jsonl')
  }

  /** As a crash leaves it: the lock is gone with the process, and no file was closed. */
  async function crashed(target: string): Promise<string> {
    const directory = await mkdtemp(join(tmpdir(), 'evenkeel-audit-'))
    onTestFinished(() => rm(directory, { recursive: true }))
    for (const name of await readdir(dirname(target))) {
      if (!name.endsWith('.lock')) await copyFile(join(dirname(target), name), join(directory, name))
    }
    return join(directory, 'audit.jsonl')
  }

  test('is recorded by the next process, once, with an unknown outcome', async () => {
    const target = await newTarget()
    const first = await live(target)
    const [cut, ended] = [first.begin(), first.begin()]
    cut.suppose(object)
    await Promise.all([cut.underway(), ended.underway()])
    ended.end({ status: 200 })
    await first.audit.close()
    const place = await crashed(target)
    const second = await live(place)
    expect(second.audit.latest().map(({ result, reason, object: about }) => [result, reason, about])).toEqual([
      ['accepted', undefined, undefined],
      ['unknown', 'Interrupted', object],
    ])
    await second.audit.close()
    const third = await live(place)
    expect(third.audit.latest()).toHaveLength(2)
    await third.audit.close()
  })

  test('that was over and not yet in the file is told as well', async () => {
    const target = await newTarget()
    const first = await live(target)
    const act = first.begin()
    await act.underway()
    act.end({ status: 200 })
    const second = await live(await crashed(target))
    expect(second.audit.latest()).toMatchObject([{ result: 'unknown', requestId: 'request-1' }])
    await second.audit.close()
    await first.audit.close()
  })

  test('is noted in a file that does not grow for ever', async () => {
    const target = await newTarget()
    const { audit, begin, clock } = await live(target)
    const long = { ...object, name: 'x'.repeat(900) }
    const running = begin()
    await running.underway()
    for (let count = 0; count < 2000; count += 1) {
      const act = begin()
      act.suppose(long)
      await act.underway()
      act.end({ status: 200 })
      clock.advance(100)
    }
    const text = await readFile(join(dirname(target), '.audit.open'), 'utf8')
    expect(text.length).toBeLessThan(1.1 * 2 ** 20)
    expect(text.split('\n').find((line) => line !== '')).toContain('"result":"unknown"')
    await audit.close()
  })
})

test('a line has a limited length for any request', () => {
  const { act, lines } = start()
  const one = act()
  one.concerns({ object: { ...object, name: 'n'.repeat(8000) }, after: { a: 'v'.repeat(8000) } })
  one.end({ status: 422, reason: 'Refused', detail: 'd'.repeat(8000) })
  expect(lines[0]?.length).toBeLessThan(3500)
})

test('a closed standard output is reported for each line, and ends nothing', async () => {
  const errors: unknown[] = []
  const output = new Writable({ write: (_chunk, _encoding, done) => done(new Error('EPIPE')) })
  const sink = await openAuditSink({
    target: '-',
    clock: createFakeClock(),
    onError: (error) => errors.push(error),
    output,
  })
  for (let line = 0; line < 2; line += 1) sink.append('{}')
  await sink.close()
  expect(errors).toHaveLength(2)
})

test('Events of what was done last are waited for, but not for long', async () => {
  let written: () => void = () => undefined
  const events = {
    record: () => undefined,
    flush: () =>
      new Promise<void>((resolve) => {
        written = resolve
      }),
  }
  const inTime = start({ events })
  const closed = inTime.audit.close()
  written()
  await closed
  const late = start({ events })
  const closing = late.audit.close()
  late.clock.advance(2000)
  await closing
})
