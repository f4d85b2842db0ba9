'use client'
import { planActNeeds } from '@/lib/view/needs'
import type { PlanAct, PlanRunView } from '@/lib/view/rebalance-model'
import { ActButton } from '../commands/act-button'
import { useMay } from '../hooks/use-can'
import { lossButton } from '../plan/loss-words'
import { ACT_MEANING, ACT_WORDS } from './plan-words'
import type { ApprovalLosses } from './use-approval-losses'
import { usePlanActs } from './use-plan-acts'

/** The buttons of a plan: only those that do something now. */
export function PlanActs({ plan, losing }: { plan: PlanRunView; losing: ApprovalLosses }) {
  const { act, asked, error } = usePlanActs(plan)
  return (
    <>
      {error && (
        <span role="alert" className="text-fail">
          {error.message}
        </span>
      )}
      {plan.acts.map((each) => (
        <PlanActButton
          key={each} plan={plan} act={each} asked={asked} losing={losing} onAct={() => act(each)}
        />
      ))}
    </>
  )
}

interface PlanActButtonProps {
  plan: PlanRunView
  act: PlanAct
  /** What is being asked for. */
  asked: PlanAct | undefined
  /** What the approval would cost workloads as a whole. */
  losing: ApprovalLosses
  onAct: () => void
}

function PlanActButton({ plan: { name }, act, asked, losing, onAct }: PlanActButtonProps) {
  const words = act === 'approve' ? lossButton('Approve', ACT_WORDS[act], losing.losses) : ACT_WORDS[act]
  return (
    <ActButton
      command={`${words}: ${ACT_MEANING[act]}`}
      right={useMay(planActNeeds(name, act))}
      variant={act === 'approve' ? 'primary' : 'secondary'}
      disabled={asked !== undefined || (act === 'approve' && losing.isOpen)}
      title={ACT_MEANING[act]}
      data-act={act}
      onAct={onAct}
    >
      {asked === act ? 'Asking…' : words}
    </ActButton>
  )
}
