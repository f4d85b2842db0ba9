/** One session on two instances: valid on both, ended on both, also when the Redis between them was away; and an action is done once. */
import { randomUUID } from 'node:crypto'
import { TestReader } from '@/server/bff/testing/live-client'
import { dynamicWeight, member, workload } from './scenarios/members'
import { expectPlaced } from './support/binding'
import { say } from './support/say'
import { expect, test } from './support/fixtures'
import { startMembers } from './support/members'
import { type Instances, NO_REDIS, startInstances } from './support/instances'
import type { Kubectl } from './support/kubectl'

test.skip(NO_REDIS !== undefined, NO_REDIS)
test.use({ flags: ['--no-demo', '--only=apiserver'] })

/** Both instances get the same one, as a chart gives it. */
const SECRET = 'a secret of forty characters for sessions'

interface Answer {
  status: number
  json: Record<string, unknown>
  replayed: boolean
}

/** A browser whose requests go to the instance that the test names. */
class Visitor {
  #cookies = ''

  constructor(private readonly instances: Instances) {}

  get headers(): Record<string, string> {
    return { cookie: this.#cookies, origin: this.instances.url }
  }

  async ask(
    index: number,
    path: string,
    { method = 'GET', body, headers = {} }: { method?: string; body?: unknown; headers?: Record<string, string> } = {},
  ): Promise<Answer> {
    this.instances.only(index)
    const answer = await fetch(this.instances.url + path, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body) }),
      // Every request uses its own connection, so that it reaches the chosen instance.
      headers: { 'content-type': 'application/json', connection: 'close', ...this.headers, ...headers },
    })
    const told = answer.headers.getSetCookie().map((cookie) => cookie.split(';', 1)[0])
    if (told.length > 0) this.#cookies = told.join('; ')
    return {
      status: answer.status,
      json: (await answer.json()) as Record<string, unknown>,
      replayed: answer.headers.has('idempotency-replayed'),
    }
  }

  /** The same cookies in another browser, independent of this one. */
  copy(): Visitor {
    const copy = new Visitor(this.instances)
    copy.#cookies = this.#cookies
    return copy
  }

  /** Follows the clusters on that instance. */
  async follow(index: number): Promise<TestReader> {
    this.instances.only(index)
    const reader = new TestReader(this.instances.url, 'clusters', { headers: this.headers })
    await expect.poll(() => reader.state.phase).toBe('live')
    return reader
  }
}

const adminToken = async (kubectl: Kubectl): Promise<string> =>
  (await kubectl.json<{ users: { name: string; user: { token: string } }[] }>(['config', 'view', '--raw'])).users.find(
    ({ name }) => name === 'admin',
  )?.user.token ?? ''

async function start(kubeconfig: string): Promise<Instances> {
  return startInstances({
    kubeconfig,
    flags: ['--login=required', '--reconcilers=all'],
    env: { EVENKEEL_SESSION_SECRET: SECRET },
  })
}

test('a session counts on every instance, and ends on all of them within a second', async ({ product, kubectl }) => {
  const instances = await start(product.kubeconfig)
  const readers: TestReader[] = []
  try {
    const jane = new Visitor(instances)
    expect(await jane.ask(0, '/api/v1/session')).toMatchObject({ status: 401 })
    expect(
      await jane.ask(0, '/api/v1/session', { method: 'POST', body: { token: await adminToken(kubectl) } }),
    ).toMatchObject({ status: 201 })
    expect(await jane.ask(1, '/api/v1/session')).toMatchObject({ status: 200, json: { user: 'admin' } })
    readers.push(await jane.follow(0), await jane.follow(1))
    await instances.kill(0)
    expect(await jane.ask(1, '/api/v1/session')).toMatchObject({ status: 200 })
    await instances.start(0)
    expect(await jane.ask(0, '/api/v1/session')).toMatchObject({ status: 200 })

    const stolen = jane.copy()
    instances.only(1)
    await expect.poll(() => readers.map(({ state }) => state.phase)).toEqual(['live', 'live'])
    expect(await jane.ask(0, '/api/v1/session', { method: 'DELETE' })).toMatchObject({ status: 200 })
    await expect.poll(() => readers.map(({ socket }) => socket.connected)).toEqual([false, false])
    expect(readers.map((reader) => reader.messages('goodbye'))).toMatchObject([
      [{ reason: 'loggedOut', final: true }],
      [{ reason: 'loggedOut', final: true }],
    ])
    for (const index of [0, 1])
      expect(await stolen.ask(index, '/api/v1/session')).toMatchObject({
        status: 401,
        json: { reason: 'SessionRevoked' },
      })

    // The machine may be busy for a moment, but not every time.
    await expect(async () => {
      const joe = new Visitor(instances)
      await joe.ask(0, '/api/v1/session', { method: 'POST', body: { token: await adminToken(kubectl) } })
      const both = [await joe.follow(0), await joe.follow(1)]
      readers.push(...both)
      const begun = performance.now()
      expect(await joe.ask(0, '/api/v1/session', { method: 'DELETE' })).toMatchObject({ status: 200 })
      await expect.poll(() => both.map(({ socket }) => socket.connected), { intervals: [20] }).toEqual([false, false])
      expect(performance.now() - begun).toBeLessThan(1_000)
    }).toPass({ timeout: 60_000 })
  } finally {
    for (const reader of readers) reader.close()
    await instances.close()
  }
})

test('an action that reaches both instances under one key is done once', async ({ product, kubectl }) => {
  const instances = await start(product.kubeconfig)
  try {
    await startMembers(kubectl, 'member1')
    await kubectl.apply(workload({ name: 'web', replicas: 2, placement: dynamicWeight }))
    await expectPlaced(kubectl, 'web', { member1: 2 })
    // With a second cluster a rebalance has moves.
    await startMembers(kubectl, 'member2')
    const jane = new Visitor(instances)
    await jane.ask(0, '/api/v1/session', { method: 'POST', body: { token: await adminToken(kubectl) } })
    const targets = [{ apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'default', name: 'web' }]
    const preview = async (index: number) =>
      (await jane.copy().ask(index, '/api/v1/rebalance-previews', { method: 'POST', body: { targets } })).json
    for (const index of [0, 1])
      await expect.poll(() => preview(index), { timeout: 60_000 }).toMatchObject({ totals: { moving: 1 } })
    const { base } = await preview(0)
    const key = randomUUID()
    const send = (index: number) =>
      jane
        .copy()
        .ask(index, '/api/v1/rebalancers', {
          method: 'POST',
          body: { targets, base },
          headers: { 'idempotency-key': key },
        })
    const answers = await Promise.all([send(0), send(1), send(0), send(1)])
    const done = answers.filter(({ status }) => status === 201)
    expect(done.length).toBeGreaterThan(0)
    expect(answers.filter(({ status }) => status !== 201).map(({ json }) => json.reason)).toEqual(
      Array.from({ length: 4 - done.length }, () => 'StillRunning'),
    )
    expect(done.filter(({ replayed }) => !replayed)).toHaveLength(1)
    const later = await send(1)
    expect(later).toMatchObject({ status: 201, replayed: true, json: done[0]?.json })
    expect((await kubectl.json<{ items: unknown[] }>(['get', 'workloadrebalancers'])).items).toHaveLength(1)
  } finally {
    await instances.close()
  }
})

test('while Redis is unavailable sessions continue and the page shows it; sessions ended meanwhile end everywhere afterwards', async ({
  product,
  kubectl,
  page,
}) => {
  const instances = await start(product.kubeconfig)
  const readers: TestReader[] = []
  try {
    await kubectl.apply(member('member1'))
    const jane = new Visitor(instances)
    await jane.ask(0, '/api/v1/session', { method: 'POST', body: { token: await adminToken(kubectl) } })
    readers.push(await jane.follow(0), await jane.follow(1))
    const stolen = jane.copy()
    instances.only(1)
    const cookie = jane.headers.cookie ?? ''
    await page
      .context()
      .addCookies(
        cookie
          .split('; ')
          .map((pair) => ({
            name: pair.slice(0, pair.indexOf('=')),
            value: pair.slice(pair.indexOf('=') + 1),
            url: instances.url,
          })),
      )
    await page.goto(`${instances.url}/clusters`)
    await expect(page.getByRole('link', { name: 'member1' }).first()).toBeVisible()

    await instances.redis.kill()
    await expect(page.getByTestId('stale-banner')).toContainText(
      say()('shell.freshness.apart', { time: '|' }).split('|')[1]!,
    )
    await expect(page.locator('[data-freshness]')).toHaveAttribute('data-freshness', 'Live')
    expect(await jane.ask(1, '/api/v1/session')).toMatchObject({ status: 200 })
    expect(await jane.ask(0, '/api/v1/session', { method: 'DELETE' })).toMatchObject({ status: 200 })
    expect(await stolen.ask(0, '/api/v1/session')).toMatchObject({ status: 401 })
    expect(await stolen.ask(1, '/api/v1/session')).toMatchObject({ status: 200 })
    await expect.poll(() => readers.map(({ socket }) => socket.connected)).toEqual([false, true])

    instances.only(1)
    await instances.redis.start()
    await expect.poll(() => readers[1]?.socket.connected).toBe(false)
    await expect
      .poll(() => stolen.ask(1, '/api/v1/session'))
      .toMatchObject({ status: 401, json: { reason: 'SessionRevoked' } })
    await expect(page).toHaveURL(/\/login/)
  } finally {
    for (const reader of readers) reader.close()
    await instances.close()
  }
})
