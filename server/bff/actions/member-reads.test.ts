import { expect, test } from 'vitest'
import { createFakeClock } from '@/lib/testing/fake-clock'
import type { KubeClient } from '@/server/kube/client'
import { inMember, readInMember } from './member-reads'

/** Takes requests, and answers when they are aborted at the earliest. */
function silentMember() {
  const signals: AbortSignal[] = []
  const client = {
    raw: (_method: string, _path: string, _body: unknown, signal: AbortSignal) => {
      signals.push(signal)
      return new Promise(() => undefined)
    },
  } as unknown as KubeClient
  return { client, signals }
}

test('a member that hangs is reported as unresponsive after five seconds, and the request is ended', async () => {
  const clock = createFakeClock()
  const { client, signals } = silentMember()
  const answer = readInMember({ cluster: 'm1', client, clock }, '/api/v1/nodes').catch((error: unknown) => error)
  clock.advance(4_999)
  expect(signals.map(({ aborted }) => aborted)).toEqual([false])
  clock.advance(1)
  expect(await answer).toMatchObject({
    status: 504,
    reason: 'Timeout',
    detail: { code: 'api.refused.memberSilent', args: { cluster: 'm1' } },
  })
  expect(signals.map(({ aborted }) => aborted)).toEqual([true])
})

test('a member that answers is not ended later', async () => {
  const clock = createFakeClock()
  const abort = new AbortController()
  const reader = { cluster: 'm1', client: silentMember().client, clock }
  expect(await inMember(reader, () => Promise.resolve('answer'), abort)).toBe('answer')
  clock.advance(60_000)
  expect(abort.signal.aborted).toBe(false)
})
