import { english } from '@/lib/messages/english'
import type { IncomingMessage } from 'node:http'
import { describe, expect, test } from 'vitest'
import { foreignRequest, namesOf } from './guard'

const names = namesOf(['localhost', '[::1]', 'Inner.example:8080', 'https://fleet.example', 'not a host'])
const asked = (host: string | undefined, origin?: string) =>
  foreignRequest({ headers: { host, origin } } as IncomingMessage, names)

test('names are known by what stands before the port', () => {
  expect([...names]).toEqual([
    ['localhost', undefined],
    ['::1', undefined],
    ['inner.example', undefined],
    ['fleet.example', 'https:'],
  ])
})

describe('a request is one of ours', () => {
  test.each<[string, string | undefined]>([
    ['localhost:3000', undefined],
    ['LOCALHOST:3000', 'http://localhost:3000'],
    ['localhost:3000', 'https://localhost:3000'],
    ['[::1]:3000', 'http://[::1]:3000'],
    ['inner.example', 'http://inner.example'],
    ['fleet.example', 'https://fleet.example'],
    ['fleet.example', undefined],
  ])('under %s from %s', (host, origin) => {
    expect(asked(host, origin)).toBeUndefined()
  })
})

describe('a request is foreign', () => {
  test.each<[string | undefined, string | undefined, string]>([
    [undefined, undefined, 'host name “”'],
    ['evil.example', undefined, 'Use one of: localhost, ::1, inner.example, fleet.example.'],
    ['localhost:3000', 'http://localhost:3001', 'origin'],
    ['localhost:3000', 'http://evil.example', 'origin'],
    ['localhost:3000', 'null', 'origin'],
    ['localhost:3000', '', 'origin'],
    ['localhost:3000', 'chrome-extension://localhost:3000', 'origin'],
    ['localhost:3000', 'http://localhost:3000@evil.example', 'origin'],
    // What an attacker on plain http may have written.
    ['fleet.example', 'http://fleet.example', 'origin'],
  ])('under %s from %s', (host, origin, why) => {
    expect(english.of(asked(host, origin)!)).toContain(why)
  })
})
