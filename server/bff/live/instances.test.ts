/** Connections of two instances that share a Redis. */
import { describe, expect, onTestFinished, test } from 'vitest'
import { systemClock } from '@/server/runtime/system-clock'
import { createLogger } from '@/server/telemetry/logger'
import { NO_REDIS, redisInstalled, RedisServer } from '@/server/testing/redis-server'
import { createRestClient } from '@/server/kube/rest-client'
import type { Ended, Authenticator } from '../auth/authenticator'
import { openSharing } from '../shared/sharing'
import { eventually, startBff } from '../testing/start-bff'

/** Accepts each client under the session that it names. Only the test ends sessions; other instances end none here. */
function fixedAuthenticator(): { authenticator: Authenticator; end: (ended: Ended) => void } {
  const handlers = new Set<(ended: Ended) => void>()
  const client = createRestClient({ url: 'http://127.0.0.1:9', token: 'none' })
  const authenticator: Authenticator = {
    authenticate: async ({ headers }) => {
      const id = String(headers['x-session'])
      return {
        identity: { user: id, groups: [] },
        key: `user-of-${id}`,
        via: 'local',
        session: { id, expiresAt: Infinity },
        client,
      }
    },
    onEnded: (handler) => {
      handlers.add(handler)
      return () => void handlers.delete(handler)
    },
    addressOf: () => '',
    readOnly: false,
    close: () => undefined,
  }
  return {
    authenticator,
    end: (ended) => {
      for (const handler of handlers) handler(ended)
    },
  }
}

async function twoInstances() {
  const redis = await new RedisServer().start()
  onTestFinished(() => redis.remove())
  const start = async () => {
    const sharing = await openSharing({
      redis: { url: redis.url },
      controlPlane: 'cp',
      clock: systemClock,
      random: Math.random,
      log: createLogger({ level: 'silent' }),
    })
    onTestFinished(() => sharing.close())
    const { authenticator, end } = fixedAuthenticator()
    const started = await startBff({ sharing, authenticator })
    started.informers.syncAll()
    const connect = async (session: string) => {
      const { socket } = started.read('clusters', { headers: { 'x-session': session } })
      await eventually(() => expect(socket.connected).toBe(true))
      return socket
    }
    return { ...started, end, connect }
  }
  return { one: await start(), two: await start(), redis, start }
}

const ended = (session: string): Ended => ({ sessionId: session, why: 'loggedOut', message: 'You logged out.' })

describe.skipIf(!redisInstalled)(redisInstalled ? 'two instances' : NO_REDIS, () => {
  test('a session that ends on one is disconnected on the other, also without further messages; other sessions stay', async () => {
    const { one, two } = await twoInstances()
    const [mine, theirs, other] = [await one.connect('jane'), await two.connect('jane'), await two.connect('joe')]
    let cuts = 0
    theirs.on('disconnect', () => {
      cuts += 1
    })
    one.end(ended('jane'))
    await eventually(() => expect([mine.connected, cuts]).toEqual([false, 1]))
    expect(other.connected).toBe(true)
  })

  test('all sessions of a user end together', async () => {
    const { one, two } = await twoInstances()
    const [theirs, other] = [await two.connect('jane'), await two.connect('joe')]
    one.end({ key: 'user-of-jane', why: 'revoked', message: 'Ended by an administrator.' })
    await eventually(() => expect(theirs.connected).toBe(false))
    expect(other.connected).toBe(true)
  })

  test('what ended while Redis was away is cut once it is back', async () => {
    const { one, two, redis } = await twoInstances()
    const [mine, theirs] = [await one.connect('jane'), await two.connect('jane')]
    await redis.kill()
    one.end(ended('jane'))
    await eventually(() => expect(mine.connected).toBe(false))
    expect(theirs.connected).toBe(true)
    await redis.start()
    await eventually(() => expect(theirs.connected).toBe(false))
  })

  test('an instance that leaves takes only its own connections along', async () => {
    const { one, two, start } = await twoInstances()
    const third = await start()
    const [mine, theirs, last] = [await one.connect('jane'), await two.connect('jane'), await two.connect('joe')]
    let cuts = 0
    theirs.on('disconnect', () => {
      cuts += 1
    })
    one.bff.sendAway()
    one.bff.close()
    await eventually(() => expect(mine.connected).toBe(false))
    // Messages of a third instance come after those of the first.
    third.end(ended('joe'))
    await eventually(() => expect(last.connected).toBe(false))
    expect([cuts, theirs.connected]).toEqual([0, true])
  })
})
