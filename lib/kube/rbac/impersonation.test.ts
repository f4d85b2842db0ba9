import fc from 'fast-check'
import { expect, test } from 'vitest'
import { impersonatedValue, impersonationHeaders } from './impersonation'

test.each([
  ['name alone', { user: 'jane', groups: [] }, { 'impersonate-user': ['jane'] }],
  [
    'everything',
    { user: 'jane', uid: 'u', groups: ['a', 'b'], extra: { scopes: ['x', 'y'] } },
    {
      'impersonate-user': ['jane'],
      'impersonate-uid': ['u'],
      'impersonate-group': ['a', 'b'],
      'impersonate-extra-scopes': ['x', 'y'],
    },
  ],
  [
    'the group of all who are known is not asked for',
    { user: 'jane', groups: ['system:authenticated'] },
    { 'impersonate-user': ['jane'] },
  ],
  [
    'the anonymous user keeps its group',
    { user: 'system:anonymous', groups: ['system:unauthenticated'] },
    { 'impersonate-user': ['system:anonymous'], 'impersonate-group': ['system:unauthenticated'] },
  ],
  [
    'keys are escaped byte by byte',
    { user: 'jane', groups: [], extra: { 'Acme.com/Größe %': ['x'] } },
    { 'impersonate-user': ['jane'], 'impersonate-extra-acme.com%2Fgr%C3%B6%C3%9Fe%20%25': ['x'] },
  ],
  [
    'keys that differ in case alone are one',
    { user: 'jane', groups: [], extra: { A: ['x'], a: ['y'] } },
    { 'impersonate-user': ['jane'], 'impersonate-extra-a': ['x', 'y'] },
  ],
])('%s', (_what, identity, headers) => {
  expect(impersonationHeaders(identity)).toEqual(headers)
})

test('every name arrives as it was, or is refused', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 20 }), (user) => {
      let sent: string | undefined
      try {
        sent = impersonationHeaders({ user, groups: [] })['impersonate-user']?.[0]
      } catch (error) {
        expect(error).toMatchObject({ code: 400 })
        return
      }
      // As a header may hold it, and as servers leave it: without spaces at its ends.
      expect(sent).toMatch(/^[ -~\u0080-\u00ff]+$/)
      expect(impersonatedValue(sent?.replace(/^[ \t]+|[ \t]+$/g, '') ?? '')).toBe(user)
    }),
    { seed: 20261121, numRuns: 2000 },
  )
})
