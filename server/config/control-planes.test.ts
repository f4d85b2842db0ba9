import { expect, test } from 'vitest'
import { ConfigError } from './config-error'
import { readControlPlanes } from './control-planes'

test('reads this control plane and the consoles of others', () => {
  expect(readControlPlanes(undefined)).toEqual([])
  expect(readControlPlanes('staging, prod=https://fleet.example.com/,lab=http://127.0.0.1:3001')).toEqual([
    { name: 'staging' },
    { name: 'prod', url: 'https://fleet.example.com' },
    { name: 'lab', url: 'http://127.0.0.1:3001' },
  ])
})

test.each([
  ['without this one', 'prod=https://fleet.example.com'],
  ['with two of this one', 'staging,prod'],
  ['with a name twice', 'prod,prod=https://fleet.example.com'],
  ['without a name', 'staging,=https://fleet.example.com'],
  ['with an address that is none', 'staging,prod=fleet'],
  ['with a script', 'staging,prod=javascript:alert(1)'],
  ['with a page', 'staging,prod=https://fleet.example.com/workloads'],
  ['with a user', 'staging,prod=https://me@fleet.example.com'],
])('refuses a list %s', (_what, text) => {
  expect(() => readControlPlanes(text)).toThrow(ConfigError)
})
