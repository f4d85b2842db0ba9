import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { kubeError } from '@/lib/kube/errors'
import { configMap } from '@/lib/kube/kinds/config-map'
import { type Env, startEnv } from '@/server/testing/start-env'
import { AwaitedError, type Controller, type Logger, TerminalError, watch } from './controller'

let env: Env
beforeEach(async () => {
  env = await startEnv()
})
afterEach(() => env.close())

const put = (name: string) =>
  env.client.create(configMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'default' } })

/** A controller that notes its keys and does what `on` says at the n-th try (from 1) of a key. */
function noting(
  on: (key: string, tries: number) => ReturnType<Controller['reconcile']> = async () => undefined,
  rest: Partial<Controller> = {},
) {
  const seen: string[] = []
  const controller: Controller = {
    name: 'noting',
    watches: [
      watch({
        kind: configMap,
        relevant: (change) => change.type !== 'deleted' && change.object.metadata.namespace === 'default',
      }),
    ],
    reconcile(key) {
      seen.push(key)
      return on(key, seen.filter((other) => other === key).length)
    },
    ...rest,
  }
  return { controller, seen }
}

/** A logger that records the default levels: warnings and errors. */
function linesInto(lines: string[]): Logger {
  const keep = (fields: object, message: string): void => {
    lines.push('cause' in fields ? `${message}: ${String(fields.cause)}` : message)
  }
  const log: Logger = { debug: () => undefined, info: () => undefined, warn: keep, error: keep, child: () => log }
  return log
}

describe('a running controller', () => {
  test('reconciles objects created before it started and later ones', async () => {
    await put('before')
    const { controller, seen } = noting()
    await env.run(controller)
    await env.eventually(() => expect(seen).toEqual(['default/before']))
    await put('later')
    await env.eventually(() => expect(seen).toEqual(['default/before', 'default/later']))
  })

  test('never works on one key twice at the same time, however many workers it has', async () => {
    const busy = new Set<string>()
    let most = 0
    const { controller, seen } = noting(
      async (key) => {
        expect(busy.has(key)).toBe(false)
        busy.add(key)
        most = Math.max(most, busy.size)
        await new Promise((resolve) => {
          setImmediate(resolve)
        })
        busy.delete(key)
      },
      { concurrency: 4 },
    )
    await Promise.all(Array.from({ length: 20 }, (_, i) => put(`object-${i}`)))
    await env.run(controller)
    await env.eventually(() => expect(new Set(seen).size).toBe(20))
    expect(most).toBeGreaterThan(1)
    expect(most).toBeLessThanOrEqual(4)
  })

  test('looks again after the delay that was answered, and not before', async () => {
    const { controller, seen } = noting(async (_key, tries) => (tries === 1 ? { requeueAfterMs: 60_000 } : undefined))
    await env.run(controller)
    await put('a')
    await env.eventually(() => expect(seen).toHaveLength(1), { flowMs: 0 })
    await env.advance(59_999)
    expect(seen).toHaveLength(1)
    await env.advance(1)
    await env.eventually(() => expect(seen).toHaveLength(2), { flowMs: 0 })
  })

  test('tries again with growing delays after an error, and starts anew after a success', async () => {
    const { controller, seen } = noting(
      async (_key, tries) => {
        if (tries <= 3) throw new Error('not yet')
      },
      { retry: { baseMs: 1000, maxMs: 10_000 } },
    )
    await env.run(controller)
    await put('a')
    for (const [tries, delayMs] of [
      [1, 1000],
      [2, 2000],
      [3, 4000],
    ] as const) {
      await env.eventually(() => expect(seen).toHaveLength(tries), { flowMs: 0 })
      await env.eventually(() => expect(env.clock.timers).toBeGreaterThan(0), { flowMs: 0 })
      await env.advance(delayMs)
    }
    await env.eventually(() => expect(seen).toHaveLength(4), { flowMs: 0 })
  })

  test('tries again soon after a conflict, whatever its back-off after errors is', async () => {
    const { controller, seen } = noting(
      async (_key, tries) => {
        if (tries === 1) throw kubeError(409, 'Conflict', 'somebody was faster')
      },
      { retry: { baseMs: 1_000_000, maxMs: 1_000_000 } },
    )
    await env.run(controller)
    await put('a')
    await env.eventually(() => expect(seen).toHaveLength(2))
  })

  test('never tries again after a terminal error', async () => {
    const { controller, seen } = noting(async () => {
      throw new TerminalError('hopeless')
    })
    await env.run(controller)
    await put('a')
    await env.eventually(() => expect(seen).toHaveLength(1))
    await env.advance(10_000_000)
    await put('b')
    await env.eventually(() => expect(seen).toEqual(['default/a', 'default/b']))
  })

  test.each<[string, () => Error, number, { at: number; lines: string[] }[]]>([
    [
      'an error only once it keeps coming',
      () => new Error('not yet'),
      1000,
      [
        { at: 4, lines: [] },
        { at: 5, lines: ['reconcile keeps failing; retrying: not yet'] },
      ],
    ],
    ['never what is merely awaited', () => new AwaitedError('cluster(m1) not ready'), 20_000, [{ at: 6, lines: [] }]],
    [
      'a terminal error at once, without a stack',
      () => new TerminalError('hopeless'),
      1000,
      [{ at: 1, lines: ['reconcile failed permanently: hopeless'] }],
    ],
  ])('tells %s', async (_, failure, baseMs, steps) => {
    const lines: string[] = []
    const told = await startEnv({ log: linesInto(lines) })
    onTestFinished(() => told.close())
    const { controller, seen } = noting(
      async () => {
        throw failure()
      },
      { retry: { baseMs, maxMs: 10_000_000 } },
    )
    await told.run(controller)
    await told.client.create(configMap, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'a', namespace: 'default' },
    })
    for (const { at, lines: expected } of steps) {
      await told.eventually(() => expect(seen).toHaveLength(at), { flowMs: baseMs })
      await told.eventually(() => expect(lines).toEqual(expected), { flowMs: 0 })
    }
  })

  test('hands keys of a higher priority out first', async () => {
    for (const name of ['low-1', 'low-2', 'high']) await put(name)
    const { controller, seen } = noting(undefined, { priority: (key) => (key.includes('high') ? 10 : 0) })
    await env.run(controller)
    await env.eventually(() => expect(seen).toHaveLength(3))
    expect(seen[0]).toBe('default/high')
  })

  test('enqueues every known key again at each resync', async () => {
    await put('a')
    const { controller, seen } = noting(undefined, { resyncEveryMs: 60_000 })
    await env.run(controller)
    await env.eventually(() => expect(seen).toHaveLength(1), { flowMs: 0 })
    await env.advance(60_000)
    await env.eventually(() => expect(seen).toHaveLength(2), { flowMs: 0 })
    await env.advance(60_000)
    await env.eventually(() => expect(seen).toHaveLength(3), { flowMs: 0 })
  })

  test('lets a reconcile finish when it is stopped, and then takes down what it set up', async () => {
    const log: string[] = []
    const gate = Promise.withResolvers<void>()
    const { controller, seen } = noting(
      async () => {
        await gate.promise
        log.push('reconciled')
      },
      { start: () => () => void log.push('taken down') },
    )
    const second = await startEnv()
    await second.run(controller)
    await second.client.create(configMap, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'a', namespace: 'default' },
    })
    await second.eventually(() => expect(seen).toHaveLength(1))
    const closed = second.close()
    gate.resolve()
    await closed
    expect(log).toEqual(['reconciled', 'taken down'])
  })
})
