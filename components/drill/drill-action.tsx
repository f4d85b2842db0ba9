'use client'
import { useMutation } from '@tanstack/react-query'
import { Power } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { simulateNeeds } from '@/lib/view/needs'
import { createPlan, simulateMember } from '../hooks/actions'
import { useMay, useRightsAgain } from '../hooks/use-can'
import { useRebalanceRights } from '../hooks/use-rebalance-rights'
import { href } from '../hooks/url-state'
import { useText } from '../messages/use-text'
import { DEFAULT_ROLLOUT } from '../plan/rollout'
import { buttonClass } from '../ui/button'
import { GuardedButton } from '../ui/guarded-button'
import { Link } from '../ui/link'
import type { Drill, DrillStep } from './drill'

/** The button of a step. It acts in the simulation as the user, with the same requests as the pages. */
export function DrillAction({ drill, step }: { drill: Drill; step: DrillStep }) {
  const text = useText()
  if (step === 'down') return <Simulate cluster={drill.cluster} state="down" />
  if (step === 'watch')
    return (
      <Link href={href.incident({ cluster: drill.cluster })} className={buttonClass('primary')}>
        {text('drill.openIncident')}
      </Link>
    )
  if (step === 'preview')
    return drill.isReady ? <Preview drill={drill} /> : <Simulate cluster={drill.cluster} state="up" />
  return (
    <Link href={href.planRun(drill.plan ?? '')} className={buttonClass('primary')}>
      {text('drill.openPlan')}
    </Link>
  )
}

function Simulate({ cluster, state }: { cluster: string; state: 'up' | 'down' }) {
  const text = useText()
  const act = useMutation({ mutationFn: () => simulateMember(cluster, { state }), onError: useRightsAgain() })
  return (
    <>
      <GuardedButton
        variant="primary"
        right={useMay(simulateNeeds(cluster))}
        disabled={act.isPending}
        onClick={() => act.mutate()}
      >
        <Power size={14} aria-hidden="true" />
        {text(state === 'down' ? 'drill.takeDown' : 'drill.bringBack', { cluster })}
      </GuardedButton>
      {act.error && <span role="alert">{act.error.message}</span>}
    </>
  )
}

function Preview({ drill: { cluster } }: { drill: Drill }) {
  const text = useText()
  const router = useRouter()
  const make = useMutation({
    mutationFn: () => createPlan({ selection: { left: [cluster] }, rollout: DEFAULT_ROLLOUT }),
    onSuccess: ({ name }) => router.push(href.planRun(name)),
    onError: useRightsAgain(),
  })
  return (
    <>
      <GuardedButton
        variant="primary"
        right={useRebalanceRights().inWaves}
        disabled={make.isPending}
        onClick={() => make.mutate()}
      >
        {text('drill.preview')}
      </GuardedButton>
      {make.error && <span role="alert">{make.error.message}</span>}
    </>
  )
}
