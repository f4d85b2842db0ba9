/**
 * Faults of an API server, seen from a browser: shown data stays, the page gives the reason for stale data, and
 * recovers.
 */
import { describe, expect, onTestFinished, test } from 'vitest'
import { describeFreshness, describeTrouble } from '@/components/hooks/freshness'
import type { StatusReason } from '@/lib/kube/errors'
import { english } from '@/lib/messages/english'
import { freshnessOf } from '@/lib/view/live-client'
import { createInformers } from '@/server/kube/informers'
import { startApiServerProbe } from '@/server/kube/api-server-probe'
import { createRestClient } from '@/server/kube/rest-client'
import { systemClock } from '@/server/runtime/system-clock'
import { type Env, startEnv } from '@/server/testing/start-env'
import { FaultyProxy } from '@/server/testing/faulty-proxy'
import type { TestReader } from './testing/live-client'
import { eventually, startBff } from './testing/start-bff'

interface Seen {
  env: Env
  proxy: FaultyProxy
  reader: TestReader
  /** What every `freshness` said, in its order, each once. */
  words(): string[]
  /** Times at which shown data disappeared. */
  emptied(): number
}

/** A browser that looks at one cluster, through a console, over a way on which things can go wrong. */
async function look(): Promise<Seen> {
  const env = await startEnv()
  await env.createCluster('member1')
  const proxy = await new FaultyProxy(env.url).start()
  const client = createRestClient({ url: proxy.url, token: env.token })
  const onError = (error: unknown): never => {
    throw error
  }
  const informers = createInformers({
    client,
    clock: systemClock,
    random: Math.random,
    onError,
    backoff: { baseMs: 20, maxMs: 100 },
  })
  const apiServerProbe = startApiServerProbe({ client, clock: systemClock, everyMs: 50, deadlineMs: 1500 })
  onTestFinished(async () => {
    apiServerProbe.stop()
    proxy.behave()
    await informers.stop()
    await client.close()
    await proxy.stop()
    await env.close()
  })
  const { read } = await startBff({ client, informers, apiServerProbe })
  const reader = read('clusters')
  await eventually(() =>
    expect([freshnessOf(reader.state).word, Object.keys(reader.held)]).toEqual(['Live', ['member1']]),
  )
  const seen = watchReader(reader)
  return { env, proxy, reader, ...seen }
}

function watchReader(reader: TestReader): Pick<Seen, 'words' | 'emptied'> {
  const words: string[] = []
  let emptied = 0
  reader.socket.onAny(() => {
    const { word } = freshnessOf(reader.state)
    if (words.at(-1) !== word) words.push(word)
    if (reader.state.entities.size === 0) emptied += 1
  })
  return { words: () => words, emptied: () => emptied }
}

/** What happens meanwhile is shown once all is well, and nothing was ever taken away. */
async function recovers({ env, reader, emptied }: Seen): Promise<void> {
  await eventually(() => expect(freshnessOf(reader.state).word).toBe('Live'))
  await eventually(() => expect(Object.keys(reader.held).sort()).toEqual(['member1', 'member2']))
  expect(emptied()).toBe(0)
  expect((await env.client.raw('GET', '/version')).status).toBe(200)
}

interface Trouble {
  name: string
  begin(proxy: FaultyProxy): void | Promise<void>
  end(proxy: FaultyProxy): void | Promise<void>
  says: RegExp
}

const refusing = (code: number, reason: StatusReason, says: RegExp): Trouble => ({
  name: `answers ${code} ${reason}`,
  begin: (proxy) =>
    proxy.refuse({
      code,
      reason,
      message: 'User "console" at 10.1.2.3 is not welcome',
      ...(code === 429 && { retryAfterSeconds: 1 }),
    }),
  end: (proxy) => proxy.behave(),
  says,
})

const troubles: Trouble[] = [
  refusing(401, 'Unauthorized', /rejects the credentials.*renew them/),
  refusing(403, 'Forbidden', /lacks permission to read.*grant it again/),
  refusing(404, 'NotFound', /no longer serves/),
  refusing(429, 'TooManyRequests', /overloaded and asked Evenkeel to wait/),
  refusing(500, 'InternalError', /control plane failed \(500\)/),
  refusing(503, 'ServiceUnavailable', /control plane failed \(503\)/),
  {
    name: 'answers nonsense',
    says: /invalid response/,
    begin: (proxy) => proxy.sendGarbage('<html><body>Sign in to the proxy</body></html>'),
    end: (proxy) => proxy.behave(),
  },
  {
    name: 'hangs',
    begin: (proxy) => proxy.stopAnswering(),
    end: (proxy) => proxy.behave(),
    says: /accepts requests but does not respond/,
  },
  {
    name: 'is gone',
    begin: (proxy) => proxy.stop(),
    end: async (proxy) => void (await proxy.start()),
    says: /does not respond \(connection refused\)/,
  },
]

describe('an API server that', () => {
  test.each(troubles)('$name', async ({ begin, end, says }) => {
    const seen = await look()
    const { env, proxy, reader } = seen
    await begin(proxy)
    await eventually(() =>
      expect(freshnessOf(reader.state)).toMatchObject({
        word: 'Stale',
        since: expect.any(String),
        error: expect.stringMatching(says),
      }),
    )
    const now = Date.now()
    expect(
      describeFreshness(english, { view: freshnessOf(reader.state), pause: { paused: false, held: 0 }, now }).detail,
    ).toMatch(says)
    expect(describeTrouble(english, freshnessOf(reader.state), true)?.sentence).toMatch(
      /This page shows data from \d\d:\d\d.* UTC\. Retrying automatically\.$/,
    )
    expect(freshnessOf(reader.state).error).not.toMatch(/10\.1\.2\.3|127\.0\.0\.1/)
    expect(Object.keys(reader.held)).toEqual(['member1'])
    await env.createCluster('member2')
    await end(proxy)
    await recovers(seen)
    expect(seen.words()).toContain('Stale')
  })

  test('forgets its history (410): the page goes on without a word', async () => {
    const seen = await look()
    seen.proxy.expireWatches()
    await seen.env.createCluster('member2')
    await recovers(seen)
    expect(seen.words()).not.toContain('Stale')
  })

  test('answers 410 for a while says so too', async () => {
    const seen = await look()
    seen.proxy.refuse({ code: 410, reason: 'Expired', message: 'too old' })
    await eventually(() => expect(freshnessOf(seen.reader.state).error).toMatch(/watch expired \(410\)/))
    expect(Object.keys(seen.reader.held)).toEqual(['member1'])
    await seen.env.createCluster('member2')
    seen.proxy.behave()
    await recovers(seen)
  })

  test('goes from one trouble to the next: the sentence follows', async () => {
    const { proxy, reader } = await look()
    const says = (sentence: RegExp) => eventually(() => expect(freshnessOf(reader.state).error).toMatch(sentence))
    proxy.refuse({ code: 500, reason: 'InternalError', message: 'no' })
    await says(/\(500\)/)
    proxy.refuse({ code: 401, reason: 'Unauthorized', message: 'no' })
    await says(/renew/)
    await proxy.stop()
    await says(/connection refused/)
    await proxy.start()
    proxy.sendGarbage('<html>no</html>')
    await says(/invalid response/)
    proxy.behave()
    await eventually(() => expect(freshnessOf(reader.state).word).toBe('Live'))
  })
})
