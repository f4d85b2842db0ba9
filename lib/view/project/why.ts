/** Why a cluster has or has not the workload, were it scheduled afresh now: the scheduling code itself is asked. */
import { type ClusterVerdict, explainVerdict, scheduleBinding } from '@/lib/domain/placement'
import { formatNumberOf } from '@/lib/format/numbers'
import type { Cluster } from '@/lib/kube/kinds/cluster'
import type { WhyView } from '../model'
import { type AnyBinding, hasReplicas } from './binding-facts'

/** The estimate of what is not estimated at all. */
const NO_LIMIT = 2 ** 31 - 1

const RULES: Record<NonNullable<ClusterVerdict['rejectedBy']>['rule'], string> = {
  APIEnablement: 'It does not serve this kind of object',
  TaintToleration: 'It has a taint that the placement does not tolerate',
  ClusterAffinity: 'The placement does not name it',
  SpreadConstraint: 'It lacks the field by which the workload is to be spread',
  ClusterEviction: 'The workload is just being evicted from it',
  Deleting: 'It is not available',
}

/** One line for each cluster, by name. Empty for a binding without placement, which the scheduler leaves alone. */
export function explainPlacement(binding: AnyBinding, clusters: readonly Cluster[]): WhyView[] {
  if (!binding.spec.placement) return []
  const verdict = scheduleBinding({ binding, clusters, mode: 'Fresh' })
  const counted = hasReplicas(binding)
  const lines = explainVerdict(verdict, clusters.map(({ metadata }) => metadata.name))
  return lines.map((line) => toWhy(line, counted, verdict.failure?.message))
}

function toWhy(line: ClusterVerdict, counted: boolean, failure: string | undefined): WhyView {
  const { cluster, fits, score, allocatableReplicas: capacity } = line
  return {
    cluster, fits, sentence: sentenceOf(line, counted, failure),
    ...(score !== undefined && { score }),
    ...(capacity !== undefined && capacity < NO_LIMIT && { capacity }),
  }
}

function sentenceOf(line: ClusterVerdict, counted: boolean, failure: string | undefined): string {
  const { rejectedBy, selected, replicas, weight } = line
  if (rejectedBy) return `${RULES[rejectedBy.rule]}: ${rejectedBy.reason.replace(/\.$/, '')}.`
  if (replicas === undefined) return `It fits, but nothing can be placed: ${failure ?? 'the clusters do not suffice'}`
  if (!selected) return 'It fits, but others are preferred.'
  if (!counted) return 'It would get a copy.'
  const share = weight === undefined ? '' : `, by a weight of ${weight}`
  if (replicas === 0) return `It fits, but no replicas are left for it${share}.`
  return `It would get ${formatNumberOf(replicas, 'replica')}${share}.`
}
