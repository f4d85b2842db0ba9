/** A console at which nobody logs in. */
import { expect, test } from 'vitest'
import { eventually } from '../testing/start-bff'
import { JANE, startLogin } from './testing/start-login'

test('everybody is the console itself, and is told as whom it acts', async () => {
  const started = await startLogin({ settings: { required: false } })
  await eventually(async () => expect(await started.browser().whoAmI()).toMatchObject({
    status: 200, json: { user: 'admin', groups: ['system:masters', 'system:authenticated'], via: 'local', key: 'local' },
  }))
  expect((await started.browser().ask('/api/v1/session')).json).toEqual({
    user: 'admin', groups: ['system:masters'], via: 'local', readOnly: false, canLogout: false, loginWays: [],
  })
  expect((await started.browser().ask('/api/v1/login')).json).toEqual({ required: false, ways: [] })
  expect(await started.browser().logIn('admin-token')).toMatchObject({ status: 405 })
})

test('an API server that does not tell who we are keeps nobody waiting, and is asked again', async () => {
  const first = await startLogin()
  await first.server.close()
  const started = await startLogin({ settings: { required: false, readOnly: true }, beside: first })
  expect(await started.browser().ask('/api/v1/session')).toMatchObject({ status: 200, json: { user: '', readOnly: true } })
  await eventually(() => expect(started.clock.timers).toBeGreaterThan(0))
})

test('whoever brings a token acts as its owner, not as the console', async () => {
  const { browser } = await startLogin({ settings: { required: false } })
  const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })
  expect(await browser().ask('/api/v1/whoami', bearer(JANE.token))).toMatchObject({ status: 200, json: { user: 'jane', via: 'bearer' } })
  expect(await browser().ask('/api/v1/read', bearer(JANE.token))).toMatchObject({ status: 403 })
  expect(await browser().ask('/api/v1/whoami', bearer('wrong'))).toMatchObject({ status: 401, json: { reason: 'TokenInvalid' } })
})
