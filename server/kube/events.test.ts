import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Env, startEnv } from '@/server/testing/start-env'
import { createEventRecorder, type EventRecorder, type RecordedEvent } from './events'

let env: Env
let errors: unknown[]

beforeEach(async () => {
  env = await startEnv()
  errors = []
})
afterEach(() => env.close())

function recorder(options: { queueLimit?: number; burst?: number; perSecond?: () => number } = {}): EventRecorder {
  return createEventRecorder({
    client: env.client,
    clock: env.clock,
    random: env.context().random,
    onError: (error) => errors.push(error),
    ...options,
  })
}

function happened(name: string, message = 'it happened', namespace: string | undefined = 'default'): RecordedEvent {
  return {
    component: 'default-scheduler',
    type: 'Normal',
    reason: 'Happened',
    message,
    regarding: {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      name,
      uid: `uid-${name}`,
      ...(namespace !== undefined && { namespace }),
    },
  }
}

describe('the event recorder', () => {
  test('writes an event as core/v1 has it', async () => {
    const events = recorder()
    events.record(happened('a'))
    await events.flush()
    expect(await env.recordedEvents()).toMatchObject([
      {
        type: 'Normal',
        reason: 'Happened',
        message: 'it happened',
        count: 1,
        source: { component: 'default-scheduler' },
        involvedObject: { kind: 'ConfigMap', name: 'a', namespace: 'default' },
        metadata: { namespace: 'default' },
        firstTimestamp: '2026-01-01T00:00:00Z',
        lastTimestamp: '2026-01-01T00:00:00Z',
      },
    ])
  })

  test('raises the count of the same event instead of writing it again', async () => {
    const events = recorder()
    events.record(happened('a'))
    await events.flush()
    env.clock.advance(5000)
    for (let i = 0; i < 9; i += 1) events.record(happened('a'))
    events.record(happened('a', 'something else'))
    await events.flush()
    const written = await env.recordedEvents()
    expect(written.map(({ message, count }) => [message, count]).toSorted()).toEqual([
      ['it happened', 10],
      ['something else', 1],
    ])
    expect(written.find(({ count }) => count === 10)).toMatchObject({
      firstTimestamp: '2026-01-01T00:00:00Z',
      lastTimestamp: '2026-01-01T00:00:05Z',
    })
  })

  test('remembers the events of a fleet of thousands of objects', async () => {
    const objects = 4500
    const events = recorder({ burst: 3 * objects })
    for (let round = 0; round < 2; round += 1) {
      for (let i = 0; i < objects; i += 1) events.record(happened(`object-${i}`))
      await events.flush()
    }
    const { body } = await env.client.raw('GET', '/api/v1/events')
    const { items } = body as { items: { count: number }[] }
    expect([items.length, new Set(items.map(({ count }) => count))]).toEqual([objects, new Set([2])])
  })

  test('writes the count of an event that is repeated all the time every five minutes', async () => {
    const events = recorder()
    const counts: number[] = []
    for (let i = 0; i < 400; i += 1) {
      events.record(happened('a'))
      await events.flush()
      const [{ count } = { count: undefined }] = await env.recordedEvents()
      if (count !== counts.at(-1)) counts.push(count!)
      env.clock.advance(1000)
    }
    expect(counts.slice(0, 26)).toEqual(Array.from({ length: 26 }, (_, index) => index + 1))
    expect(counts.slice(26)).toEqual([302])
  })

  test('puts events of cluster-scoped objects into the namespace default', async () => {
    const events = recorder()
    events.record({ ...happened('a'), regarding: { apiVersion: 'v1', kind: 'Namespace', name: 'a' } })
    await events.flush()
    expect(await env.recordedEvents()).toMatchObject([{ metadata: { namespace: 'default' } }])
  })

  test('drops events beyond its queue and reports it once, without failing the caller', async () => {
    const events = recorder({ queueLimit: 3, burst: 1, perSecond: () => 1 })
    for (let i = 0; i < 20; i += 1) events.record(happened(`object-${i}`))
    await env.eventually(() => expect(errors).toHaveLength(1), { flowMs: 500 })
    const written = await env.client.raw('GET', '/api/v1/events')
    const { length } = (written.body as { items: unknown[] }).items
    expect(length).toBeGreaterThanOrEqual(3)
    expect(String(errors[0])).toBe(`Error: too many events were waiting; dropped: ${20 - length}`)
  })

  test('reports dropped events also while others are still waiting', () => {
    const events = recorder({ queueLimit: 3, burst: 1, perSecond: () => 1e-6 })
    for (let i = 0; i < 20; i += 1) events.record(happened(`object-${i}`))
    expect(errors).toEqual([])
    for (let minute = 1; minute <= 3; minute++) {
      env.clock.advance(60_000)
      expect(errors).toHaveLength(minute)
      events.record(happened(`object-${minute}`, 'again'))
    }
    expect(String(errors[0])).toMatch(/^Error: too many events were waiting; dropped: 1[67]$/)
    expect(String(errors[2])).toBe('Error: too many events were waiting; dropped: 1')
  })

  test('writes warnings before what was recorded earlier, at the pace of the moment', async () => {
    let perSecond = 1
    const events = recorder({ burst: 1, perSecond: () => perSecond })
    for (let i = 0; i < 30; i += 1) events.record(happened(`object-${i}`))
    events.record({ ...happened('failed'), type: 'Warning' })
    perSecond = 1000
    await env.eventually(
      async () => expect((await env.recordedEvents()).map(({ type }) => type)).toContain('Warning'),
      { flowMs: 500 },
    )
    expect((await env.recordedEvents()).length).toBeLessThan(20)
    await env.eventually(async () => expect(await env.recordedEvents()).toHaveLength(31), { flowMs: 500 })
  })

  test('gives up an event that the server refuses, and goes on', async () => {
    const events = recorder()
    events.record(happened('a', 'lost', 'no-such-namespace'))
    events.record(happened('b'))
    await events.flush()
    expect(errors).toHaveLength(1)
    expect(await env.recordedEvents()).toMatchObject([{ involvedObject: { name: 'b' } }])
  })
})
