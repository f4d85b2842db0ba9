import { filterClusters, filterRules, describeNoFit } from '@/lib/domain/placement/filter'
import { type ClusterFacts, snapshotOf } from '@/lib/domain/placement/facts'
import { candidateOf } from '@/lib/domain/placement/candidate'
import { modeOf, placementRequest } from '@/lib/domain/placement/request'
import type { BindingSpec, BindingStatus } from '@/lib/kube/kinds/binding'
import type { Cluster } from '@/lib/kube/kinds/cluster'
import { differs, firstOf } from './compare'
import type { Case, Suite } from './suite'

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
  const request = placementRequest(spec, modeOf(spec, status), status.schedulerObservingAffinityName ?? '')
  const { facts } = snapshotOf(input.clusters)
  const verdict = filterClusters(facts, request)
  const { rejections } = verdict
  const feasible = verdict.feasible.map((position) => facts[position]!)
  const scoreOf = (one: ClusterFacts): number =>
    candidateOf(one, request, { rank: 0, overflowOrder: 0, allocatableReplicas: 0 }).score
  const fitError = feasible.length === 0 ? describeNoFit(facts.length, rejections.map(({ reason }) => reason)) : undefined
  return firstOf(
    differs('feasible', feasible.map(({ name }) => name).toSorted(), output.feasible),
    fitErrorDiffers(fitError, output),
    ...facts.flatMap((one) => [
      ...filterRules.map(({ name, compile }) =>
        differs(`${one.name} ${name}`, [compile(request)(one)].filter(Boolean), output.results[one.name]?.plugins[name]?.reasons ?? [])),
      differs(`${one.name} score`, feasible.includes(one) ? scoreOf(one) : undefined, output.results[one.name]?.score),
    ]),
  )
}

/**
 * The real framework asks its plugins in an order that is random per process; the recorded texts are a sample of the
 * possible ones. Ours is right when it was seen, or when every cluster named one of its recorded reasons, in one order.
 */
function fitErrorDiffers(text: string | undefined, { fitError, possibleFitErrors, results }: Output): string | undefined {
  if (!possibleFitErrors) return differs('fitError', text, fitError)
  if (text !== undefined && possibleFitErrors.includes(text)) return undefined
  const firstReasons = Object.values(results)
    .filter(({ deleting }) => !deleting)
    .flatMap(({ plugins }) => filterRules.map(({ name }) => plugins[name]?.reasons?.[0]).find(Boolean) ?? [])
  return differs('fitError', text, describeNoFit(Object.keys(results).length, firstReasons))
}

export const suite: Suite<Input, Output> = { name: 'filter', judge }
