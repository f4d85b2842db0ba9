import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isLoginProblem, loginAddress, ownPath } from './login'

describe('the way back after a login', () => {
  test.each([
    ['/fleet', '/fleet'],
    ['/workloads?state=held&q=a%20b#row', '/workloads?state=held&q=a%20b#row'],
    ['/loginless', '/loginless'],
    ['/workloads/apps~v1/Deployment/shop/a..b.c', '/workloads/apps~v1/Deployment/shop/a..b.c'],
  ])('%j is kept', (wanted, kept) => expect(ownPath(wanted)).toBe(kept))

  test.each([
    [undefined],
    [null],
    [''],
    ['fleet'],
    ['https://evil.example'],
    ['//evil.example'],
    ['/.//evil.example'],
    ['/fleet/..//evil.example'],
    ['/%2e/login'],
    ['/a//b'],
    ['/fleet/..'],
    ['/\\evil.example'],
    ['/\t/evil.example'],
    ['/\n/evil.example'],
    ['\\\\evil.example'],
    ['javascript:alert(1)'],
    [' /fleet'],
    ['/fleet evil'],
    ['/a\\b'],
    ['/login'],
    ['/login?returnTo=/fleet'],
    ['/api/v1/session'],
    ['/auth/oidc/start'],
    ['/live'],
    [`/${'x'.repeat(2000)}`],
  ])('%j leads to the start', (wanted) => expect(ownPath(wanted)).toBe('/'))

  test('stays within the console for any target', () => {
    const parts = fc.constantFrom(
      '/',
      '\\',
      '.',
      ':',
      '@',
      '?',
      '#',
      '%',
      '\t',
      '\n',
      '\u00a0',
      'evil.example',
      'http',
      'a',
    )
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 12 }), (chosen) => {
        const { origin, pathname } = new URL(ownPath(chosen.join('')), 'https://console.example')
        expect([origin, pathname.startsWith('//')]).toEqual(['https://console.example', false])
      }),
      { seed: 20261121, numRuns: 2000 },
    )
  })

  test('stands in the address of the login page', () => {
    expect(loginAddress('/')).toBe('/login')
    expect(loginAddress('/workloads?q=a&b=c')).toBe('/login?returnTo=%2Fworkloads%3Fq%3Da%26b%3Dc')
    expect(loginAddress('//evil.example', 'stale')).toBe('/login?problem=stale')
  })
})

test.each([
  ['denied', true],
  ['constructor', false],
  ['<script>', false],
  [null, false],
])('the word %j names a problem: %s', (word, isProblem) => expect(isLoginProblem(word)).toBe(isProblem))
