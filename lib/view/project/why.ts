/** Why a cluster has or has not the workload, were it scheduled afresh now: the scheduling code itself is asked. */
import { type ClusterVerdict, explainVerdict, scheduleBinding, type ScheduleVerdict } from '@/lib/domain/placement'
import { formatCount, formatNumberOf } from '@/lib/format/numbers'
import type { Cluster } from '@/lib/kube/kinds/cluster'
import type { WhyView } from '../model'
import { type AnyBinding, hasReplicas } from './binding-facts'

/** The estimate of what is not estimated at all. */
const NO_LIMIT = 2 ** 31 - 1

type Rejection = NonNullable<ClusterVerdict['rejectedBy']>

/** What all lines of one run share. */
interface Run {
  binding: AnyBinding
  verdict: ScheduleVerdict
  /** Sum of all weights by which replicas were divided. */
  totalWeight: number
}

/** One line for each cluster, by name. Empty for a binding without placement, which the scheduler leaves alone. */
export function explainPlacement(binding: AnyBinding, clusters: readonly Cluster[]): WhyView[] {
  if (!binding.spec.placement) return []
  const verdict = scheduleBinding({ binding, clusters, mode: 'Fresh' })
  const lines = explainVerdict(verdict, clusters.map(({ metadata }) => metadata.name))
  const run = { binding, verdict, totalWeight: lines.reduce((sum, { weight = 0 }) => sum + weight, 0) }
  return lines.map((line) => toWhy(line, run))
}

function toWhy(line: ClusterVerdict, run: Run): WhyView {
  const { cluster, fits, score, weight, replicas } = line
  const capacity = capacityOf(line)
  return {
    cluster, fits, sentence: `${sentenceOf(line, run)}.`,
    ...(score !== undefined && { score }),
    ...(capacity !== undefined && { capacity }),
    ...(weight !== undefined && { weight }),
    ...(replicas !== undefined && hasReplicas(run.binding) && { replicas }),
  }
}

function capacityOf({ allocatableReplicas }: ClusterVerdict): number | undefined {
  return allocatableReplicas !== undefined && allocatableReplicas < NO_LIMIT ? allocatableReplicas : undefined
}

function sentenceOf(line: ClusterVerdict, run: Run): string {
  const { rejectedBy, selected, replicas } = line
  if (rejectedBy) return rejectionText(rejectedBy, run)
  if (replicas === undefined) return `It fits, but nothing can be placed: ${failureText(run)}`
  if (!selected) return `It fits, but the spread constraints prefer other clusters${factsOf(line, run)}`
  if (!hasReplicas(run.binding)) return 'It would get a copy'
  if (replicas > 0) return `It would get ${formatNumberOf(replicas, 'replica')}${factsOf(line, run)}`
  return `It fits, but ${leftOutText(line, run)}${factsOf(line, run)}`
}

function failureText({ verdict: { failure } }: Run): string {
  return failure?.message.replace(/\.$/, '') ?? 'the clusters do not suffice'
}

function rejectionText({ rule, reason }: Rejection, run: Run): string {
  switch (rule) {
    case 'APIEnablement': {
      const { apiVersion, kind } = run.binding.spec.resource
      return `It does not serve ${kind} of ${apiVersion}`
    }
    case 'TaintToleration':
      return `It has a taint that the placement does not tolerate: ${/\{(.*)\}/.exec(reason)?.[1] ?? reason}`
    case 'ClusterAffinity':
      return affinityText(run)
    case 'SpreadConstraint':
      return `It has no ${/(provider|region|zone)/.exec(reason)?.[1] ?? 'field'}, by which the placement spreads`
    case 'ClusterEviction':
      return 'The workload is just being evicted from it'
    case 'EvictionHistory':
      return 'The workload failed there a short while ago, and its policy keeps it away for a while'
    case 'WorkloadAffinity':
      return 'A workload that belongs together with it does not run there'
    case 'WorkloadAntiAffinity':
      return 'A workload from which it is to stay apart runs there'
    case 'Deleting':
      return 'It is being deleted'
  }
}

function affinityText({ verdict: { affinityName, attempts } }: Run): string {
  const group = affinityName ?? attempts[0]?.affinityName
  return group ? `It is not in affinity group ${group}, which comes first` : 'The placement does not ask for it'
}

/** Why a selected cluster gets nothing. Without a weight it took no part in the division. */
function leftOutText({ weight }: ClusterVerdict, { binding, totalWeight }: Run): string {
  const scheduling = binding.spec.placement?.replicaScheduling
  if (weight !== undefined || totalWeight === 0) return 'no replicas are left for it'
  if (scheduling?.replicaDivisionPreference === 'Aggregated') return 'fewer clusters suffice'
  return scheduling?.weightPreference?.dynamicWeight ? 'nearer clusters suffice' : 'the placement gives it no weight'
}

/** ` (runs there already, room for 10 more, weight 12 of 40)` */
function factsOf(line: ClusterVerdict, { totalWeight }: Run): string {
  const { score = 0, weight } = line
  const capacity = capacityOf(line)
  const facts = [
    ...(score > 0 ? ['runs there already'] : []),
    ...(capacity === undefined ? [] : [`room for ${formatCount(capacity)} more`]),
    ...(weight === undefined ? [] : [`weight ${formatCount(weight)} of ${formatCount(totalWeight)}`]),
  ]
  return facts.length > 0 ? ` (${facts.join(', ')})` : ''
}
