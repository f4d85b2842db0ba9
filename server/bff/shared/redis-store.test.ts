import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, onTestFinished } from 'vitest'
import { systemClock } from '@/server/runtime/system-clock'
import { NO_REDIS, redisInstalled, RedisServer } from '@/server/testing/redis-server'
import { openRedisStore } from './redis-store'
import { storeSuite } from './store-suite'

let tests = 0

describe.skipIf(!redisInstalled)(redisInstalled ? 'a Redis' : NO_REDIS, () => {
  const redis = new RedisServer()
  beforeAll(() => redis.start())
  afterAll(() => redis.remove())

  storeSuite('in a Redis', async () => {
    const errors: unknown[] = []
    const prefix = `test-${tests++}:`
    const open = () =>
      openRedisStore({
        url: redis.url,
        prefix,
        clock: systemClock,
        random: Math.random,
        onError: (error) => errors.push(error),
      })
    const [store, other] = await Promise.all([open(), open()])
    onTestFinished(async () => {
      await Promise.all([store.close(), other.close()])
    })
    return { store, other, errors, elapse: (ms) => sleep(ms + 20) }
  })
})
