/**
 * Reads the flags of a real control plane's karmada-controller-manager and karmada-scheduler that affect predictions.
 */
import type { SchedulerProfile } from '@/lib/domain/placement'
import { message } from '@/lib/messages/message'
import { parseDuration } from '@/lib/std/duration'
import { ConfigError } from './config-error'
import { type FeatureGates, gatesIn, isGateOn } from './feature-gates'
import { flagText } from './flags'

export interface KarmadaFlags {
  /** `--enable-no-execute-taint-eviction` and the feature gate Failover. Both are off by default. */
  noExecuteEviction: boolean
  evictionsPerSecond: number
  /** Undefined: Karmada's default. */
  gracefulEvictionTimeoutMs?: number
  /** By `--controllers`. */
  applicationFailover: boolean
  /** Of both components; for rehearsals. */
  gates: FeatureGates
  /** How karmada-scheduler decides. */
  scheduler: Pick<
    SchedulerProfile,
    | 'schedulerName'
    | 'propagateEmptyWorkloads'
    | 'resourceModels'
    | 'workloadAffinity'
    | 'componentSets'
    | 'overcommitProtection'
    | 'asksEstimators'
  >
}

/** Karmada's `--resource-eviction-rate`. */
const EVICTIONS_PER_SECOND = 0.5

/**
 * Parses arguments as written in the Deployments, separated by spaces or commas. Irrelevant flags are ignored. The
 * arguments of karmada-scheduler are in `scheduler`, or else among the others. Returns undefined for an empty text; throws
 * ConfigError for text that is not a flag or a value of the wrong type.
 */
export function readKarmadaFlags(text: string | undefined, scheduler?: string): KarmadaFlags | undefined {
  const parts = flagsIn(text)
  if (parts.length === 0) return undefined
  const given = new Map(parts)
  const timeout = given.get('graceful-eviction-timeout')
  const schedulerParts = scheduler === undefined ? parts : flagsIn(scheduler)
  const failover = isGateOn('Failover', gatesOf(parts))
  return {
    noExecuteEviction: isOn('enable-no-execute-taint-eviction', given, false) && failover,
    evictionsPerSecond: rateIn(given.get('resource-eviction-rate')),
    ...(timeout !== undefined && { gracefulEvictionTimeoutMs: durationIn(timeout) }),
    applicationFailover: runs('applicationFailover', given.get('controllers')),
    gates: gatesIn(gatesOf([...parts, ...schedulerParts])),
    scheduler: schedulerIn(new Map(schedulerParts), gatesOf(schedulerParts)),
  }
}

type Part = readonly [name: string, value: string]

function flagsIn(text = ''): Part[] {
  const args = text.split(/[\s,]+(?=--)|\s+/).filter((arg) => arg !== '')
  return args.map((arg) => parsed(arg))
}

/** Each component has its own `--feature-gates`, so the flag may occur several times. */
const gatesOf = (parts: readonly Part[]): string =>
  parts
    .filter(([name]) => name === 'feature-gates')
    .map(([, value]) => value)
    .join(',')

function schedulerIn(given: ReadonlyMap<string, string>, gates: string): KarmadaFlags['scheduler'] {
  return {
    schedulerName: given.get('scheduler-name') ?? 'default-scheduler',
    propagateEmptyWorkloads: isOn('enable-empty-workload-propagation', given, false),
    resourceModels: isGateOn('CustomizedClusterResourceModeling', gates),
    workloadAffinity: isGateOn('WorkloadAffinity', gates),
    componentSets: isGateOn('MultiplePodTemplatesScheduling', gates),
    overcommitProtection: isGateOn('SchedulingOvercommitProtection', gates),
    asksEstimators: isOn('enable-scheduler-estimator', given, false),
  }
}

/** Reports whether a controller runs: it is named or all are, and it is not excluded. */
function runs(controller: string, controllers = '*'): boolean {
  const entries = controllers.split(',')
  return !entries.includes(`-${controller}`) && (entries.includes('*') || entries.includes(controller))
}

function parsed(arg: string): [name: string, value: string] {
  const [, name, value = 'true'] = /^--([a-z0-9-]+)(?:=(.*))?$/.exec(arg) ?? []
  if (name === undefined) throw invalid(arg)
  return [name, value]
}

function isOn(name: string, given: ReadonlyMap<string, string>, fallback: boolean): boolean {
  const value = given.get(name)
  if (value === undefined) return fallback
  if (value !== 'true' && value !== 'false') throw invalid(`--${name}=${value}`)
  return value === 'true'
}

function rateIn(value: string | undefined): number {
  if (value === undefined) return EVICTIONS_PER_SECOND
  const rate = Number(value)
  if (value === '' || !Number.isFinite(rate) || rate < 0) throw invalid(`--resource-eviction-rate=${value}`)
  return rate
}

function durationIn(value: string): number {
  const ms = parseDuration(value)
  if (ms === undefined) throw invalid(`--graceful-eviction-timeout=${value}`)
  return ms
}

/**
 * The arguments of a container that count, as the text of `--karmada-flags`. Values may be arguments of their own; a
 * value that cannot be read (a reference to a variable, a list over several lines) is left out.
 */
export function textOfArguments(args: readonly string[]): string {
  const joined = args.flatMap((arg, index) => {
    if (!arg.startsWith('--')) return []
    const next = args[index + 1]
    return [arg.includes('=') || next === undefined || next.startsWith('-') ? arg : `${arg}=${next}`]
  })
  return joined.filter((arg) => /^--[a-z0-9-]+(=\S*)?$/.test(arg)).join(' ')
}

const invalid = (value: string): ConfigError =>
  new ConfigError(message('config.error.karmadaFlags', { flag: flagText('karmada-flags'), value }))
