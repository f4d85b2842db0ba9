'use client'
import { planActNeeds } from '@/lib/view/needs'
import type { PlanAct, PlanRunView } from '@/lib/view/rebalance-model'
import { ActButton } from '../commands/act-button'
import { useMay } from '../hooks/use-can'
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
        <PlanActButton key={each} plan={plan} act={each} asked={asked} onAct={() => act(each)} />
      ))}
    </>
  )
}

interface PlanActButtonProps {
  plan: PlanRunView
  act: PlanAct
  /** What is being asked for. */
  asked: PlanAct | undefined
  onAct: () => void
}

function PlanActButton({ plan: { name }, act, asked, onAct }: PlanActButtonProps) {
  return (
    <ActButton
      command={`${ACT_WORDS[act]}: ${ACT_MEANING[act]}`}
      right={useMay(planActNeeds(name, act))}
      variant={act === 'approve' ? 'primary' : 'secondary'}
      disabled={asked !== undefined}
      title={ACT_MEANING[act]}
      data-act={act}
      onAct={onAct}
    >
      {asked === act ? 'Asking…' : ACT_WORDS[act]}
    </ActButton>
  )
}
