/** Validates the spec of a plan. */
import { type Message, message } from '@/lib/messages/message'
import { requirementsOf } from '@/lib/kube/selector'
import { amountOf, because, type Reason } from '../../plan'
import { isSelective } from '../select'
import { workloadKey } from '../sync-status'
import type { Restoration } from '../undo'
import type { PlanSubject } from './snapshot'

type Spec = PlanSubject['spec']

/**
 * Returns why the spec of a plan is invalid; undefined if it is valid. `restorations` are the distributions that it
 * restores.
 */
export function problemOf(spec: Spec, restorations: readonly Restoration[] | undefined): Reason<Message> | undefined {
  return (
    contradiction(spec)
    ?? nothingAsked(spec, restorations)
    ?? badSelector(spec)
    ?? badAmount(spec)
    ?? badRestoration(restorations ?? [])
  )
}

/** A plan has exactly one source of workloads: a selection, an undo, or distributions to restore. */
function contradiction({ workloads = [], selection, undoOf, restore = [] }: Spec): Reason<Message> | undefined {
  const given = [
    ...(workloads.length > 0 ? ['workloads'] : isSelective(selection) ? ['selection'] : []),
    ...(undoOf === undefined ? [] : ['undoOf']),
    ...(restore.length > 0 ? ['restore'] : []),
  ]
  if (given.length < 2) return undefined
  return because(message('rebalance.invalid.Contradiction', { fields: given }))
}

function nothingAsked(
  { workloads = [], selection, undoOf }: Spec,
  restorations: readonly Restoration[] | undefined,
): Reason<Message> | undefined {
  if (undoOf !== undefined && !restorations) return because(message('rebalance.invalid.PlanNotFound', { plan: undoOf }))
  if (restorations?.length || workloads.length > 0 || isSelective(selection)) return undefined
  return because(message('rebalance.invalid.NothingSelected'))
}

function badSelector({ selection }: Spec): Reason<Message> | undefined {
  const requirements = requirementsOf(selection?.labelSelector ?? {})
  return requirements.ok ? undefined : because(message('rebalance.invalid.BadSelector', { error: requirements.error }))
}

function badAmount({ minReady, waves }: Spec): Reason<Message> | undefined {
  const amounts = { minReady, 'waves.size': waves?.size, 'waves.maxReplicasMoved': waves?.maxReplicasMoved }
  const wrong = Object.entries(amounts).find(([, value]) => value !== undefined && amountOf(value, 100) === undefined)
  return wrong && because(message('rebalance.invalid.BadAmount', { field: wrong[0], value: JSON.stringify(wrong[1]) }))
}

/** A workload must have one distribution, and a cluster one number in it. */
function badRestoration(restorations: readonly Restoration[]): Reason<Message> | undefined {
  const repeated = repeatedIn(restorations.map(({ workload }) => workloadKey(workload)))
  if (repeated !== undefined)
    return because('BadRestoration', message('rebalance.invalid.restoredTwice', { workload: repeated }))
  for (const { workload, clusters } of restorations) {
    const twice = repeatedIn(clusters.map(({ name }) => name))
    if (twice !== undefined)
      return because(
        'BadRestoration',
        message('rebalance.invalid.clusterTwice', { workload: workload.name, cluster: twice }),
      )
    const below = clusters.find(({ replicas = 0 }) => replicas < 0)
    if (below) {
      return because(
        'BadRestoration',
        message('rebalance.invalid.negativeReplicas', { workload: workload.name, cluster: below.name }),
      )
    }
  }
}

function repeatedIn(names: readonly string[]): string | undefined {
  const seen = new Set<string>()
  return names.find((name) => seen.size === seen.add(name).size)
}
