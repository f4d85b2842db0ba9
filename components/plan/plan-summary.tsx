import { formatAge, formatNumberOf, joinWords } from '@/lib/format'
import type { RebalancePlanView } from '@/lib/view/rebalance-model'
import { useNow } from '../hooks/use-now'
import { StateMark } from '../status/state-mark'
import { Button } from '../ui/button'
import { Figures } from '../ui/figures'
import { lossesOfRebalance, lossSummary } from './loss-words'

/** After this age a plan is better computed again before it is applied. */
const FRESH_MS = 60_000

/** What the plan was computed from, and how old it is. */
export function PlanAge({
  plan,
  computing,
  onRecompute,
}: {
  plan: RebalancePlanView
  computing: boolean
  onRecompute: () => void
}) {
  const now = useNow()
  const age = now - Date.parse(plan.computedAt)
  const old = now !== 0 && age > FRESH_MS
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2">
      <span>base {shortBase(plan.base)}</span>·
      <span>computed {now === 0 || age < 1000 ? 'just now' : `${formatAge(plan.computedAt, now)} ago`}</span>·
      <StateMark state={old ? 'warn' : 'ok'} word={old ? 'Getting old' : 'Checked again when applied'} />
      <Button variant="quiet" small onClick={onRecompute} disabled={computing}>
        {computing ? 'Computing…' : 'Compute again'}
      </Button>
    </span>
  )
}

const shortBase = (base: string): string => (base.length > 12 ? `${base.slice(0, 12)}…` : base)

/** The blast radius in one sentence. */
export function planSentence({ totals }: RebalancePlanView): string {
  const targets = formatNumberOf(totals.targets, 'workload')
  if (totals.moving === 0) return `Nothing moves: ${totals.targets === 1 ? 'it is' : `all ${targets} are`} where a fresh scheduling would put ${totals.targets === 1 ? 'it' : 'them'}, or will not move.`
  const moving =
    totals.moving === totals.targets ? formatNumberOf(totals.moving, 'workload') : `${totals.moving} of ${targets}`
  const clusters = `${formatNumberOf(totals.clustersTouched.length, 'cluster')} (${joinWords(totals.clustersTouched, 6)})`
  return `${moving} ${totals.moving === 1 ? 'moves' : 'move'} ${formatNumberOf(totals.replicasMoved, 'replica')} in ${clusters}.`
}

/** What it costs on the way, for the workload that it costs most. */
function lowestSentence(plan: RebalancePlanView): string {
  const { targets } = plan
  const losses = lossesOfRebalance(plan)
  const summary = losses.length > 0 ? ` ${lossSummary(losses)}` : ''
  const stopping = new Set(losses.map(({ id }) => id))
  const fewer = targets
    .filter(({ id, verdict }) => verdict === 'moves' && !stopping.has(id))
    .map(({ ready }) => ready.now - ready.lowest)
  const worst = Math.max(0, ...fewer)
  if (worst === 0) return summary || ' No workload has fewer ready replicas on the way than now.'
  const some = fewer.filter((loss) => loss > 0).length
  return `${summary} On the way ${formatNumberOf(some, 'workload')} may have fewer ready replicas than now, at worst ${worst} fewer.`
}

/** Figures of the blast radius. */
export function PlanTotals({ plan }: { plan: RebalancePlanView }) {
  const { totals } = plan
  const figures = [
    { name: 'targets', label: totals.targets === 1 ? 'workload' : 'workloads', value: totals.targets },
    { name: 'moving', label: totals.moving === 1 ? 'moves' : 'move', value: totals.moving },
    {
      name: 'replicasMoved',
      label: totals.replicasMoved === 1 ? 'replica moved' : 'replicas moved',
      value: totals.replicasMoved,
    },
    {
      name: 'clustersTouched',
      label: totals.clustersTouched.length === 1 ? 'cluster touched' : 'clusters touched',
      value: totals.clustersTouched.length,
    },
  ]
  return (
    <>
      <div className="mb-2">
        <Figures figures={figures} testId="plan-totals" />
      </div>
      <p className="mb-4">
        {planSentence(plan)}
        {(totals.moving > 0 || plan.targets.some(({ removed }) => removed)) && lowestSentence(plan)}
      </p>
    </>
  )
}
