/** Converts recorded inputs about WorkloadSpread: they use the field names of v1alpha1 and omit empty values. */
import { type SpreadRules, upstreamRules } from '@/lib/domain/spread'
import {
  type Node,
  type Pod,
  type SpreadSubset,
  type SubsetStatus,
  type WorkloadSpread,
  workloadSpreadFromFirst,
} from '@/lib/kube/kinds'
import type { UnknownObject } from '@/lib/kube/object'
import { parseTime, type EpochMs } from '@/lib/std/clock'

export interface RecordedSpread {
  metadata?: object
  spec?: object
  status?: object
}

/** Recorded behaviour is that of OpenKruise; cases of our own name the rules that differ. */
export interface WithRules {
  rules?: Partial<SpreadRules>
}

export const rulesIn = ({ rules }: WithRules): SpreadRules => ({ ...upstreamRules, ...rules })

export function spreadIn(recorded: RecordedSpread): WorkloadSpread {
  const named = {
    apiVersion: 'apps.kruise.io/v1alpha1',
    kind: 'WorkloadSpread',
    ...recorded,
    metadata: { name: 'ws', namespace: 'default', ...recorded.metadata },
  }
  return workloadSpreadFromFirst(named as unknown as UnknownObject) as unknown as WorkloadSpread
}

/** Subsets are the same in a spread of their own. */
export function subsetsIn(subsets: readonly object[]): SpreadSubset[] {
  return spreadIn({ spec: { subsets } }).spec?.subsets ?? []
}

export const podIn = (recorded: object): Pod =>
  ({ apiVersion: 'v1', kind: 'Pod', spec: {}, ...recorded }) as unknown as Pod
export const podsIn = (recorded: readonly object[] | null | undefined): Pod[] => (recorded ?? []).map(podIn)
export const nodeIn = (recorded: object): Node => ({ apiVersion: 'v1', kind: 'Node', ...recorded }) as unknown as Node
export const timeIn = ({ now }: { now: string }): EpochMs => parseTime(now)
export const rowIn = (recorded: object | null | undefined): SubsetStatus | undefined =>
  (recorded ?? undefined) as SubsetStatus | undefined

/** Without empty objects at any depth: a server written in Go prints empty structs. */
export function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty)
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).map(([name, child]) => [name, withoutEmpty(child)] as const)
  return Object.fromEntries(fields.filter(([name, child]) => name === 'nodeAffinity' || !isNothing(child)))
}

const isNothing = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0

/** A duration of ours as they are recorded: whole seconds, 0 for none. */
export const secondsOf = (ms: number | undefined): number => (ms ?? 0) / 1000
