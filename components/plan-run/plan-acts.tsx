'use client'
import type { PlanRunView } from '@/lib/view/rebalance-model'
import { Button } from '../ui/button'
import { ACT_MEANING, ACT_WORDS } from './plan-words'
import { usePlanActs } from './use-plan-acts'

/** The buttons of a plan: only those that do something now. */
export function PlanActs({ plan }: { plan: PlanRunView }) {
  const { act, asked, error } = usePlanActs(plan)
  return (
    <>
      {error && (
        <span role="alert" className="text-fail">
          {error.message}
        </span>
      )}
      {plan.acts.map((each) => (
        <Button
          key={each}
          variant={each === 'approve' ? 'primary' : 'secondary'}
          disabled={asked !== undefined}
          title={ACT_MEANING[each]}
          data-act={each}
          onClick={() => act(each)}
        >
          {asked === each ? 'Asking…' : ACT_WORDS[each]}
        </Button>
      ))}
    </>
  )
}
