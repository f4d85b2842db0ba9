/**
 * Reads the flags of a real control plane's karmada-controller-manager and the feature gates of its scheduler that
 * affect predictions.
 */
import { message } from '@/lib/messages/message'
import { parseDuration } from '@/lib/std/duration'
import { ConfigError } from './config-error'
import { flagText } from './flags'

export interface KarmadaFlags {
  /** `--enable-no-execute-taint-eviction`. Karmada's default is false. */
  noExecuteEviction: boolean
  evictionsPerSecond: number
  /** Undefined: Karmada's default. */
  gracefulEvictionTimeoutMs?: number
  /** Feature gate Failover. Undefined when not set, because its default depends on the version. */
  applicationFailover?: boolean
  /** Feature gate SchedulingOvercommitProtection of karmada-scheduler. */
  overcommitProtection: boolean
  /** By the feature gate WorkloadAffinity of karmada-scheduler. */
  workloadAffinity: boolean
}

/** What AllAlpha and AllBeta cover of the gates that count. */
const STAGES = {
  Failover: 'AllBeta',
  SchedulingOvercommitProtection: 'AllAlpha',
  WorkloadAffinity: 'AllAlpha',
} as const

/** Karmada's `--resource-eviction-rate`. */
const EVICTIONS_PER_SECOND = 0.5

/**
 * Parses arguments as written in the Deployment, separated by spaces or commas. Irrelevant flags are ignored. Returns
 * undefined for an empty text; throws ConfigError for text that is not a flag or a value of the wrong type.
 */
export function readKarmadaFlags(text: string | undefined): KarmadaFlags | undefined {
  const args = (text ?? '').split(/[\s,]+(?=--)|\s+/).filter((arg) => arg !== '')
  if (args.length === 0) return undefined
  const parts = args.map((arg) => parsed(arg))
  const given = new Map(parts)
  const timeout = given.get('graceful-eviction-timeout')
  // Each component has its own `--feature-gates`, so the flag may occur several times.
  const gates = parts
    .filter(([name]) => name === 'feature-gates')
    .map(([, value]) => value)
    .join(',')
  const failover = gateIn('Failover', gates)
  return {
    noExecuteEviction: isOn('enable-no-execute-taint-eviction', given, false),
    evictionsPerSecond: rateIn(given.get('resource-eviction-rate')),
    overcommitProtection: gateIn('SchedulingOvercommitProtection', gates) ?? false,
    workloadAffinity: gateIn('WorkloadAffinity', gates) ?? false,
    ...(timeout !== undefined && { gracefulEvictionTimeoutMs: durationIn(timeout) }),
    ...(failover !== undefined && { applicationFailover: failover }),
  }
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

/** A gate that is not set by its name follows that of its stage. */
function gateIn(gate: keyof typeof STAGES, gates: string): boolean | undefined {
  const values = new Map(
    gates.split(',').map((each): [string, string | undefined] => [each.split('=')[0]!, each.split('=')[1]]),
  )
  const value = values.get(gate) ?? values.get(STAGES[gate])
  return value === 'true' || value === 'false' ? value === 'true' : undefined
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
