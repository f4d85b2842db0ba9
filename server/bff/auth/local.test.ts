/** A console without login. */
import type { IncomingMessage } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { unreachable } from '@/server/kube/answers'
import { withFaults } from '@/server/testing/faulty-client'
import { eventually } from '../testing/start-bff'
import { createLocalAuthenticator } from './local'
import { JANE, startLogin } from './testing/start-login'

test('every client acts as the console itself, and is told the user and groups of the console', async () => {
  const started = await startLogin({ settings: { required: false } })
  await eventually(async () =>
    expect(await started.browser().whoAmI()).toMatchObject({
      status: 200,
      json: { user: 'admin', groups: ['system:masters', 'system:authenticated'], via: 'local', key: 'local' },
    }),
  )
  expect((await started.browser().ask('/api/v1/session')).json).toEqual({
    user: 'admin',
    groups: ['system:masters'],
    via: 'local',
    readOnly: false,
    canLogout: false,
    loginWays: [],
  })
  expect((await started.browser().ask('/api/v1/login')).json).toEqual({ required: false, ways: [] })
  expect(await started.browser().logIn('admin-token')).toMatchObject({ status: 405 })
})

test('an API server that does not answer keeps no request waiting, and is asked again', async () => {
  const { client, clock } = await startLogin()
  const away = {
    verb: 'create',
    kind: { kind: 'SelfSubjectReview' },
    before: () => {
      throw unreachable(new Error('away'), 'it')
    },
  } as const
  const authenticator = createLocalAuthenticator({ client: withFaults(client, away), clock, readOnly: true })
  onTestFinished(() => authenticator.close())
  const request = {} as IncomingMessage
  expect(await authenticator.authenticate(request)).toMatchObject({ identity: { user: '' }, key: 'local' })
  expect(authenticator.readOnly).toBe(true)
  await eventually(async () => {
    clock.advance(10_000)
    expect(await authenticator.authenticate(request)).toMatchObject({ identity: { user: 'admin' }, key: 'local' })
  })
})

test('a client with a token acts as the owner of the token, not as the console', async () => {
  const { browser } = await startLogin({ settings: { required: false } })
  const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })
  expect(await browser().ask('/api/v1/whoami', bearer(JANE.token))).toMatchObject({
    status: 200,
    json: { user: 'jane', via: 'bearer' },
  })
  expect(await browser().ask('/api/v1/read', bearer(JANE.token))).toMatchObject({ status: 403 })
  expect(await browser().ask('/api/v1/whoami', bearer('wrong'))).toMatchObject({
    status: 401,
    json: { reason: 'TokenInvalid' },
  })
})
