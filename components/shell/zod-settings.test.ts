import { expect, onTestFinished, test } from 'vitest'
import { config } from 'zod/v4/core'

test('schemas in the browser are not compiled, because the policy of the pages allows no code from texts', async () => {
  const before = config().jitless
  onTestFinished(() => void config({ jitless: before }))
  await import('@/instrumentation-client' as string)
  expect(config().jitless).toBe(true)
})
