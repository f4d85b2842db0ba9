/** Resolves the names of a scenario in a fleet. */
import { message, type Message } from '../../messages/message'
import { shown } from './read-scenario'
import type { ClusterChoice, StepAction, Scenario, WorkloadChoice } from './scenario'

/** The parts of a fleet that steps can name. */
export interface KnownFleet {
  clusters: readonly { name: string; region?: string | undefined; zones: readonly string[] }[]
  /** Reports whether an object exists, by kind and `namespace/name`; an empty kind matches workloads of any kind. */
  has(kind: string, address: string): boolean
}

/** Returns the clusters of a choice in the order of the fleet; unknown names are in `missing`. */
export function clustersOf(
  { clusters: chosen = [], regions = [], zones = [] }: ClusterChoice,
  fleet: Pick<KnownFleet, 'clusters'>,
): { found: string[]; missing: string[] } {
  const { clusters } = fleet
  const found = clusters
    .filter(
      ({ name, region, zones: own }) =>
        chosen.includes(name) || regions.includes(region ?? '') || own.some((zone) => zones.includes(zone)),
    )
    .map(({ name }) => name)
  const missing = [
    ...chosen.filter((one) => !clusters.some(({ name }) => name === one)),
    ...regions.filter((one) => !clusters.some(({ region }) => region === one)),
    ...zones.filter((one) => !clusters.some(({ zones: own }) => own.includes(one))),
  ]
  return { found, missing }
}

/** Returns the names in a scenario that the fleet does not have. */
export function unknownNames({ steps, assertions }: Scenario, fleet: KnownFleet): Message[] {
  // A step may apply objects that a later step names.
  const applied = new Set(
    steps.flatMap(({ action }) =>
      action.kind === 'apply' ? action.given.manifests.map(({ metadata }) => metadata.name) : [],
    ),
  )
  const has: KnownFleet['has'] = (kind, at) => applied.has(at.slice(at.indexOf('/') + 1)) || fleet.has(kind, at)
  const known = { ...fleet, has }
  return [
    ...steps.flatMap(({ index, action }) =>
      missingIn(action, known).map((problem) =>
        message('rehearsal.input.inStep', { step: index + 1, verb: action.kind, problem }),
      ),
    ),
    ...assertions.flatMap(({ name, given }) =>
      missingChoice(given, known).map((problem) =>
        message('rehearsal.input.inAssertion', { assertion: shown(name), problem }),
      ),
    ),
  ]
}

function missingIn(action: StepAction, fleet: KnownFleet): Message[] {
  const { given } = action
  if ('queue' in given) return missingObject('Queue', given.queue, fleet)
  if ('workload' in given) return missingObject(given.kind, given.workload, fleet)
  return missingChoice(given as ClusterChoice & WorkloadChoice, fleet)
}

function missingObject(kind: string, at: string, fleet: KnownFleet): Message[] {
  if (fleet.has(kind, at)) return []
  return [message('rehearsal.input.noObject', { kind, name: shown(at) })]
}

/** A workload of any kind. */
const ANY = ''

function missingChoice(given: ClusterChoice & WorkloadChoice, fleet: KnownFleet): Message[] {
  const { missing } = clustersOf(given, fleet)
  const workloads = (given.workloads ?? []).filter((at) => !fleet.has(ANY, at))
  return [
    ...missing.map((name) => message('rehearsal.input.noCluster', { name: shown(name) })),
    ...workloads.map((name) => message('rehearsal.input.noWorkload', { name: shown(name) })),
  ]
}
