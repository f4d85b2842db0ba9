/**
 * Changes that make losses cost less. Candidates come from the causes of the simulated losses, and each is tried in the same
 * simulation before it is offered: a fix is a change of which the outcome is known.
 */
import { APPLIED_PLACEMENT_ANNOTATION } from '@/lib/kube/names'
import { type Binding, appliedPlacementText } from '../../placement'
import { type Candidate, candidatesOf, type FixChange, type FixQuestion, policyOf } from './fix-candidates'
import { FATES, isLoss, type Loss } from './loss'
import { type PlacementEdit, withEdit } from './placement-edits'
import type { LossFleet, LossSimulation } from './simulation'

/** What a fix does for one workload in one loss. */
export interface FixEffect {
  /** Its position among the workloads, and that of the set of clusters. */
  workload: number
  set: number
  /** Replicas that get a place through it, negative where they lose theirs. */
  replicas: number
  /** It loses replicas without the fix and none with it (1), or the other way round (-1). */
  survives: -1 | 0 | 1
}

export interface Fix {
  change: FixChange
  /** The policy that is edited, as `namespace/name` or as `name`, and how. */
  policy?: string
  edit?: PlacementEdit
  effects: readonly FixEffect[]
}

/** Candidates that are tried: each costs the losses of the clusters that it concerns. */
const MOST_TRIED = 40

/** The fixes, the best first. It yields between decisions, so that the caller may pause. */
export function* findFixes(question: FixQuestion): Generator<undefined, Fix[]> {
  const fixes: Fix[] = []
  for (const candidate of candidatesOf(question).slice(0, MOST_TRIED)) {
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

/** The sums of a fix: losses survived, by workload, and replicas that get a place. */
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

/** As after the policy is saved: its workloads are scheduled by it, and stay where they are. */
function withPlacement({ metadata, spec, ...rest }: Binding, edit: PlacementEdit): Binding {
  const placement = withEdit(spec.placement ?? {}, edit)
  const applied = { [APPLIED_PLACEMENT_ANNOTATION]: appliedPlacementText(placement) }
  return {
    ...rest,
    metadata: { ...metadata, annotations: { ...metadata.annotations, ...applied } },
    spec: { ...spec, placement },
  }
}

/** Both losses are of the same workloads. */
function effectsOf(before: Loss, after: Loss, set: number): FixEffect[] {
  return [...before.workloads.keys()].flatMap((at) => {
    const [was, is] = [before, after].map(({ fates }) => isLoss(FATES[fates[at]!]!))
    const replicas = before.missing[at]! - after.missing[at]!
    const survives = was === is ? 0 : was ? 1 : -1
    return replicas === 0 && survives === 0 ? [] : [{ workload: before.workloads[at]!, set, replicas, survives }]
  })
}
