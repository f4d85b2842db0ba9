/**
 * Finds changes that reduce losses. Candidates are derived from the causes of the simulated losses, and each is
 * simulated before it is offered, so the outcome of a fix is known.
 */
import { APPLIED_PLACEMENT_ANNOTATION } from '@/lib/kube/names'
import { type Binding, appliedPlacementText } from '../../placement'
import { type Candidate, candidatesOf, type FixChange, type FixQuestion, policyOf } from './fix-candidates'
import { FATES, isLoss, type Loss } from './loss'
import { type PlacementEdit, withEdit } from './placement-edits'
import type { LossFleet, LossSimulation } from './simulation'

/** Effect of a fix on one workload in one loss. */
export interface FixEffect {
  /** Index of the workload, and index of the set of clusters. */
  workload: number
  set: number
  /** Replicas that get a cluster because of it; negative if they lose theirs. */
  replicas: number
  /** 1: it loses replicas without the fix and none with it; -1: the other way round. */
  survives: -1 | 0 | 1
}

export interface Fix {
  change: FixChange
  /** The edited policy as `namespace/name` or `name`, and the edit. */
  policy?: string
  edit?: PlacementEdit
  effects: readonly FixEffect[]
}

/** Maximum number of candidates simulated; each requires the losses of the affected clusters. */
const MAX_TRIED = 40

/** Returns the fixes, best first. Yields between decisions, so that the caller may pause. */
export function* findFixes(question: FixQuestion): Generator<undefined, Fix[]> {
  const fixes: Fix[] = []
  for (const candidate of candidatesOf(question).slice(0, MAX_TRIED)) {
    const effects = yield* tryOut(question, candidate)
    const { change, policy, edit } = candidate
    if (gainOf(effects).survived > 0) fixes.push({ change, ...(policy && { policy }), ...(edit && { edit }), effects })
  }
  const gains = new Map(fixes.map((fix) => [fix, gainOf(fix.effects)]))
  return fixes.sort((a, b) => {
    const [one, other] = [gains.get(a)!, gains.get(b)!]
    return other.survived - one.survived || other.replicas - one.replicas
  })
}

/** Returns the totals of a fix: workload losses avoided, and replicas placed. */
export function gainOf(effects: readonly FixEffect[]): { survived: number; replicas: number } {
  return {
    survived: effects.reduce((sum, { survives }) => sum + survives, 0),
    replicas: effects.reduce((sum, { replicas }) => sum + replicas, 0),
  }
}

function* tryOut(
  { fleet, simulation, sets }: FixQuestion,
  candidate: Candidate,
): Generator<undefined, readonly FixEffect[]> {
  const changed = simulation.changed(applied(candidate, simulation, fleet))
  const effects: FixEffect[] = []
  for (const [set, names] of sets.entries()) {
    const before = simulation.outcome(names)
    const known = changed.outcome(names)
    if (!before || known === before || isSameLoss(before, known)) continue
    const after = known ?? (yield* changed.lose(names)).loss
    effects.push(...effectsOf(before, after, set))
  }
  return effects
}

const isSameLoss = (one: Loss, other: Loss | undefined): boolean => one.fates === other?.fates

function applied({ changes, policy, edit }: Candidate, { workloads }: LossSimulation, fleet: LossFleet): LossFleet {
  const { bindings = new Map<number, Binding>(), cluster } = changes
  const next = workloads.map((workload, at) => {
    const other = bindings.get(at)
    if (other) return other
    return edit && policy !== undefined && policyOf(workload) === policy ? withPlacement(workload, edit) : workload
  })
  const clusters = fleet.clusters.map((one) => (one.metadata.name === cluster?.metadata.name ? cluster : one))
  return { ...fleet, bindings: next, clusters }
}

/** Returns the workload as scheduled with the edited policy, in its current clusters. */
function withPlacement({ metadata, spec, ...rest }: Binding, edit: PlacementEdit): Binding {
  const placement = withEdit(spec.placement ?? {}, edit)
  const applied = { [APPLIED_PLACEMENT_ANNOTATION]: appliedPlacementText(placement) }
  return {
    ...rest,
    metadata: { ...metadata, annotations: { ...metadata.annotations, ...applied } },
    spec: { ...spec, placement },
  }
}

/** Both losses have the same workloads. */
function effectsOf(before: Loss, after: Loss, set: number): FixEffect[] {
  return [...before.workloads.keys()].flatMap((at) => {
    const [was, is] = [before, after].map(({ fates }) => isLoss(FATES[fates[at]!]!))
    const replicas = before.missing[at]! - after.missing[at]!
    const survives = was === is ? 0 : was ? 1 : -1
    return replicas === 0 && survives === 0 ? [] : [{ workload: before.workloads[at]!, set, replicas, survives }]
  })
}
