'use client'
import { planActionNeeds } from '@/lib/view/needs'
import type { PlanAction, PlanRunView } from '@/lib/view/rebalance-model'
import { ActButton } from '../commands/act-button'
import { useMay } from '../hooks/use-can'
import { useText } from '../messages/use-text'
import { lossButton } from '../plan/loss-words'
import type { ApprovalLosses } from './use-approval-losses'
import { usePlanActions } from './use-plan-actions'

/** The buttons of a plan: only those that have an effect now. */
export function PlanActions({ plan, losing }: { plan: PlanRunView; losing: ApprovalLosses }) {
  const { request, requested, error } = usePlanActions(plan)
  return (
    <>
      {error && (
        <span role="alert" className="text-fail">
          {error.message}
        </span>
      )}
      {plan.actions.map((each) => (
        <PlanActionButton
          key={each}
          plan={plan}
          action={each}
          requested={requested}
          losing={losing}
          onAct={() => request(each)}
        />
      ))}
    </>
  )
}

interface PlanActionButtonProps {
  plan: PlanRunView
  action: PlanAction
  /** The action that was requested and not answered yet. */
  requested: PlanAction | undefined
  /** The workloads that the approval stops. */
  losing: ApprovalLosses
  onAct: () => void
}

function PlanActionButton({ plan: { name }, action, requested, losing, onAct }: PlanActionButtonProps) {
  const text = useText()
  const [usual, meaning] = [text(`plan.action.${action}`), text(`plan.actionMeaning.${action}`)]
  const label = action === 'approve' ? lossButton(text, 'approve', usual, losing.losses) : usual
  return (
    <ActButton
      command={text('plan.command', { label, meaning })}
      right={useMay(planActionNeeds(name, action))}
      variant={action === 'approve' ? 'primary' : 'secondary'}
      disabled={requested !== undefined || (action === 'approve' && losing.isOpen)}
      title={meaning}
      data-action={action}
      onAct={onAct}
    >
      {requested === action ? text('plan.requesting') : label}
    </ActButton>
  )
}
