'use client'
import { useMutation } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import type { PlanAction, PlanRunView } from '@/lib/view/rebalance-model'
import { actOnPlan, createPlan } from '../hooks/actions'
import { useRightsAgain } from '../hooks/use-can'
import { href } from '../hooks/url-state'
import { useText } from '../messages/use-text'
import { useAnnounce } from '../shell/announcer'

/** The actions on a plan. None is shown as done before the status of the plan reports it. */
export function usePlanActions(plan: PlanRunView) {
  const router = useRouter()
  const announce = useAnnounce()
  const text = useText()
  const mutation = useMutation({
    mutationFn: (action: PlanAction) => carryOut(plan, action),
    onError: useRightsAgain(),
    onSuccess: ({ name }, action) => {
      announce(text(`plan.requested.${action}`))
      if (action === 'undo') router.push(href.planRun(name))
      if (action === 'discard') router.push('/rebalancers')
    },
  })
  return {
    request: mutation.mutate,
    requested: mutation.isPending ? mutation.variables : undefined,
    error: mutation.error,
  }
}

function carryOut({ name, base = '', holds }: PlanRunView, action: PlanAction): Promise<{ name: string }> {
  switch (action) {
    case 'approve':
      return actOnPlan({ name, action, base })
    case 'continue':
      return actOnPlan({ name, action, holds })
    case 'undo':
      return createPlan({ undoOf: name })
    default:
      return actOnPlan({ name, action })
  }
}
