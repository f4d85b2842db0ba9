import type { Text } from '@/lib/messages'
import type { RebalancePlanView } from '@/lib/view/rebalance-model'
import { useNow } from '../hooks/use-now'
import { useText } from '../messages/use-text'
import { StateMark } from '../status/state-mark'
import { Button } from '../ui/button'
import { Figures } from '../ui/figures'
import { lossesOfRebalance, lossSummary, spared } from './loss-words'

/** A preview older than this should be computed again before it is applied. */
const FRESH_MS = 60_000

interface PlanAgeProps {
  plan: RebalancePlanView
  computing: boolean
  onRecompute: () => void
}

/** The state that the preview was computed from, and its age. */
export function PlanAge({ plan, computing, onRecompute }: PlanAgeProps) {
  const text = useText()
  const now = useNow()
  const age = now - Date.parse(plan.computedAt)
  const old = now !== 0 && age > FRESH_MS
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2">
      <span>{text('plan.age.base', { base: shortBase(plan.base) })}</span>·
      <span>{now === 0 || age < 1000 ? text('plan.age.now') : text('plan.age.ago', { age: { ms: age } })}</span>·
      <StateMark state={old ? 'warn' : 'ok'} word={text(old ? 'plan.age.old' : 'plan.age.checked')} />
      <Button variant="quiet" small onClick={onRecompute} disabled={computing}>
        {text(computing ? 'plan.age.computing' : 'plan.age.recompute')}
      </Button>
    </span>
  )
}

const shortBase = (base: string): string => (base.length > 12 ? `${base.slice(0, 12)}…` : base)

/** What the preview moves. */
function planSentence(
  text: Text,
  { targets, totals: { targets: total, moving, replicasMoved: replicas, clustersTouched } }: RebalancePlanView,
): string {
  if (moving === 0) {
    const refused = targets.filter(({ verdict }) => verdict === 'refused').length
    const [only, ...others] = targets
    const why = only && others.length === 0 ? [text.of(only.reason)] : []
    return [text('plan.summary.nothingMoves', { total, refused }), ...why].join(' ')
  }
  const clusters = text.format.list(clustersTouched, 6)
  return text('plan.summary.moves', { moving, total, replicas, n: clustersTouched.length, clusters })
}

/** How many ready replicas workloads lose during the move. */
function readySentences(text: Text, plan: RebalancePlanView): string[] {
  const losses = lossesOfRebalance(plan)
  const summary = losses.length > 0 ? [lossSummary(text, losses)] : []
  const stopping = new Set(losses.map(({ id }) => id))
  const fewer = plan.targets
    .filter(({ id, verdict }) => verdict === 'moves' && !stopping.has(id))
    .map(({ ready }) => ready.now - ready.lowest)
  const worst = Math.max(0, ...fewer)
  if (worst === 0) return summary.length > 0 ? summary : [text('plan.summary.staysReady')]
  return [...summary, text('plan.summary.fewerReady', { n: fewer.filter((loss) => loss > 0).length, worst })]
}

/** Totals of the preview, in figures and in words. */
export function PlanTotals({ plan }: { plan: RebalancePlanView }) {
  const text = useText()
  const { targets, moving, replicasMoved, clustersTouched } = plan.totals
  const touches = moving > 0 || plan.targets.some(({ removed }) => removed)
  const figures = [
    { name: 'targets', label: text('plan.figure.workloads', { n: targets }), value: targets },
    { name: 'moving', label: text('plan.figure.move', { n: moving }), value: moving },
    { name: 'replicasMoved', label: text('plan.figure.replicasMoved', { n: replicasMoved }), value: replicasMoved },
    {
      name: 'clustersTouched',
      label: text('plan.figure.clusters', { n: clustersTouched.length }),
      value: clustersTouched.length,
    },
  ]
  const left = spared(text, plan)
  const sentences = [planSentence(text, plan), ...(touches ? readySentences(text, plan) : [])]
  // First what would be lost: that nothing moves is no news beside it.
  return (
    <>
      <p className="text-section" data-testid="plan-summary">
        {(left === undefined ? sentences : [left, ...(moving > 0 ? sentences : [])]).join(' ')}
      </p>
      <div className="mt-2 mb-4">
        <Figures figures={figures} testId="plan-totals" />
      </div>
    </>
  )
}
