'use client'
import { planActNeeds } from '@/lib/view/needs'
import type { PlanAct, PlanRunView } from '@/lib/view/rebalance-model'
import { ActButton } from '../commands/act-button'
import { useMay } from '../hooks/use-can'
import { useText } from '../messages/use-text'
import { lossButton } from '../plan/loss-words'
import type { ApprovalLosses } from './use-approval-losses'
import { usePlanActs } from './use-plan-acts'

/** The buttons of a plan: only those that have an effect now. */
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
  /** The action that was requested and not answered yet. */
  asked: PlanAct | undefined
  /** The workloads that the approval stops. */
  losing: ApprovalLosses
  onAct: () => void
}

function PlanActButton({ plan: { name }, act, asked, losing, onAct }: PlanActButtonProps) {
  const text = useText()
  const [usual, meaning] = [text(`plan.action.${act}`), text(`plan.actionMeaning.${act}`)]
  const label = act === 'approve' ? lossButton(text, 'approve', usual, losing.losses) : usual
  return (
    <ActButton
      command={text('plan.command', { label, meaning })}
      right={useMay(planActNeeds(name, act))}
      variant={act === 'approve' ? 'primary' : 'secondary'}
      disabled={asked !== undefined || (act === 'approve' && losing.isOpen)}
      title={meaning}
      data-act={act}
      onAct={onAct}
    >
      {asked === act ? text('plan.requesting') : label}
    </ActButton>
  )
}
