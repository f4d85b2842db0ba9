import { expect, onTestFinished, test } from 'vitest'
import { freshnessOf } from '@/lib/view/live-client'
import { systemClock } from '@/server/runtime/system-clock'
import { createLogger } from '@/server/telemetry/logger'
import { NO_REDIS, redisInstalled, RedisServer } from '@/server/testing/redis-server'
import { openSharing } from '../shared/sharing'
import { eventually, startBff } from '../testing/start-bff'

test.skipIf(!redisInstalled)(
  redisInstalled
    ? 'readers are told that instances cannot reach each other once that has lasted, and when it is over'
    : NO_REDIS,
  async () => {
    const redis = await new RedisServer().start()
    const sharing = await openSharing({
      redis: { url: redis.url },
      controlPlane: 'cp',
      clock: systemClock,
      random: Math.random,
      log: createLogger({ level: 'silent' }),
    })
    onTestFinished(async () => {
      await sharing.close()
      await redis.remove()
    })
    const { read, informers } = await startBff({ sharing, limits: { apartAfterMs: 1000 } })
    informers.syncAll()
    const reader = read('clusters')
    await eventually(() => expect(freshnessOf(reader.state)).toMatchObject({ word: 'Live', apart: undefined }))
    const before = Date.now()
    await redis.kill()
    await eventually(() =>
      expect(freshnessOf(reader.state)).toMatchObject({ word: 'Live', apart: expect.stringMatching(/^20.*Z$/) }),
    )
    expect(Date.now() - before).toBeGreaterThanOrEqual(1000)
    const late = read('clusters')
    await eventually(() =>
      expect(freshnessOf(late.state)).toMatchObject({ word: 'Live', apart: freshnessOf(reader.state).apart }),
    )
    await redis.start()
    await eventually(() => expect(freshnessOf(reader.state)).toMatchObject({ word: 'Live', apart: undefined }))
  },
)
