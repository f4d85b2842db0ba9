import { expect, test } from 'vitest'
import { ConfigError } from './config-error'
import { readKarmadaFlags, textOfArguments } from './karmada-flags'

const defaults = {
  noExecuteEviction: false,
  evictionsPerSecond: 0.5,
  overcommitProtection: false,
  workloadAffinity: false,
}

test.each([
  ['nothing', undefined, undefined],
  ['an empty text', ' ', undefined],
  ['arguments that do not count: Karmada’s defaults', '--v=4 --bind-address=0.0.0.0', defaults],
  ['a switch', '--enable-no-execute-taint-eviction', { ...defaults, noExecuteEviction: true }],
  ['a switch that is off', '--enable-no-execute-taint-eviction=false', defaults],
  [
    'gates, whose values have commas',
    '--feature-gates=Failover=true,GracefulEviction=true,--resource-eviction-rate=2',
    { ...defaults, evictionsPerSecond: 2, applicationFailover: true },
  ],
  [
    'gates of two components',
    '--feature-gates=Failover=true --feature-gates=SchedulingOvercommitProtection=true',
    { ...defaults, applicationFailover: true, overcommitProtection: true },
  ],
  [
    'gates of a stage, as the scripts of Karmada set them, and one that is set by its name',
    '--feature-gates=AllAlpha=true,AllBeta=true,WorkloadAffinity=false',
    { ...defaults, applicationFailover: true, overcommitProtection: true },
  ],
  [
    'lines of a Deployment',
    '--enable-no-execute-taint-eviction=true\n--graceful-eviction-timeout=1m30s\n--feature-gates=Failover=false',
    { ...defaults, noExecuteEviction: true, gracefulEvictionTimeoutMs: 90_000, applicationFailover: false },
  ],
])('reads %s', (_what, text, flags) => {
  expect(readKarmadaFlags(text)).toEqual(flags)
})

test('arguments of a container become its flags, whatever else they are', () => {
  const args = [
    'karmada-controller-manager',
    '--kubeconfig=/etc/karmada/config/karmada.config',
    '--enable-no-execute-taint-eviction=true',
    '--metrics-bind-address=$(POD_IP):8080',
    '--resource-eviction-rate',
    '2',
    '--feature-gates=AllAlpha=true,AllBeta=true',
    '-v=4',
    '--label=two words',
  ]
  expect(readKarmadaFlags(textOfArguments(args))).toMatchObject({
    noExecuteEviction: true,
    evictionsPerSecond: 2,
    overcommitProtection: true,
  })
  expect(textOfArguments(args)).not.toMatch(/two|words|-v/)
})

test.each([
  'enable',
  '--enable-no-execute-taint-eviction=1',
  '--resource-eviction-rate=fast',
  '--graceful-eviction-timeout=10',
])('refuses %s by name', (text) => {
  expect(() => readKarmadaFlags(text)).toThrow(ConfigError)
  expect(() => readKarmadaFlags(text)).toThrow(text)
})
