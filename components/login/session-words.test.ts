import { expect, test } from 'vitest'
import type { SessionView } from '@/lib/view/login'
import { english } from '@/lib/messages/english'
import { describeEnd, shortName } from './session-words'

const session: SessionView = { user: 'jane', groups: [], via: 'token', readOnly: false, canLogout: true, loginWays: [] }
const now = Date.parse('2026-01-01T10:00:00Z')

test.each([
  ['jane', 'jane'],
  ['https://login.example#248289761001', '248289761001'],
  ['system:serviceaccount:shop:robot', 'system:serviceaccount:shop:robot'],
  ['', ''],
])('%s is called %s', (user, short) => {
  expect(shortName(user)).toBe(short)
})

test('the end of a session is told with both of its reasons, and not at all where there is none', () => {
  expect(describeEnd(english, session, now)).toBeUndefined()
  const ending = { ...session, expiresAt: now + 5_400_000 }
  expect(describeEnd(english, ending, now)).toBe('Ends in 1 h 30 m, at 2026-01-01 11:30:00 UTC.')
  expect(describeEnd(english, { ...ending, idle: { timeoutMs: 1_800_000, renewEveryMs: 300_000 } }, now)).toBe(
    'Ends in 1 h 30 m, at 2026-01-01 11:30:00 UTC, or after 30 m of inactivity.',
  )
})
