/** One client must not affect the others. */
import { randomBytes } from 'node:crypto'
import { onTestFinished, describe, expect, test } from 'vitest'
import { cluster } from '@/lib/kube/kinds/cluster'
import { resourceBinding } from '@/lib/kube/kinds/resource-binding'
import { sampleBinding, sampleCluster } from '@/lib/view/project/testing/samples'
import { LIVE_PATH } from '@/lib/view/live'
import type { Authenticator } from '../auth/authenticator'
import { LOCAL_KEY } from '../auth/local'
import { refuse } from '../http/refusal'
import { noBffMetrics } from '../metrics-hooks'
import { eventually, startBff, type TestBff } from '../testing/start-bff'
import { Tap } from '../testing/tap'

const WEB = 'apps~v1/Deployment/demo/web'

async function startFleet(
  deps: Parameters<typeof startBff>[0] = {},
): Promise<TestBff & { tap(...topics: string[]): Tap }> {
  const bff = await startBff(deps)
  bff.informers.of(cluster).put(sampleCluster('m1'))
  bff.informers.of(resourceBinding).put(sampleBinding())
  bff.informers.syncAll()
  const tap = (...topics: string[]): Tap => {
    const created = new Tap(bff.url, {}, topics)
    onTestFinished(() => created.close())
    return created
  }
  return { ...bff, tap }
}

describe('a client that sends garbage', () => {
  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['a text', 'workloads'],
    ['a number', 7],
    ['no topic', {}],
    ['an empty topic', { topic: '' }],
    ['a huge topic', { topic: 'x'.repeat(5000) }],
    ['a position of another kind', { topic: 'workloads', since: { epoch: 1, revision: 'x' } }],
    ['a negative revision', { topic: 'workloads', since: { epoch: 'e', revision: -1 } }],
  ])('is told what is expected when it sends %s', async (_, message) => {
    const { tap } = await startFleet()
    const client = tap('workloads')
    await eventually(() => expect(client.unsettled).toEqual([]))
    client.socket.emit('subscribe', message as never)
    await eventually(() =>
      expect([...client.refused.values()]).toContainEqual(expect.stringContaining('{ topic, since?')),
    )
    expect(client.socket.connected).toBe(true)
  })

  test('is closed when it goes on, with a reason, and other clients are not affected', async () => {
    const { tap, informers } = await startFleet()
    const [bad, good] = [tap(), tap('workloads')]
    await eventually(() => expect([bad.socket.connected, good.unsettled]).toEqual([true, []]))
    for (let at = 0; at < 12; at++) bad.socket.emit('digest', { topic: 'workloads', of: 3, hashes: 'x' } as never)
    await eventually(() => expect(bad.socket.connected).toBe(false))
    expect(bad.goodbyes).toMatchObject([{ reason: 'garbage', final: true }])
    informers.of(resourceBinding).put(sampleBinding({ clusters: { m1: 7 } }))
    await eventually(() => expect(good.entity('workloads', WEB)).toMatchObject({ desired: 7 }))
  })

  test('is refused a topic that names what objects inherit', async () => {
    const { tap } = await startFleet()
    const names = ['constructor', '__proto__', 'toString', 'workload/', 'workload/x', 'queue/x', 'constructor/x']
    const client = tap(...names)
    await eventually(() => expect([...client.refused.keys()].sort()).toEqual(names.toSorted()))
  })
})

test('a client that subscribes to 10,000 topics is closed, without cost for the others', async () => {
  const { tap, informers } = await startFleet()
  const [greedy, good] = [tap(), tap('workloads')]
  await eventually(() => expect([greedy.socket.connected, good.unsettled]).toEqual([true, []]))
  for (let at = 0; at < 10_000; at++)
    greedy.socket.emit('subscribe', { topic: `workload/apps~v1/Deployment/demo/w${at}` })
  await eventually(() => expect(greedy.socket.connected).toBe(false))
  expect(greedy.goodbyes).toMatchObject([{ reason: 'flood', final: true }])
  expect(greedy.refused.size).toBeLessThan(130)
  informers.of(resourceBinding).put(sampleBinding({ clusters: { m1: 9 } }))
  await eventually(() => expect(good.entity('workloads', WEB)).toMatchObject({ desired: 9 }))
})

test('the connections of each user are limited, and so are those of all users together', async () => {
  const { tap } = await startFleet({ limits: { socketsPerUser: 3 } })
  const taps = Array.from({ length: 4 }, () => tap('workloads'))
  await eventually(() => expect(taps.filter(({ unsettled }) => unsettled.length === 0)).toHaveLength(3))
  await eventually(() =>
    expect(taps.flatMap(({ errors }) => errors)).toEqual([expect.stringContaining('3 open pages')]),
  )
  const small = await startFleet({ limits: { sockets: 1 } })
  const first = small.tap('workloads')
  await eventually(() => expect(first.unsettled).toEqual([]))
  const second = small.tap('workloads')
  await eventually(() => expect(second.errors).toHaveLength(1))
})

test('the number of clients that only complete the handshake is limited', async () => {
  const { url } = await startFleet({ limits: { sockets: 2 } })
  const shake = async (): Promise<number> => (await fetch(`${url}${LIVE_PATH}/?EIO=4&transport=polling`)).status
  const answers = [await shake(), await shake(), await shake(), await shake(), await shake()]
  expect(answers).toEqual([200, 200, 200, 200, 403])
})

test('a client that reads nothing is throttled, and the others are served', async () => {
  const counted = { heldBack: 0, stalled: 0 }
  const figures = {
    ...noBffMetrics,
    heldBack: () => {
      counted.heldBack += 1
    },
    stalled: () => {
      counted.stalled += 1
    },
  }
  const { tap, informers } = await startFleet({
    figures,
    limits: { waitingMessages: 1, stalledAfterMs: 300, pingMs: 60_000 },
  })
  const [slow, other] = [tap('workloads'), tap('workloads')]
  await eventually(() => expect([slow, other].flatMap(({ unsettled }) => unsettled)).toEqual([]))
  const { transport } = slow.socket.io.engine as unknown as {
    transport: { ws: { _socket: { pause(): void; resume(): void } } }
  }
  transport.ws._socket.pause()
  onTestFinished(() => void transport.ws._socket.resume())
  let round = 0
  await eventually(async () => {
    round += 1
    const message = `${round} ${randomBytes(600_000).toString('base64')}`
    const condition = {
      type: 'Scheduled',
      status: 'False',
      reason: 'Unschedulable',
      message,
      lastTransitionTime: '2026-11-21T09:00:00Z',
    } as const
    for (let at = 0; at < 4; at++)
      informers.of(resourceBinding).put(sampleBinding({ name: `w${at}`, status: { conditions: [condition] } }))
    const seen = round
    await eventually(
      () =>
        expect(JSON.stringify(other.entity('workloads', 'apps~v1/Deployment/demo/w3')).includes(`"${seen} `)).toBe(
          true,
        ),
      20_000,
    )
    expect(counted.stalled).toBe(1)
  }, 40_000)
  expect(counted.heldBack).toBeGreaterThan(0)
}, 60_000)

describe('the handshake', () => {
  const authenticatorWith = (authenticate: Authenticator['authenticate']): Authenticator => ({
    authenticate,
    onEnded: () => () => undefined,
    addressOf: () => '',
    readOnly: false,
    close: () => undefined,
  })

  test.each<[string, unknown, string]>([
    ['without a login', refuse(401, 'LoginRequired', 'Log in to see this.'), 'Log in to see this.'],
    [
      'with a store that is away',
      refuse(503, 'StoreUnavailable', 'The store is away; try again.'),
      'The store is away; try again.',
    ],
    [
      'that fails unexpectedly',
      new Error('secret detail'),
      'Your identity could not be checked. Retrying automatically.',
    ],
  ])('%s is refused with a sentence', async (_, error, sentence) => {
    const { tap } = await startFleet({ authenticator: authenticatorWith(() => Promise.reject(error as Error)) })
    const client = tap('workloads')
    await eventually(() => expect(client.errors).toEqual([sentence]))
    expect(client.texts).toEqual([])
  })

  test('of a user whose rights cannot be reviewed shows nothing, with the reason', async () => {
    const nowhere = { create: () => Promise.reject(refuse(503, 'Unreachable', 'connection refused')) }
    const { tap } = await startFleet({
      authenticator: authenticatorWith(async () => ({
        identity: { user: 'jane', groups: [] },
        key: 'jane',
        via: 'token',
        client: nowhere as never,
      })),
    })
    const client = tap('workloads')
    await eventually(() => expect(client.texts.join('')).toContain('Your permissions cannot be checked'))
    expect([client.ids('workloads'), client.unsettled]).toEqual([[], ['workloads: stale']])
  })

  test('counts a user once, however many tokens they come with', async () => {
    const nowhere = { create: () => Promise.reject(refuse(503, 'Unreachable', 'connection refused')) }
    let tokens = 0
    const { tap } = await startFleet({
      limits: { socketsPerUser: 1 },
      authenticator: authenticatorWith(async () => ({
        identity: { user: 'robot', groups: [], extra: { token: [`${(tokens += 1)}`] } },
        key: `robot with ${tokens}`,
        via: 'bearer',
        client: nowhere as never,
      })),
    })
    const first = tap('workloads')
    await eventually(() => expect(first.texts.join('')).toContain('Your permissions cannot be checked'))
    const second = tap('workloads')
    await eventually(() => expect(second.errors).toEqual([expect.stringContaining('1 open page')]))
  })

  test('takes no token from the address', async () => {
    const seen: (string | undefined)[] = []
    const { tap } = await startFleet({
      authenticator: authenticatorWith(async (request) => {
        seen.push(request.url)
        return { identity: { user: '', groups: [] }, key: LOCAL_KEY, via: 'local', client: {} as never }
      }),
    })
    const client = tap('workloads')
    await eventually(() => expect(client.unsettled).toEqual([]))
    expect(seen.join()).not.toMatch(/token|auth/i)
  })
})
