import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { english } from '@/lib/messages/english'
import { ConfigError, parseConfig, usage } from './config'

const login = (argv: string[], env: Record<string, string> = {}) => parseConfig(argv, env).login
const OIDC = ['--oidc-issuer-url=https://login.example', '--oidc-client-id=evenkeel']

describe('login', () => {
  const cases: [string, string[], Record<string, string>, { required: boolean; openToOthers: boolean }][] = [
    ['is not required on loopback', [], {}, { required: false, openToOthers: false }],
    [
      'is not required on loopback with a kubeconfig of the user',
      ['--kubeconfig=/kc'],
      {},
      { required: false, openToOthers: false },
    ],
    ['is required beyond loopback', ['--host=0.0.0.0'], {}, { required: true, openToOthers: false }],
    [
      'is required in a pod that connects to a control plane',
      ['--kubeconfig=/kc'],
      { KUBERNETES_SERVICE_HOST: '10.0.0.1' },
      { required: true, openToOthers: false },
    ],
    [
      'is not required in a pod with an embedded control plane',
      [],
      { KUBERNETES_SERVICE_HOST: '10.0.0.1' },
      { required: false, openToOthers: false },
    ],
    ['is required with --login=required', ['--login=required'], {}, { required: true, openToOthers: false }],
    ['is required with an identity provider', OIDC, {}, { required: true, openToOthers: false }],
    [
      'is not required beyond loopback with --login=none',
      ['--host=0.0.0.0', '--login=none'],
      {},
      { required: false, openToOthers: true },
    ],
    [
      'is not required with EVENKEEL_LOGIN=none',
      [],
      { EVENKEEL_LOGIN: 'none' },
      { required: false, openToOthers: false },
    ],
  ]
  test.each(cases)('%s', (_what, argv, env, expected) => {
    expect(login(argv, env)).toMatchObject(expected)
  })
})

test('sessions last half an hour unused and twelve hours at most, unless told otherwise', () => {
  expect(login([])).toMatchObject({
    idleMs: 1_800_000,
    lastsMs: 43_200_000,
    secrets: [],
    readOnly: false,
    oidc: undefined,
    publicUrl: undefined,
  })
  expect(login(['--session-idle-timeout=never', '--session-timeout=1h', '--read-only'])).toMatchObject({
    idleMs: undefined,
    lastsMs: 3_600_000,
    readOnly: true,
  })
  expect(login([], { EVENKEEL_READ_ONLY: '1' }).readOnly).toBe(true)
})

test('secrets of sessions come by environment, the newest first', () => {
  const [newer, older] = ['n'.repeat(32), 'o'.repeat(40)]
  expect(login([], { EVENKEEL_SESSION_SECRET: `${newer}, ${older}` }).secrets).toEqual([newer, older])
})

test('an identity provider is used as a kube-apiserver would', () => {
  expect(login([...OIDC, '--public-url=https://evenkeel.example/'])).toMatchObject({
    publicUrl: 'https://evenkeel.example',
    oidc: {
      issuer: 'https://login.example',
      clientId: 'evenkeel',
      usernameClaim: 'sub',
      groupsClaim: 'groups',
      groupsPrefix: '',
    },
  })
  expect(login(OIDC).publicUrl).toBe('http://127.0.0.1:3000')
  expect(login(['--oidc-issuer-url=http://127.0.0.1:9000', '--oidc-client-id=a']).oidc).toMatchObject({
    issuer: 'http://127.0.0.1:9000',
  })
  expect(
    login([...OIDC, '--oidc-scopes=openid, groups', '--oidc-username-claim=email', '--oidc-username-prefix=-']).oidc,
  ).toMatchObject({ scopes: ['openid', 'groups'], usernameClaim: 'email', usernamePrefix: '-' })
})

test('the secret of the client comes by environment or from a file, never by flag', () => {
  const folder = mkdtempSync(join(tmpdir(), 'evenkeel-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'secret'), 'of-the-file\n')
  expect(login(OIDC).oidc).not.toHaveProperty('clientSecret')
  expect(login(OIDC, { EVENKEEL_OIDC_CLIENT_SECRET: 'of-the-environment' }).oidc).toMatchObject({
    clientSecret: 'of-the-environment',
  })
  expect(login([...OIDC, `--oidc-client-secret-file=${join(folder, 'secret')}`]).oidc).toMatchObject({
    clientSecret: 'of-the-file',
  })
  expect(() => login([...OIDC, '--oidc-client-secret=x'])).toThrow(ConfigError)
})

test('proxies are addresses and networks', () => {
  const { proxies } = login(['--trusted-proxies=10.0.0.0/8, 2001:db8::1'])
  expect([
    proxies.check('10.1.2.3'),
    proxies.check('11.1.2.3'),
    proxies.check('2001:db8::1', 'ipv6'),
    proxies.check('2001:db8::2', 'ipv6'),
  ]).toEqual([true, false, true, false])
})

test.each([
  [['--login=maybe'], {}, '--login'],
  [['--login=none', ...OIDC], {}, '--login'],
  [['--session-idle-timeout=soon'], {}, '--session-idle-timeout'],
  [['--session-timeout=0s'], {}, '--session-timeout'],
  [['--session-timeout=never'], {}, '--session-timeout'],
  [['--public-url=evenkeel.example'], {}, '--public-url'],
  [['--public-url=https://evenkeel.example/console'], {}, '--public-url'],
  [['--trusted-proxies=proxy.example'], {}, '--trusted-proxies'],
  [['--trusted-proxies=10.0.0.0/33'], {}, '--trusted-proxies'],
  [['--oidc-issuer-url=http://login.example', '--oidc-client-id=a'], {}, '--oidc-issuer-url'],
  [['--oidc-issuer-url=https://login.example'], {}, '--oidc-client-id'],
  [['--host=0.0.0.0', ...OIDC], {}, '--public-url'],
  [[...OIDC, '--oidc-client-secret-file=/nowhere/at/all'], {}, '--oidc-client-secret-file'],
  [[], { EVENKEEL_SESSION_SECRET: 'short' }, 'EVENKEEL_SESSION_SECRET'],
])('refuses %j with %j and names the setting', (argv, env, name) => {
  expect(() => parseConfig(argv, env as Record<string, string>)).toThrow(ConfigError)
  expect(() => parseConfig(argv, env as Record<string, string>)).toThrow(name)
})

test('a secret that is too short is not repeated', () => {
  expect(() => parseConfig([], { EVENKEEL_SESSION_SECRET: 'hunter2' })).toThrow(/^(?!.*hunter2)/)
})

test('the help tells of all of it', () => {
  for (const name of ['--login', '--read-only', '--oidc-issuer-url', '--session-timeout'])
    expect(usage(english)).toContain(name)
})

test('a security contact is an address that RFC 9116 knows', () => {
  expect(login([]).security).toBeUndefined()
  expect(login(['--security-contact=mailto:security@example.com']).security).toEqual({
    contact: 'mailto:security@example.com',
    policy: undefined,
  })
  expect(
    login([], {
      EVENKEEL_SECURITY_CONTACT: 'https://example.com/report',
      EVENKEEL_SECURITY_POLICY: 'https://example.com/policy',
    }).security,
  ).toEqual({ contact: 'https://example.com/report', policy: 'https://example.com/policy' })
  for (const wrong of ['security@example.com', 'http://example.com', 'mailto:a b', 'https://x\nExpires: x']) {
    expect(() => login([`--security-contact=${wrong}`])).toThrow('must be an https:, mailto: or tel: address')
  }
})
