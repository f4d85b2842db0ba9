import { expect, onTestFinished, test, vi } from 'vitest'
import type { StatusReason } from '@/lib/kube/errors'
import { startEnv } from '@/server/testing/start-env'
import { FaultyProxy } from '@/server/testing/faulty-proxy'
import { systemClock } from '@/server/runtime/system-clock'
import { type ApiServerProbe, startApiServerProbe } from './api-server-probe'
import { createRestClient } from './rest-client'

const eventually = (look: () => void): Promise<void> => vi.waitFor(look, { timeout: 15_000, interval: 10 })

async function start(): Promise<{
  proxy: FaultyProxy
  apiServerProbe: ApiServerProbe
  turns: boolean[]
  asked: () => number
}> {
  const env = await startEnv()
  const proxy = await new FaultyProxy(env.url).start()
  const client = createRestClient({ url: proxy.url, token: env.token })
  let asked = 0
  const counted: typeof client.raw = (...question) => {
    asked += 1
    return client.raw(...question)
  }
  const apiServerProbe = startApiServerProbe({
    client: { raw: counted },
    clock: systemClock,
    everyMs: 20,
    deadlineMs: 1500,
  })
  const turns: boolean[] = []
  apiServerProbe.onChange(() => turns.push(apiServerProbe.silentSince() !== undefined))
  onTestFinished(async () => {
    apiServerProbe.stop()
    proxy.behave()
    await client.close()
    await proxy.stop()
    await env.close()
  })
  return { proxy, apiServerProbe, turns, asked: () => asked }
}

test('a server that takes requests and answers none is silent since it was asked, until it answers', async () => {
  const { proxy, apiServerProbe, turns } = await start()
  const before = Date.now()
  proxy.stopAnswering()
  await eventually(() => expect(turns).toEqual([true]))
  expect(apiServerProbe.silentSince()).toBeGreaterThanOrEqual(before - 100)
  expect(apiServerProbe.silentSince()).toBeLessThan(Date.now() - 1000)
  proxy.behave()
  await eventually(() => expect(turns).toEqual([true, false]))
})

const answers: [code: number, reason: StatusReason][] = [
  [401, 'Unauthorized'],
  [403, 'Forbidden'],
  [429, 'TooManyRequests'],
  [500, 'InternalError'],
  [503, 'ServiceUnavailable'],
]
test.each(answers)('%d is an answer too', async (code, reason) => {
  const { proxy, turns } = await start()
  proxy.refuse({ code, reason, message: 'no' })
  await eventually(() => expect(proxy.asked.length).toBeGreaterThan(5))
  expect(turns).toEqual([])
})

test('a server that is plainly gone is no silence: its watches break by themselves', async () => {
  const { proxy, turns, asked } = await start()
  await proxy.stop()
  const before = asked()
  await eventually(() => expect(asked()).toBeGreaterThan(before + 5))
  expect(turns).toEqual([])
  await proxy.start()
})
