import { describe, expect, onTestFinished, test } from 'vitest'
import { startEnv } from '@/server/testing/start-env'
import { watch, type Logger } from '@/server/runtime/controller'
import { configMap } from '@/lib/kube/kinds'
import { createMetrics } from './metrics'
import { startWatchdog } from './watchdog'
import { type Work, WorkNotes, workNotes } from './work'

interface Told {
  lines: object[]
  blocked: [string, number][]
}

function logInto(lines: object[]): Logger {
  const log: Logger = {
    debug: () => undefined,
    info: () => undefined,
    error: () => undefined,
    child: () => log,
    warn: (fields, message) => void lines.push({ ...fields, message }),
  }
  return log
}

/** Time and the ends of turns are moved by hand. */
function clocked() {
  const told: Told = { lines: [], blocked: [] }
  let time = 1000
  let eventLoopEnd: (() => void) | undefined
  const now = () => time
  const notes = new WorkNotes(now, (callback) => {
    eventLoopEnd = callback
  })
  const watchdog = startWatchdog({
    notes,
    now,
    busy: () => time / 2,
    log: logInto(told.lines),
    onBlocked: (by, seconds) => void told.blocked.push([by, seconds]),
  })
  onTestFinished(() => watchdog.stop())
  return {
    told,
    notes,
    look: () => watchdog.look(),
    pass: (ms: number) => {
      time += ms
    },
    endTurn: () => {
      eventLoopEnd?.()
    },
  }
}

const request = (path: string): Work => ({ by: 'api', method: 'GET', path, user: 'alice' })
const pass: Work = { by: 'scheduler', controller: 'scheduler', key: 'shop/web' }

describe('the watchdog of the event loop', () => {
  test('names the work behind whose note nothing else was noted for the longest time', () => {
    const { told, notes, look, pass: later } = clocked()
    notes.note(request('/api/v1/pods?labelSelector=secret'))
    later(20)
    notes.note(pass)
    later(350)
    notes.note(request('/api/v1/nodes'))
    later(30)
    look()
    expect(told.blocked).toEqual([['scheduler', 0.35]])
    expect(told.lines).toEqual([
      {
        ms: 350,
        cpuMs: 200,
        by: 'scheduler',
        controller: 'scheduler',
        key: 'shop/web',
        message: 'event loop was blocked',
      },
    ])
  })

  test('leaves the query of a request out', () => {
    const { told, notes, look, pass: later } = clocked()
    notes.note(request('/api/v1/pods?labelSelector=secret'))
    later(200)
    look()
    expect(told.lines).toMatchObject([{ path: '/api/v1/pods', user: 'alice', method: 'GET' }])
  })

  test.each([0, 50, 149])('reports nothing for a check %i ms after the last one', (ms) => {
    const { told, notes, look, pass: later } = clocked()
    notes.note(pass)
    later(ms)
    look()
    expect(told).toEqual({ lines: [], blocked: [] })
  })

  test('does not blame work of a turn that is over', () => {
    const { told, notes, look, pass: later, endTurn } = clocked()
    notes.note(pass)
    later(10)
    endTurn()
    later(400)
    look()
    expect(told.blocked).toEqual([['unknown', 0.4]])
  })

  test('counts every delay, and writes one line a second', () => {
    const { told, notes, look, pass: later } = clocked()
    for (let round = 0; round < 10; round++) {
      notes.note(pass)
      later(200)
      look()
    }
    expect(told.blocked).toHaveLength(10)
    expect(told.lines).toHaveLength(2)
  })

  test('many records in one iteration do not hide the blocking one', () => {
    const { told, notes, look, pass: later } = clocked()
    for (let count = 0; count < 2000; count++) notes.note(request('/api/v1/pods'))
    notes.note(pass)
    later(200)
    for (let count = 0; count < 300; count++) notes.note(request('/api/v1/pods'))
    look()
    expect(told.blocked).toEqual([['scheduler', 0.2]])
  })
})

test('a loop that computes for long is named with its key, in a line and in the metrics', async () => {
  const lines: object[] = []
  const metrics = createMetrics()
  const watchdog = startWatchdog({
    notes: workNotes,
    log: logInto(lines),
    lineEveryMs: 0,
    onBlocked: metrics.eventLoopBlocked,
  })
  const env = await startEnv()
  onTestFinished(() => env.close())
  await env.run({
    name: 'slow-loop',
    watches: [watch({ kind: configMap })],
    reconcile: async () => {
      const until = performance.now() + 300
      while (performance.now() < until);
    },
  })
  await env.create(configMap, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'heavy', namespace: 'default' },
  })
  await env.eventually(() =>
    expect(lines).toContainEqual(
      expect.objectContaining({ by: 'slow-loop', key: 'default/heavy', controller: 'slow-loop' }),
    ),
  )
  watchdog.stop()
  expect(await metrics.registry.metrics()).toContain('evenkeel_event_loop_blocked_seconds_count{by="slow-loop"}')
})
