/** How copies leave a cluster, and under which names. Policies keep the name that was applied. */
import { ownField } from '@/lib/std/fields'

/** Current names. `Never` keeps the old replicas until an operator releases them. */
export type PurgeMode = 'Directly' | 'Gracefully' | 'Never'

/** Names of purge modes in policies: current ones, and those of the proposal. */
export const PURGE_MODE_NAMES = ['Directly', 'Gracefully', 'Never', 'Immediately', 'Graciously'] as const
export const CLUSTER_PURGE_MODE_NAMES = ['Directly', 'Gracefully', 'Immediately', 'Graciously'] as const

const PRESENT: Readonly<Record<string, PurgeMode>> = {
  Directly: 'Directly',
  Gracefully: 'Gracefully',
  Never: 'Never',
  Immediately: 'Directly',
  Graciously: 'Gracefully',
}

/** The current name of a mode under either name; undefined for any other text. */
export function presentPurgeMode(name: string | undefined): PurgeMode | undefined {
  return name === undefined ? undefined : ownField(PRESENT, name)
}
