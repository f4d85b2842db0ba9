import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { lease as leaseKind } from '@/lib/kube/kinds/lease'
import { type Env, startEnv } from '@/server/testing/start-env'
import type { KubeClient } from './client'
import { fencedClient } from './fenced-client'
import { type Election, type Fence, startElection } from './leases'
import { createRestClient, type RestClient } from './rest-client'

let env: Env
const elections: Election[] = []
const clients: RestClient[] = []

beforeEach(async () => {
  env = await startEnv()
})
afterEach(async () => {
  await Promise.all(elections.splice(0).map((election) => election.stop()))
  await Promise.all(clients.splice(0).map((client) => client.close()))
  await env.close()
})

interface Runner {
  election: Election
  /** What happened, as `lead <term>` and `lost`. */
  log: string[]
  fence?: Fence
  /** Cuts this candidate off from the server. */
  cutOff(): Promise<void>
}

function runFor(identity: string): Runner {
  const client = createRestClient({ url: env.url, token: env.token })
  clients.push(client)
  const runner: Runner = { log: [], election: undefined as unknown as Election, cutOff: () => client.close() }
  runner.election = startElection(
    {
      client,
      clock: env.clock,
      random: () => 0,
      namespace: 'default',
      name: 'loop',
      identity,
      onError: () => undefined,
    },
    {
      onLead(fence) {
        runner.fence = fence
        runner.log.push(`lead ${fence.term}`)
      },
      onLost: () => void runner.log.push('lost'),
    },
  )
  elections.push(runner.election)
  return runner
}

const holder = async (): Promise<string | undefined> =>
  (await env.client.get(leaseKind, { namespace: 'default', name: 'loop' })).spec?.holderIdentity

describe('leader election', () => {
  test('makes exactly one of several candidates the leader and keeps it while it renews', async () => {
    const runners = ['a', 'b', 'c'].map(runFor)
    await env.eventually(() => expect(runners.filter(({ election }) => election.isLeader())).toHaveLength(1), {
      flowMs: 0,
    })
    for (let second = 2; second <= 60; second += 2) {
      await env.advance(2000)
      await env.eventually(
        async () => {
          const { spec } = await env.client.get(leaseKind, { namespace: 'default', name: 'loop' })
          expect(Date.parse(spec?.renewTime ?? '')).toBe(env.clock.now())
        },
        { flowMs: 0 },
      )
    }
    expect(runners.flatMap(({ log }) => log)).toEqual(['lead 0'])
  })

  test('hands over at once when the leader stops, in a later term', async () => {
    const first = runFor('a')
    await env.eventually(() => expect(first.election.isLeader()).toBe(true))
    const second = runFor('b')
    await env.eventually(() => expect(second.election.holder()).toBe('a'))
    await first.election.stop()
    expect(first.log).toEqual(['lead 0', 'lost'])
    await env.eventually(() => expect(second.log).toEqual(['lead 1']))
    expect(await holder()).toBe('b')
    expect(first.fence?.isHeld()).toBe(false)
  })

  test('ends leadership that cannot be renewed before another candidate may begin', async () => {
    const first = runFor('a')
    await env.eventually(() => expect(first.election.isLeader()).toBe(true))
    const second = runFor('b')
    await env.eventually(() => expect(second.election.holder()).toBe('a'))
    await first.cutOff()
    await env.eventually(
      () => {
        expect(first.election.isLeader() && second.election.isLeader()).toBe(false)
        expect(second.election.isLeader()).toBe(true)
      },
      { flowMs: 200 },
    )
    expect(first.log).toEqual(['lead 0', 'lost'])
  })

  test('leaves a leader its lease though a clock is set forth, and takes it no later though one is set back', async () => {
    const [first, second] = [runFor('a'), runFor('b')]
    await env.eventually(() => expect([first, second].map(({ log }) => log)).toEqual([['lead 0'], []]))
    await env.eventually(() => expect(second.election.holder()).toBe('a'))
    env.clock.set(3_600_000)
    await env.eventually(
      () => expect([first, second].map(({ election }) => election.isLeader())).toEqual([true, false]),
      { flowMs: 200 },
    )
    expect(second.log).toEqual([])
    env.clock.set(-7_200_000)
    await first.cutOff()
    await env.advance(9_000)
    expect(first.election.isLeader()).toBe(true)
    await env.advance(1_000)
    expect(first.election.isLeader()).toBe(false)
    await env.eventually(() => expect(second.election.isLeader()).toBe(true), { flowMs: 200 })
  })

  test('a renewal is a single write until another client changes or deletes the lease', async () => {
    let reads = 0
    const client = new Proxy<KubeClient>(env.client, {
      get: (target, name: keyof KubeClient) => (name === 'get' && reads++, target[name].bind(target)),
    })
    const log: string[] = []
    const at = { namespace: 'default', name: 'own' }
    const election = startElection(
      { client, clock: env.clock, random: () => 0, ...at, identity: 'a', onError: (error) => log.push(String(error)) },
      { onLead: ({ term }) => void log.push(`lead ${term}`), onLost: () => void log.push('lost') },
    )
    elections.push(election)
    const renewed = async (): Promise<string | undefined> => (await env.client.get(leaseKind, at)).spec?.renewTime
    await env.eventually(() => expect(election.isLeader()).toBe(true), { flowMs: 0 })
    const before = reads
    for (let second = 0; second < 20; second += 2) await env.advance(2000)
    const then = await renewed()
    expect(reads).toBe(before)
    await env.client.patch(leaseKind, at, { type: 'merge', value: { metadata: { labels: { seen: 'yes' } } } })
    await env.advance(2000)
    await env.eventually(async () => expect(await renewed()).not.toBe(then), { flowMs: 0 })
    expect(reads).toBe(before + 1)
    await env.client.delete(leaseKind, at)
    await env.advance(2000)
    await env.eventually(async () => expect(await renewed()).not.toBe(then), { flowMs: 0 })
    expect(election.isLeader()).toBe(true)
    expect(log).toEqual(['lead 0'])
  })

  test('counts leadership as lost from the deadline on, even before a timer could tell', async () => {
    const time = { now: 0, elapsed: 0 }
    const frozen = { now: () => time.now, elapsed: () => time.elapsed, after: () => () => undefined }
    const client: KubeClient = env.client
    const fence = await new Promise<Fence>((resolve) => {
      elections.push(
        startElection(
          {
            client,
            clock: frozen,
            random: () => 0,
            namespace: 'default',
            name: 'other',
            identity: 'a',
            onError: () => undefined,
          },
          { onLead: resolve, onLost: () => undefined },
        ),
      )
    })
    const fenced = fencedClient(client, () => fence.isHeld())
    Object.assign(time, { now: 9_999, elapsed: 9_999 })
    expect(fence.isHeld()).toBe(true)
    Object.assign(time, { now: -3_600_000, elapsed: 10_000 })
    expect(fence.isHeld()).toBe(false)
    // A machine that slept.
    Object.assign(time, { now: 10_000, elapsed: 5_000 })
    expect(fence.isHeld()).toBe(false)
    await expect(fenced.delete(leaseKind, { namespace: 'default', name: 'other' })).rejects.toMatchObject({ code: 409 })
    await expect(fenced.get(leaseKind, { namespace: 'default', name: 'other' })).resolves.toBeDefined()
  })
})
