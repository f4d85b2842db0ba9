/** Proposes changes, derived from the causes for which workloads lose replicas. */
import type { Cluster } from '@/lib/kube/kinds/cluster'
import { CLUSTER_POLICY_NAME_ANNOTATION, POLICY_NAME_ANNOTATION, POLICY_NAMESPACE_ANNOTATION } from '@/lib/kube/names'
import { addQuantity, formatQuantity, milliQuantityOf, quantityOf, tryParseQuantity } from '@/lib/kube/quantity'
import {
  type Binding,
  defaultProfile,
  isSchedulingSuspended,
  scheduleBinding,
  type ScheduleVerdict,
} from '../../placement'
import { evictedFrom, taintsOf, toleration, withTaints } from '../failing'
import { knownRequests } from './fullest'
import { FATES, isLoss } from './loss'
import type { LossFleet, LossSimulation } from './simulation'
import {
  allowCluster,
  limitToleration,
  loosenSpread,
  type PlacementChange,
  type PlacementEdit,
} from './placement-edits'

export type FixChange =
  | PlacementChange
  | { kind: 'resume'; workload: number }
  /** Millicores for CPU, base units for other resources. */
  | { kind: 'addCapacity'; cluster: string; amounts: { resource: string; amount: number }[] }

export interface FixQuestion {
  fleet: LossFleet
  /** All of `sets` are simulated. */
  simulation: LossSimulation
  sets: readonly (readonly string[])[]
}

export interface Candidate {
  change: FixChange
  policy?: string | undefined
  edit?: PlacementEdit
  /** Changes other than edits of a policy. */
  changes: { bindings?: ReadonlyMap<number, Binding>; cluster?: Cluster }
}

/** A workload that loses replicas. */
interface Loser {
  workload: number
  binding: Binding
  lost: readonly string[]
  missing: number
}

const MAX_POLICIES = 12
const MAX_SUSPENDED = 6
const MAX_SHORT = 4
/** Maximum number of clusters tried for one placement. */
const MAX_CLUSTERS = 2
const TAINTS = taintsOf('fails', 0)

/** Returns the policy of the workload as `namespace/name`, or the name of a ClusterPropagationPolicy. */
export function policyOf({ metadata: { annotations = {} } }: Binding): string | undefined {
  const namespace = annotations[POLICY_NAMESPACE_ANNOTATION]
  const name = annotations[POLICY_NAME_ANNOTATION]
  return namespace && name ? `${namespace}/${name}` : annotations[CLUSTER_POLICY_NAME_ANNOTATION]
}

/** Returns the candidates, sorted by the number of losses. */
export function candidatesOf(question: FixQuestion): Candidate[] {
  const losers = losersIn(question)
  const suspended = losers.filter(({ binding }) => isSchedulingSuspended(binding.spec))
  const others = losers.filter(({ binding }) => !isSchedulingSuspended(binding.spec))
  const byPolicy = [...Map.groupBy(others, ({ binding }) => policyOf(binding))]
    .filter(([policy]) => policy !== undefined)
    .sort(([, a], [, b]) => b.length - a.length)
  return [
    ...byPolicy.slice(0, MAX_POLICIES).flatMap(([policy, list]) => editsFor(policy!, list, question)),
    ...resumptions(suspended),
    ...capacities(others, question),
  ]
}

function losersIn({ simulation, sets }: FixQuestion): Loser[] {
  return sets.flatMap((lost) => {
    const loss = simulation.outcome(lost)
    return [...(loss?.workloads ?? [])].flatMap((workload, at) =>
      isLoss(FATES[loss!.fates[at]!]!)
        ? [{ workload, binding: simulation.workloads[workload]!, lost, missing: loss!.missing[at]! }]
        : [],
    )
  })
}

function resumptions(losers: readonly Loser[]): Candidate[] {
  const byWorkload = new Map(losers.map(({ workload, binding }) => [workload, binding]))
  return [...byWorkload].slice(0, MAX_SUSPENDED).map(([workload, binding]) => {
    const { suspension, ...spec } = binding.spec
    const { scheduling: _scheduling, ...rest } = suspension ?? {}
    const resumed = { ...binding, spec: { ...spec, suspension: rest } }
    return { change: { kind: 'resume', workload }, changes: { bindings: new Map([[workload, resumed]]) } }
  })
}

/** Returns edits of the policy of all these workloads, derived from the first of them. */
function editsFor(policy: string, losers: readonly Loser[], question: FixQuestion): Candidate[] {
  const [first] = losers
  const placement = first!.binding.spec.placement ?? {}
  const made = (edit: PlacementEdit): Candidate => ({ change: edit.change, policy, edit, changes: {} })
  if (toleration(first!.binding, TAINTS, 0) === 'never') {
    const edit = limitToleration(placement)
    return edit ? [made(edit)] : []
  }
  const wider = replacementsFor(losers, question).flatMap((cluster) => allowCluster(placement, cluster) ?? [])
  const groups = groupsIn(withoutLost(first!, question))
  return [...wider.slice(0, MAX_CLUSTERS), ...loosenSpread(placement, groups)].map(made)
}

/** Returns clusters that are not lost, emptiest first, starting with regions without a lost cluster. */
function replacementsFor(losers: readonly Loser[], { fleet: { clusters } }: FixQuestion): Cluster[] {
  const lost = new Set(losers.flatMap((one) => one.lost))
  const lostRegions = new Set(clusters.filter(({ metadata }) => lost.has(metadata.name)).map(({ spec }) => spec.region))
  const isApart = ({ metadata: { name }, spec: { region } }: Cluster): number =>
    lost.has(name) ? 2 : region !== undefined && lostRegions.has(region) ? 1 : 0
  return clusters
    .filter(({ metadata, status }) => !metadata.deletionTimestamp && status?.resourceSummary)
    .toSorted((a, b) => isApart(a) - isApart(b) || freeCpu(b) - freeCpu(a))
}

function freeCpu({ status }: Cluster): number {
  const { allocatable = {}, allocated = {} } = status?.resourceSummary ?? {}
  const [all, used] = [allocatable, allocated].map((list) => tryParseQuantity(list['cpu'] ?? '')?.nano ?? 0n)
  return Number(all! - used!)
}

/** Returns the scheduler's verdict after the loss if nothing else moves. */
function withoutLost({ binding, lost }: Loser, { fleet }: FixQuestion): ScheduleVerdict {
  const names = new Set(lost)
  return scheduleBinding({
    binding: evictedFrom(binding, names),
    clusters: fleet.clusters.map((one) => (names.has(one.metadata.name) ? withTaints(one, TAINTS) : one)),
    profile: fleet.profile ?? defaultProfile,
    now: fleet.now,
  })
}

/** Returns the number of feasible clusters, or of their regions, zones and providers. */
function groupsIn({ attempts }: ScheduleVerdict): (field: string) => number {
  const facts = attempts.at(-1)?.run.candidates.map((candidate) => candidate.facts) ?? []
  return (field) => {
    if (field === 'region') return new Set(facts.map(({ region }) => region).filter(Boolean)).size
    if (field === 'zone') return new Set(facts.flatMap(({ zones }) => zones)).size
    if (field === 'provider') return new Set(facts.map(({ provider }) => provider).filter(Boolean)).size
    return facts.length
  }
}

/** Proposes capacity in the cluster that could take most of the unplaced replicas. */
function capacities(losers: readonly Loser[], question: FixQuestion): Candidate[] {
  const bySet = [...Map.groupBy(losers, ({ lost }) => lost)]
    .map(([, list]) => list.filter(({ missing }) => missing > 0))
    .sort((a, b) => missingIn(b) - missingIn(a))
  return bySet.slice(0, MAX_SHORT).flatMap((list) => {
    const homes = Map.groupBy(
      list.slice(0, MAX_POLICIES).flatMap((loser) => {
        const feasible = withoutLost(loser, question).attempts.flatMap(({ run }) => run.candidates)
        return feasible.map(({ name }) => ({ name, loser }))
      }),
      ({ name }) => name,
    )
    const [best] = [...homes].sort(([, a], [, b]) => b.length - a.length)
    const cluster = best && question.fleet.clusters.find(({ metadata }) => metadata.name === best[0])
    return cluster
      ? [
          enlarged(
            cluster,
            best[1].map(({ loser }) => loser),
          ),
        ]
      : []
  })
}

const missingIn = (losers: readonly Loser[]): number => losers.reduce((sum, { missing }) => sum + missing, 0)

const GIB = 2 ** 30

function enlarged(cluster: Cluster, losers: readonly Loser[]): Candidate {
  const sums = new Map<string, number>()
  for (const { binding, missing } of losers)
    for (const [resource, amount] of knownRequests(binding.spec.replicaRequirements))
      sums.set(resource, (sums.get(resource) ?? 0) + amount * missing)
  const amounts = [...sums].map(([resource, amount]) => ({ resource, amount: roundedUp(resource, amount) }))
  const summary = cluster.status?.resourceSummary ?? {}
  const allocatable = { ...summary.allocatable }
  for (const { resource, amount } of amounts) {
    const more = resource === 'cpu' ? milliQuantityOf(amount) : quantityOf(amount)
    const present = tryParseQuantity(allocatable[resource] ?? '0')
    allocatable[resource] = formatQuantity(present ? addQuantity(present, more) : more)
  }
  const resourceSummary = { ...summary, allocatable }
  return {
    change: { kind: 'addCapacity', cluster: cluster.metadata.name, amounts },
    changes: { cluster: { ...cluster, status: { ...cluster.status, resourceSummary } } },
  }
}

/** Rounds up to whole cores and GiB, the units in which capacity is added. */
function roundedUp(resource: string, amount: number): number {
  const unit = resource === 'cpu' ? 1000 : resource === 'memory' ? GIB : 1
  return Math.ceil(amount / unit) * unit
}
