import { expect, test } from 'vitest'
import { ConfigError } from './config-error'
import { readGates } from './feature-gates'
import { readKarmadaFlags, textOfArguments } from './karmada-flags'

const defaults = {
  noExecuteEviction: false,
  evictionsPerSecond: 0.5,
  applicationFailover: true,
  gates: readGates(undefined),
  scheduler: {
    schedulerName: 'default-scheduler',
    propagateEmptyWorkloads: false,
    resourceModels: true,
    workloadAffinity: false,
    componentSets: false,
    overcommitProtection: false,
    asksEstimators: false,
  },
}
const withGates = (gates: string, scheduler: Partial<(typeof defaults)['scheduler']>) => ({
  ...defaults,
  gates: readGates(gates),
  scheduler: { ...defaults.scheduler, ...scheduler },
})

test.each([
  ['nothing', undefined, undefined],
  ['an empty text', ' ', undefined],
  ['arguments that do not count: Karmada’s defaults', '--v=4 --bind-address=0.0.0.0', defaults],
  ['a switch that needs a gate, too', '--enable-no-execute-taint-eviction', defaults],
  [
    'a switch and its gate',
    '--enable-no-execute-taint-eviction --feature-gates=Failover=true',
    { ...defaults, noExecuteEviction: true },
  ],
  ['a switch that is off', '--enable-no-execute-taint-eviction=false --feature-gates=Failover=true', defaults],
  [
    'gates, whose values have commas',
    '--feature-gates=Failover=true,GracefulEviction=true,--resource-eviction-rate=2',
    { ...defaults, evictionsPerSecond: 2 },
  ],
  [
    'gates of two components',
    '--feature-gates=Failover=true --feature-gates=SchedulingOvercommitProtection=true',
    withGates('SchedulingOvercommitProtection=true', { overcommitProtection: true }),
  ],
  [
    'gates of a stage, as the scripts of Karmada set them, and one that is set by its name',
    '--feature-gates=AllAlpha=true,AllBeta=true,WorkloadAffinity=false',
    withGates(
      'PropagationPolicyPreemption=true,MultiplePodTemplatesScheduling=true,ResourceQuotaEstimate=true,StatefulFailoverInjection=true,SchedulingOvercommitProtection=true',
      { componentSets: true, overcommitProtection: true },
    ),
  ],
  [
    'what else the scheduler decides by',
    '--scheduler-name=mine --enable-scheduler-estimator --enable-empty-workload-propagation --feature-gates=CustomizedClusterResourceModeling=false',
    withGates('', {
      schedulerName: 'mine',
      propagateEmptyWorkloads: true,
      resourceModels: false,
      asksEstimators: true,
    }),
  ],
  ['controllers that are off', '--controllers=*,-applicationFailover', { ...defaults, applicationFailover: false }],
  [
    'lines of a Deployment',
    '--enable-no-execute-taint-eviction=true\n--graceful-eviction-timeout=1m30s\n--feature-gates=Failover=false',
    { ...defaults, gracefulEvictionTimeoutMs: 90_000 },
  ],
])('reads %s', (_what, text, flags) => {
  expect(readKarmadaFlags(text)).toEqual(flags)
})

test('gates of the controllers do not change the scheduler when its own arguments are known', () => {
  const flags = readKarmadaFlags('--feature-gates=AllAlpha=true', '--feature-gates=WorkloadAffinity=true')
  expect(flags?.scheduler).toEqual({ ...defaults.scheduler, workloadAffinity: true })
  expect(flags?.gates.StatefulFailoverInjection).toBe(true)
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
    scheduler: { overcommitProtection: true },
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
