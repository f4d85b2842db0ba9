'use client'
import { useMutation } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import type { PlanAct, PlanRunView } from '@/lib/view/rebalance-model'
import { actOnPlan, createPlan } from '../hooks/actions'
import { useRightsAgain } from '../hooks/use-can'
import { href } from '../hooks/url-state'
import { useText } from '../messages/use-text'
import { useAnnounce } from '../shell/announcer'

/** The actions on a plan. None is shown as done before the status of the plan reports it. */
export function usePlanActs(plan: PlanRunView) {
  const router = useRouter()
  const announce = useAnnounce()
  const text = useText()
  const mutation = useMutation({
    mutationFn: (act: PlanAct) => carryOut(plan, act),
    onError: useRightsAgain(),
    onSuccess: ({ name }, act) => {
      announce(text(`plan.requested.${act}`))
      if (act === 'undo') router.push(href.planRun(name))
      if (act === 'discard') router.push('/rebalancers')
    },
  })
  return { act: mutation.mutate, asked: mutation.isPending ? mutation.variables : undefined, error: mutation.error }
}

function carryOut({ name, base = '', holds }: PlanRunView, act: PlanAct): Promise<{ name: string }> {
  switch (act) {
    case 'approve': return actOnPlan({ name, act, base })
    case 'continue': return actOnPlan({ name, act, holds })
    case 'undo': return createPlan({ undoOf: name })
    default: return actOnPlan({ name, act })
  }
}
