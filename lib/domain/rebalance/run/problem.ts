/** What is wrong with a plan that cannot be understood. */
import { requirementsOf } from '@/lib/kube/selector'
import { amountOf, because, type Reason } from '../../plan'
import { isSelective } from '../select'
import { workloadKey } from '../sync-status'
import type { Restoration } from '../undo'
import type { PlanSubject } from './snapshot'

type Spec = PlanSubject['spec']

/** Why the plan is refused as it is written; undefined for one that makes sense. `restorations` are what it brings back. */
export function problemOf(spec: Spec, restorations: readonly Restoration[] | undefined): Reason | undefined {
  return contradiction(spec) ?? nothingAsked(spec, restorations) ?? badSelector(spec) ?? badAmount(spec)
    ?? badRestoration(restorations ?? [])
}

/** Exactly one way to say what is to move: choosing, undoing, or bringing back. */
function contradiction({ workloads = [], selection, undoOf, restore = [] }: Spec): Reason | undefined {
  const given = [
    ...(workloads.length > 0 || isSelective(selection) ? ['workloads or a selection'] : []),
    ...(undoOf === undefined ? [] : ['undoOf']), ...(restore.length > 0 ? ['restore'] : []),
  ]
  if (given.length < 2) return undefined
  return because(
    'Contradiction',
    `Both ${given.slice(0, 2).join(' and ')} are given; a plan either chooses, or undoes, or restores.`,
  )
}

function nothingAsked(
  { workloads = [], selection, undoOf }: Spec,
  restorations: readonly Restoration[] | undefined,
): Reason | undefined {
  if (undoOf !== undefined && !restorations)
    return because('PlanNotFound', `There is no plan ${undoOf} that recorded anything.`)
  if (restorations?.length || workloads.length > 0 || isSelective(selection)) return undefined
  return because('NothingSelected', 'Neither workloads nor a selection are given; an empty plan moves nothing.')
}

function badSelector({ selection }: Spec): Reason | undefined {
  const requirements = requirementsOf(selection?.labelSelector ?? {})
  return requirements.ok
    ? undefined
    : because('BadSelector', `spec.selection.labelSelector chooses nothing: ${requirements.error}`)
}

function badAmount({ minReady, waves }: Spec): Reason | undefined {
  const amounts = { minReady, 'waves.size': waves?.size, 'waves.maxReplicasMoved': waves?.maxReplicasMoved }
  const wrong = Object.entries(amounts).find(([, value]) => value !== undefined && amountOf(value, 100) === undefined)
  return (
    wrong
    && because(
      'BadAmount',
      `spec.${wrong[0]} is ${JSON.stringify(wrong[1])}: a number of 0 or more, or a share such as "25%", is expected.`,
    )
  )
}

/** A workload has one distribution, and a cluster one number in it. */
function badRestoration(restorations: readonly Restoration[]): Reason | undefined {
  const repeated = repeatedIn(restorations.map(({ workload }) => workloadKey(workload)))
  if (repeated !== undefined) return because('BadRestoration', `${repeated} is to be brought back twice.`)
  for (const { workload, clusters } of restorations) {
    const twice = repeatedIn(clusters.map(({ name }) => name))
    if (twice !== undefined) return because('BadRestoration', `${workload.name}: ${twice} is named twice.`)
    const below = clusters.find(({ replicas = 0 }) => replicas < 0)
    if (below)
      return because('BadRestoration', `${workload.name}: ${below.name} cannot have ${below.replicas} replicas.`)
  }
}

function repeatedIn(names: readonly string[]): string | undefined {
  const seen = new Set<string>()
  return names.find((name) => seen.size === seen.add(name).size)
}
