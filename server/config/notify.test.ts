import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readNotify } from './notify'

function fileWith(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'notify-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'notify.yaml')
  writeFileSync(file, text)
  return file
}

const read = (text: string) => readNotify(fileWith(text))

test('without a file there are no receivers', () => {
  expect(readNotify(undefined)).toBeUndefined()
})

test('names every receiver with its defaults, and its files relative to the configuration', () => {
  const file = fileWith(`
receivers:
  - { name: pager, type: webhook, url: "https://pager.example/in", bearerTokenFile: token, timeout: 500ms }
  - { name: am, type: alertmanager, url: "http://am:9093", caFile: /etc/ca.crt, labels: { env: prod } }
`)
  expect(readNotify(file)?.receivers).toMatchObject([
    {
      name: 'pager',
      kinds: ['cluster', 'failover', 'application', 'plan'],
      timeout: 500,
      giveUpAfter: 3_600_000,
      queueLimit: 1000,
      requested: true,
      bearerTokenFile: join(file, '..', 'token'),
    },
    { name: 'am', caFile: '/etc/ca.crt', labels: { env: 'prod' } },
  ])
})

test.each([
  ['receivers: [', 'not YAML'],
  ['', '.:'],
  ['receivers: [{ name: a, type: email, url: "http://x" }]', 'receivers.0.type:'],
  ['receivers: [{ name: A, type: webhook, url: "http://x" }]', 'receivers.0.name:'],
  ['receivers: [{ name: a, type: webhook, url: "ftp://s3cret.example" }]', 'receivers.0.url:'],
  ['receivers: [{ name: a, type: webhook, url: "https://u:s3cret@x" }]', 'receivers.0.url:'],
  ['receivers: [{ name: a, type: webhook, url: "http://x", bearerToken: s3cret }]', 'bearerToken'],
  ['receivers: [{ name: a, type: webhook, url: "http://x", timeout: soon }]', 'receivers.0.timeout:'],
  ['receivers: [{ name: a, type: webhook, url: "http://x", headers: { Authorization: s3cret } }]', 'headers'],
  ['receivers: [{ name: a, type: webhook, url: "http://x", headers: { X: "s3cret\\nY: z" } }]', 'headers.X:'],
  ['receivers: [{ name: a, type: alertmanager, url: "http://x", events: [PlanHeld] }]', 'events'],
  [
    'receivers: [{ name: a, type: webhook, url: "http://x" }, { name: a, type: webhook, url: "http://y" }]',
    'receivers: names must be unique',
  ],
])('refuses %s, names the field and repeats no value', (text, fault) => {
  expect(() => read(text)).toThrow(fault)
  expect(() => read(text)).toThrow('--notify-config (EVENKEEL_NOTIFY_CONFIG)')
  expect(() => read(text)).not.toThrow('s3cret')
})

test('refuses a file that cannot be read', () => {
  expect(() => readNotify('/nowhere/notify.yaml')).toThrow('ENOENT')
})
