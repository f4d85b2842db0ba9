/** Views of fixes, restricted to the workloads that the reader may view. */
import { amountMessage } from '@/lib/domain/queue/amount-message'
import { type Fix, gainOf, keyOfSet } from '@/lib/domain/rebalance/loss'
import { type Message, message } from '@/lib/messages/message'
import type { FixView } from '../rebalance-model'
import { workloadId } from '../workload-id'
import { templateOf } from './binding-facts'
import type { LossReader } from './losses'

/** Sets of clusters that fail, by the index in effects. */
export interface NamedSet {
  clusters: readonly string[]
  name: Message
}

/** Maximum fixes listed, and workloads and losses named. */
const MAX_FIXES = 20
const MAX_NAMED = 3

/** Best first. Shared capacity is shown only to readers who may view all workloads. */
export function projectFixes(
  fixes: readonly Fix[],
  sets: readonly NamedSet[],
  reader: LossReader & { seesAll: boolean },
): FixView[] {
  const seen = fixes
    .filter(({ change }) => reader.seesAll || change.kind !== 'addCapacity')
    .map((fix) => ({ ...fix, effects: fix.effects.filter(({ workload }) => reader.sees(workload)) }))
  return seen
    .map((fix) => ({ fix, ...gainOf(fix.effects) }))
    .filter(({ survived }) => survived > 0)
    .sort((a, b) => b.survived - a.survived || b.replicas - a.replicas)
    .slice(0, MAX_FIXES)
    .map(({ fix, survived, replicas }) => ({ ...projectFix(fix, sets, reader), survived, replicas }))
}

function projectFix(
  { change, policy, edit, effects }: Fix,
  sets: readonly NamedSet[],
  { workloads }: LossReader,
): Omit<FixView, 'survived' | 'replicas'> {
  const survivals = effects.filter(({ survives }) => survives > 0)
  const saved = [...new Set(survivals.map(({ workload }) => workload))]
  const worse = new Set(effects.flatMap(({ workload, survives }) => (survives < 0 ? [workload] : []))).size
  const losses = [...new Map(survivals.map(({ set }) => [keyOfSet(sets[set]!.clusters), sets[set]!.name])).values()]
  const nameOf = (at: number): string => templateOf(workloads[at]!).name
  return {
    change: changeMessage(change, { policy, nameOf }),
    effect: message('resilience.fix.effect', { names: limited(saved.map(nameOf)), what: limited(losses) }),
    workloads: saved.length,
    ...(worse > 0 && { worse }),
    ...(change.kind === 'resume' && { workload: workloadId(templateOf(workloads[change.workload]!)) }),
    ...(policy !== undefined && { policy }),
    ...(edit && { edit: { path: edit.path, value: edit.value } }),
  }
}

interface Names {
  policy: string | undefined
  nameOf: (workload: number) => string
}

function changeMessage(change: Fix['change'], { policy = '', nameOf }: Names): Message {
  switch (change.kind) {
    case 'allowCluster':
      return message('resilience.fix.allowCluster', { cluster: change.cluster, policy })
    case 'minGroups':
    case 'maxGroups':
      return message(`resilience.fix.${change.kind}`, { policy, field: change.field, from: change.from, to: change.to })
    case 'evictAfter':
      return message('resilience.fix.evictAfter', { policy, span: { ms: change.seconds * 1000 } })
    case 'resume':
      return message('resilience.fix.resume', { workload: nameOf(change.workload) })
    case 'addCapacity':
      return message('resilience.fix.addCapacity', {
        cluster: change.cluster,
        amounts: change.amounts.map(({ resource, amount }) => amountMessage(resource, amount)),
      })
  }
}

function limited(parts: readonly (Message | string)[]): (Message | string)[] {
  if (parts.length <= MAX_NAMED) return [...parts]
  return [...parts.slice(0, MAX_NAMED), message('resilience.verdict.more', { n: parts.length - MAX_NAMED })]
}
