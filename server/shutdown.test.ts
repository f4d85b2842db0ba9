import { EventEmitter } from 'node:events'
import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { eventually } from './bff/testing/start-bff'
import { type Stop, stopOnSignals } from './shutdown'
import { createLogger } from './telemetry/logger'

/** A process that only notes how it ended. */
class Noted extends EventEmitter {
  readonly codes: number[] = []
  exit(code: number): void {
    this.codes.push(code)
  }
}

function start(stops: readonly Stop[], longestMs?: number) {
  let now = 0
  const lines: string[] = []
  const destination = new Writable({
    write(chunk: Buffer, _, done) {
      lines.push((JSON.parse(chunk.toString()) as { msg: string }).msg)
      done()
    },
  })
  const process = new Noted()
  stopOnSignals(stops, {
    log: createLogger({ destination }),
    process,
    now: () => now,
    ...(longestMs !== undefined && { longestMs }),
  })
  const pass = (ms: number) => {
    now += ms
  }
  return { process, lines, pass }
}

test.each(['SIGTERM', 'SIGINT'])('%s ends all parts in order and exits with 0', async (signal) => {
  const ended: string[] = []
  const part =
    (name: string): Stop =>
    async () => {
      await Promise.resolve()
      ended.push(name)
    }
  const { process } = start([part('console'), part('loops'), part('control plane')])
  process.emit(signal)
  await eventually(() => expect(process.codes).toEqual([0]))
  expect(ended).toEqual(['console', 'loops', 'control plane'])
})

test('a part that cannot end is told about and keeps none of the others from ending', async () => {
  const ended: string[] = []
  const { process, lines } = start([() => Promise.reject(new Error('disk full')), async () => void ended.push('loops')])
  process.emit('SIGTERM')
  await eventually(() => expect(process.codes).toEqual([1]))
  expect(ended).toEqual(['loops'])
  expect(lines).toEqual(['shutting down', 'failed to shut down a component cleanly'])
})

test('one Ctrl-C that arrives several times is one wish; the next one ends at once', () => {
  const { process, pass } = start([() => new Promise<void>(() => undefined)])
  for (const laterMs of [0, 2, 90]) {
    pass(laterMs)
    process.emit('SIGINT')
  }
  expect(process.codes).toEqual([])
  pass(1000)
  process.emit('SIGINT')
  expect(process.codes).toEqual([1])
})

test('a process that does not stop in time is ended', async () => {
  const { process, lines } = start([() => new Promise<void>(() => undefined)], 20)
  process.emit('SIGTERM')
  await eventually(() => expect(process.codes).toEqual([1]))
  expect(lines).toContain('shutdown timed out')
})
