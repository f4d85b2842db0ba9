import { describe, expect, it } from 'vitest'
import { parseDuration } from '@/lib/std/duration'
import { evenkeelProfile, karmadaProfile } from '@/server/reconcilers/shared/compatibility'
import { ConfigError, parseConfig } from './config'

describe('configuration', () => {
  it('runs the embedded control plane with quick loops when no kubeconfig is given', () => {
    const config = parseConfig([], {})
    expect(config.kubeconfig).toBeUndefined()
    expect(config.port).toBe(3000)
    expect(config.apiPort).toBe(7443)
    expect(config.demo).toBe(true)
    expect(config.timing.noExecuteAfterMs).toBe(5000)
  })

  it('keeps the figures of upstream when connected to a control plane', () => {
    const { timing } = parseConfig(['--kubeconfig', '/tmp/kc'], {})
    expect(timing).toMatchObject({
      clusterFailureThresholdMs: 30_000,
      noExecuteAfterMs: undefined,
      resourceEvictionPerSecond: 0.5,
    })
  })

  it('copies another control plane without connecting to it, with its timing and a data directory of its own', () => {
    const config = parseConfig(['--twin-of=/tmp/kc', '--twin-context=prod'], { KUBECONFIG: '/tmp/other' })
    expect(config.twinOf).toEqual({ file: '/tmp/kc', context: 'prod' })
    expect(config.kubeconfig).toBeUndefined()
    expect(config).toMatchObject({ demo: false, journal: { in: 'memory' } })
    expect(config.dataDir).toMatch(/\.evenkeel-twin$/)
    expect(config.timing.resourceEvictionPerSecond).toBe(0.5)
    expect(() => parseConfig(['--twin-of=/tmp/kc', '--kubeconfig=/tmp/kc'], {})).toThrow('--twin-of')
  })

  it('prefers a flag to the environment and the environment to the default', () => {
    expect(parseConfig([], { PORT: '4000' }).port).toBe(4000)
    expect(parseConfig(['--port', '5000'], { PORT: '4000' }).port).toBe(5000)
  })

  it('starts empty with --no-demo or EVENKEEL_DEMO=0', () => {
    expect(parseConfig(['--no-demo'], {}).demo).toBe(false)
    expect(parseConfig([], { EVENKEEL_DEMO: '0' }).demo).toBe(false)
  })

  it('serves the embedded API to this machine only, unless told otherwise', () => {
    expect(parseConfig([], {})).toMatchObject({ apiHost: '127.0.0.1', apiExposed: false })
    expect(parseConfig(['--api-host', '0.0.0.0', '--api-exposed'], {})).toMatchObject({
      apiHost: '0.0.0.0',
      apiExposed: true,
    })
    expect(parseConfig([], { EVENKEEL_API_HOST: '10.0.0.1', EVENKEEL_API_EXPOSED: '1' })).toMatchObject({
      apiHost: '10.0.0.1',
      apiExposed: true,
    })
  })

  it('listens for admission beside the embedded control plane, and beside a real one where it is told how it is reached', () => {
    expect(parseConfig([], {}).webhooks).toEqual({ port: 0, url: undefined, certDir: undefined, failurePolicy: 'Fail' })
    const url = 'https://evenkeel.karmada-system.svc:9443'
    const beside = [
      '--kubeconfig',
      '/tmp/kc',
      '--webhook-url',
      url,
      '--webhook-cert-dir',
      '/tls',
      '--webhook-failure-policy',
      'Ignore',
    ]
    expect(parseConfig(beside, {}).webhooks).toEqual({ port: 9443, url, certDir: '/tls', failurePolicy: 'Ignore' })
    expect(parseConfig([], { EVENKEEL_WEBHOOK_PORT: '9000' }).webhooks.port).toBe(9000)
    for (const [flag, value] of [
      ['--webhook-url', 'http://plain:80'],
      ['--webhook-url', 'evenkeel'],
      ['--webhook-port', '70000'],
      ['--webhook-failure-policy', 'Perhaps'],
    ] as const) {
      expect(() => parseConfig([flag, value], {})).toThrow(new RegExp(`${flag} .*"${value}"`))
    }
  })

  it('keeps gates and the likeness to upstream off unless asked', () => {
    expect(parseConfig([], {})).toMatchObject({
      gates: {
        PropagationPolicyPreemption: false,
        WorkloadAffinity: false,
        MultiplePodTemplatesScheduling: false,
        ResourceQuotaEstimate: false,
        StatefulFailoverInjection: false,
        SchedulingOvercommitProtection: false,
      },
      compatibility: evenkeelProfile,
    })
    expect(parseConfig(['--feature-gates', 'WorkloadAffinity=true', '--upstream'], {})).toMatchObject({
      gates: {
        PropagationPolicyPreemption: false,
        WorkloadAffinity: true,
        MultiplePodTemplatesScheduling: false,
        ResourceQuotaEstimate: false,
        StatefulFailoverInjection: false,
        SchedulingOvercommitProtection: false,
      },
      compatibility: karmadaProfile,
    })
  })

  it("stores upstream's toleration unless configured for that of the proposal, which upstream does not support", () => {
    expect(parseConfig([], {}).failoverDefaults).toBe('upstream')
    expect(parseConfig(['--failover-profile=upstream', '--upstream'], {}).failoverDefaults).toBe('upstream')
    expect(parseConfig(['--failover-profile', 'proposal'], {}).failoverDefaults).toBe('proposal')
    expect(parseConfig([], { EVENKEEL_FAILOVER_PROFILE: 'proposal' }).failoverDefaults).toBe('proposal')
    expect(() => parseConfig(['--failover-profile=seed'], {})).toThrow('must be one of upstream, proposal, not "seed"')
    expect(() => parseConfig(['--failover-profile=proposal'], { EVENKEEL_UPSTREAM: '1' })).toThrow('with --upstream')
  })

  it('keeps the audit log with the embedded data, beside a real control plane only where it is told to', () => {
    expect(parseConfig(['--data-dir', '/data'], {}).auditLog).toBe('/data/audit/audit.jsonl')
    expect(parseConfig(['--kubeconfig', '/kc'], {}).auditLog).toBe('none')
    expect(parseConfig(['--audit-log', '-'], {}).auditLog).toBe('-')
    expect(parseConfig([], { EVENKEEL_AUDIT_LOG: '/var/log/audit.jsonl' }).auditLog).toBe('/var/log/audit.jsonl')
  })

  it('limits requests of one user, and accepts whole numbers only', () => {
    expect(parseConfig(['--rate-limit-actions', '0'], {}).rateLimits).toEqual({
      queriesPerMinute: 1200,
      actionsPerMinute: 0,
    })
    expect(() => parseConfig(['--rate-limit-queries=-1'], {})).toThrow(
      '--rate-limit-queries (EVENKEEL_RATE_LIMIT_QUERIES) must be a whole number from 0, not "-1"',
    )
  })

  it('keeps the journal with the embedded data, and one for each real control plane', () => {
    expect(parseConfig(['--data-dir', '/data'], {})).toMatchObject({
      journal: { in: 'directory', path: '/data/journal' },
      journalRetentionMs: 7 * 86_400_000,
    })
    expect(parseConfig(['--kubeconfig', '/kc', '--data-dir=/data', '--journal-retention', '24h'], {})).toMatchObject({
      journal: { in: 'directoryOfControlPlane', below: '/data/journals' },
      journalRetentionMs: 86_400_000,
    })
    const env = { EVENKEEL_JOURNAL_DIR: '/journal' }
    expect(parseConfig(['--kubeconfig', '/kc'], env).journal).toEqual({ in: 'directory', path: '/journal' })
    expect(parseConfig(['--journal-dir=none'], {}).journal).toEqual({ in: 'memory' })
  })

  it('shares nothing with other instances unless configured', () => {
    expect(parseConfig([], {}).redis).toBeUndefined()
    expect(parseConfig([], { EVENKEEL_REDIS_URL: 'redis://:p%40ss@redis:6379/2' }).redis).toEqual({
      url: 'redis://:p%40ss@redis:6379/2',
      caFile: undefined,
    })
    expect(parseConfig(['--redis-url=rediss://redis', '--redis-ca-file=/ca.pem'], {}).redis).toEqual({
      url: 'rediss://redis',
      caFile: '/ca.pem',
    })
  })

  it.each([
    'http://:secret@redis',
    'redis://',
    'redis://:secret@redis/x',
    'redis://:secret%zz@redis',
    'redis://u%:41secret@redis',
    ':secret',
    'redis://:sec#ret@redis:port',
  ])('refuses %j as the address of a Redis without repeating it', (url) => {
    expect(() => parseConfig(['--redis-url', url], {})).toThrow(ConfigError)
    expect(() => parseConfig(['--redis-url', url], {})).toThrow(
      /--redis-url \(EVENKEEL_REDIS_URL\) must look like(?!.*sec#?ret)/,
    )
  })

  it('traces only where an endpoint is given, all of it unless a share is', () => {
    expect(parseConfig([], {}).tracing).toBeUndefined()
    expect(parseConfig([], { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' }).tracing).toEqual({
      endpoint: 'http://collector:4318',
      ratio: 1,
    })
    expect(parseConfig(['--otlp-endpoint=https://c', '--trace-ratio=0.1'], {}).tracing).toEqual({
      endpoint: 'https://c',
      ratio: 0.1,
    })
  })

  it('takes reconcilers as a list, all or none', () => {
    expect(parseConfig(['--reconcilers', 'scheduler, detector'], {}).reconcilers).toEqual(['scheduler', 'detector'])
    expect(parseConfig(['--reconcilers=none'], {}).reconcilers).toBe('none')
  })

  it.each([
    [['--port', 'http'], {}, '--port'],
    [['--api-port', '70000'], {}, '--api-port'],
    [['--only', 'console'], {}, '--only'],
    [['--only', 'apiserver', '--kubeconfig', 'file'], {}, '--kubeconfig'],
    [['--otlp-endpoint', 'collector:4318'], {}, '--otlp-endpoint'],
    [['--otlp-endpoint', 'grpc://collector'], {}, '--otlp-endpoint'],
    [['--otlp-endpoint', 'http://c', '--trace-ratio', '2'], {}, '--trace-ratio'],
    [['--feature-gates', 'Teleport=true'], {}, '--feature-gates'],
    [['--feature-gates', 'WorkloadAffinity=maybe'], {}, '--feature-gates'],
    [['--api-host', '0.0.0.0'], {}, '--api-exposed'],
    [['--no-execute-after', 'soon'], {}, '--no-execute-after'],
    [['--resource-eviction-rate', '-1'], {}, '--resource-eviction-rate'],
    [['--redis-url', 'redis://redis', '--redis-ca-file', 'ca.pem'], {}, '--redis-ca-file'],
    [['--colour'], {}, '--colour'],
  ])('refuses %j and names the flag', (argv, env, flag) => {
    expect(() => parseConfig(argv, env)).toThrow(ConfigError)
    expect(() => parseConfig(argv, env)).toThrow(flag)
  })
})

describe('durations', () => {
  it.each([
    ['500ms', 500],
    ['30s', 30_000],
    ['1h30m', 5_400_000],
    ['1.5s', 1500],
    ['5', undefined],
    ['s', undefined],
    ['', undefined],
  ])('reads %j as %j', (text, expected) => expect(parseDuration(text)).toBe(expected))
})

it('starts the embedded control plane alone, for any KUBECONFIG', () => {
  const { only, kubeconfig } = parseConfig(['--only=apiserver'], { KUBECONFIG: '/etc/kubeconfig' })
  expect({ only, kubeconfig }).toEqual({ only: 'apiserver', kubeconfig: undefined })
})
