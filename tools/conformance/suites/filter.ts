import { filterClusters, filterRules, describeNoFit } from '@/lib/domain/placement/filter'
import { type ClusterFacts, snapshotOf } from '@/lib/domain/placement/facts'
import { type Candidate, compileCandidate } from '@/lib/domain/placement/candidate'
import { type PlacementRequest, modeOf, placementRequest } from '@/lib/domain/placement/request'
import type { BindingSpec, BindingStatus } from '@/lib/kube/kinds/binding'
import type { Cluster } from '@/lib/kube/kinds/cluster'
import { differs, firstOf } from '../compare'
import type { Case, Suite } from '../suite'

interface Input {
  clusters: Cluster[]
  binding: { spec: BindingSpec; status?: BindingStatus }
}

interface Result {
  deleting?: boolean
  fits: boolean
  plugins: Record<string, { code: string; reasons?: string[] }>
  score?: number
}

interface Output {
  results: Record<string, Result>
  feasible: string[]
  fitError?: string
  possibleFitErrors?: string[]
}

function judge({ input, output }: Case<Input, Output>): string | undefined {
  const { spec, status = {} } = input.binding
  const request = placementRequest(spec, modeOf({ spec, status }), status.schedulerObservingAffinityName ?? '')
  const snapshot = snapshotOf(input.clusters)
  const { facts } = snapshot
  const { feasible, rejections } = filterClusters(facts, request)
  const reasons = rejections.map(({ reason }) => reason)
  return firstOf(
    differs('feasible', feasible.map((position) => facts[position]!.name).toSorted(), output.feasible),
    fitErrorDiffers(feasible.length === 0 ? describeNoFit(facts.length, reasons) : undefined, output),
    ...facts.map((one) => rulesDiffer(one, request, output.results[one.name])),
    ...feasible.map((position) => scoreDiffers(compileCandidate(request, snapshot, () => 0)(position), output)),
  )
}

/** Every rule is evaluated separately. */
function rulesDiffer(facts: ClusterFacts, request: PlacementRequest, recorded: Result | undefined): string | undefined {
  return firstOf(
    ...filterRules.map(({ name, compile }) => {
      const reasons = [compile(request)?.(facts)].filter((reason) => reason !== undefined)
      return differs(`${facts.name} ${name}`, reasons, recorded?.plugins[name]?.reasons ?? [])
    }),
  )
}

function scoreDiffers({ name, score }: Candidate, { results }: Output): string | undefined {
  return differs(`${name} score`, score, results[name]?.score)
}

/**
 * The real framework runs its plugins in an order that is random per process, so the recorded texts are a sample. A
 * result is correct if it was recorded, or if each cluster has one of its recorded reasons, in one order.
 */
function fitErrorDiffers(text: string | undefined, output: Output): string | undefined {
  const { fitError, possibleFitErrors, results } = output
  if (!possibleFitErrors) return differs('fitError', text, fitError)
  if (text !== undefined && possibleFitErrors.includes(text)) return undefined
  const firstReasons = Object.values(results)
    .filter(({ deleting }) => !deleting)
    .flatMap(({ plugins }) => filterRules.map(({ name }) => plugins[name]?.reasons?.[0]).find(Boolean) ?? [])
  return differs('fitError', text, describeNoFit(Object.keys(results).length, firstReasons))
}

export const suite: Suite<Input, Output> = { name: 'filter', judge }
