/** Karmada's feature gates. */
import { message } from '@/lib/messages/message'
import { ConfigError } from './config-error'
import { flagText } from './flags'
import { readList } from './values'

/** Feature gates of Karmada; off by default. */
export interface FeatureGates {
  PropagationPolicyPreemption: boolean
  WorkloadAffinity: boolean
  MultiplePodTemplatesScheduling: boolean
  ResourceQuotaEstimate: boolean
  StatefulFailoverInjection: boolean
  SchedulingOvercommitProtection: boolean
}

const off: FeatureGates = {
  PropagationPolicyPreemption: false,
  WorkloadAffinity: false,
  MultiplePodTemplatesScheduling: false,
  ResourceQuotaEstimate: false,
  StatefulFailoverInjection: false,
  SchedulingOvercommitProtection: false,
}

const names = Object.keys(off) as (keyof FeatureGates)[]

/** Parses `--feature-gates` of this product. Throws ConfigError for an unknown gate. */
export function readGates(text: string | undefined): FeatureGates {
  const gates = { ...off }
  for (const entry of readList(text)) {
    const [name = '', value] = entry.split('=')
    if (!Object.hasOwn(gates, name) || (value !== 'true' && value !== 'false')) {
      throw new ConfigError(
        message('config.error.gates', { flag: flagText('feature-gates'), gates: names, value: entry }),
      )
    }
    gates[name as keyof FeatureGates] = value === 'true'
  }
  return gates
}

/** What AllAlpha and AllBeta cover, and the default, of the gates that count. */
const alpha = { stage: 'AllAlpha' as const, isOn: false }
const karmadaGates = {
  Failover: { stage: 'AllBeta', isOn: false },
  CustomizedClusterResourceModeling: { stage: 'AllBeta', isOn: true },
  PropagationPolicyPreemption: alpha,
  WorkloadAffinity: alpha,
  MultiplePodTemplatesScheduling: alpha,
  ResourceQuotaEstimate: alpha,
  StatefulFailoverInjection: alpha,
  SchedulingOvercommitProtection: alpha,
} as const

type KarmadaGate = keyof typeof karmadaGates

/** Returns whether a gate of a Karmada component is on, by the text of its `--feature-gates`. */
export function isGateOn(gate: KarmadaGate, text: string): boolean {
  const values = new Map(
    text.split(',').map((each): [string, string | undefined] => [each.split('=')[0]!, each.split('=')[1]]),
  )
  const { stage, isOn } = karmadaGates[gate]
  // A gate that is not set by its name follows that of its stage.
  const value = values.get(gate) ?? values.get(stage)
  return value === 'true' || value === 'false' ? value === 'true' : isOn
}

/** Returns the gates of Karmada that the controllers of this product have, too. */
export const gatesIn = (text: string): FeatureGates =>
  Object.fromEntries(names.map((name) => [name, isGateOn(name, text)])) as unknown as FeatureGates
