'use client'
import type { PlanRunView } from '@/lib/view/rebalance-model'
import { useCollection } from '../hooks/use-collection'
import { useUrlState } from '../hooks/use-url-state'
import { useText } from '../messages/use-text'
import { Losses } from '../plan/losses'
import { usePlanLoad } from '../plan/use-plan-load'
import { Refused } from '../shell/list-body'
import { PageFrame } from '../shell/page-frame'
import { Trail, TRAILS } from '../shell/trail'
import { EmptyState } from '../ui/empty-state'
import { Link } from '../ui/link'
import { SkeletonRows } from '../ui/skeleton'
import { PlanActions } from './plan-actions'
import { PlanParts, StateSentence } from './plan-parts'
import { ReadyChart } from './ready-chart'
import { useApprovalLosses } from './use-approval-losses'

/** One RebalancePlan: its preview until it is approved, its waves while it runs, and its result. */
export function PlanRunPage() {
  const text = useText()
  const { get } = useUrlState()
  const name = get('name') ?? ''
  const topic = useCollection(`plan/${name}`)
  const plan = topic.byId.get(name)
  const losing = useApprovalLosses(plan)
  return (
    <PageFrame
      title={<Trail parent={TRAILS.rebalancers} name={name} kind="RebalancePlan" />}
      documentTitle={name}
      freshness={topic.freshness}
      loaded={topic.loaded}
      actions={plan && <PlanActions plan={plan} losing={losing} />}
      subline={plan ? <StateSentence plan={plan} /> : null}
    >
      {topic.refused !== undefined && <Refused what="plans" of={topic} />}
      {!topic.loaded && topic.refused === undefined && <SkeletonRows label={text('plan.page.loading')} />}
      {topic.loaded && plan === undefined && <Gone name={name} />}
      {plan && (
        <div className="px-6">
          <Losses losses={losing.losses} confirmed={!losing.isOpen} onConfirm={losing.confirm} />
        </div>
      )}
      {plan && <PlanBody plan={plan} />}
    </PageFrame>
  )
}

function PlanBody({ plan }: { plan: PlanRunView }) {
  const load = usePlanLoad(plan)
  return <PlanParts plan={plan} load={load} chart={<ReadyChart plan={plan} />} />
}

function Gone({ name }: { name: string }) {
  const text = useText()
  return (
    <EmptyState title={text('plan.page.gone', { name })}>
      <p>{text('plan.page.goneHint')}</p>
      <p>
        <Link href="/rebalancers" className="link">
          {text('rebalance.page.all')}
        </Link>
      </p>
    </EmptyState>
  )
}
