'use client'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import type { FailbackView } from '@/lib/view/rebalance-model'
import { ActionFailure, createPlan, readFailback } from '../hooks/actions'
import { usePlansServed } from '../hooks/use-about'
import { useRightsAgain } from '../hooks/use-can'
import { useRebalanceRights } from '../hooks/use-rebalance-rights'
import { useNow } from '../hooks/use-now'
import { href } from '../hooks/url-state'
import { Rich } from '../messages/rich'
import { useText } from '../messages/use-text'
import { DEFAULT_ROLLOUT } from './rollout'
import { GuardedButton } from '../ui/guarded-button'
import { Notice } from '../ui/notice'
import { Link } from '../ui/link'

const REFRESH_MS = 5000

/** Stops for a user who may not list clusters: another request would be refused too. */
const refreshMs = ({ state: { error } }: { state: { error: Error | null } }) =>
  error instanceof ActionFailure && error.code === 403 ? false : REFRESH_MS

/** Recovered clusters that workloads were evicted from: what could return, with a button for its preview. */
export function FailbackNotices() {
  const { data = [] } = useQuery({
    queryKey: ['failback'],
    queryFn: readFailback,
    refetchInterval: refreshMs,
    retry: false,
  })
  return data.map((suggestion) => <FailbackNotice key={suggestion.id} suggestion={suggestion} />)
}

function FailbackNotice({ suggestion }: { suggestion: FailbackView }) {
  const text = useText()
  const served = usePlansServed()
  const router = useRouter()
  const now = useNow()
  const { cluster, healthySince, isStable, stableAt, left, returning } = suggestion
  const make = useMutation({
    mutationFn: () => createPlan({ selection: { left: [cluster] }, rollout: DEFAULT_ROLLOUT }),
    onSuccess: ({ name }) => router.push(href.planRun(name)),
    onError: useRightsAgain(),
  })
  const { inWaves } = useRebalanceRights()
  const wait = Date.parse(stableAt) - now
  const action = served && returning > 0 && (
    <GuardedButton right={inWaves} onClick={() => make.mutate()} disabled={make.isPending}>
      {text(make.isPending ? 'rebalance.newPlan.creating' : 'rebalance.newPlan.preview')}
    </GuardedButton>
  )
  return (
    <div
      data-testid="failback"
      data-cluster={cluster}
      data-left={left}
      data-returning={returning}
      data-stable={isStable}
    >
      <Notice state={isStable ? 'ok' : 'active'} action={action}>
        <Rich
          code={now === 0 ? 'rebalance.failback.healthy' : 'rebalance.failback.healthyFor'}
          args={{ cluster, left, returning, span: { ms: now - Date.parse(healthySince) } }}
          parts={{ link: <Link href={href.cluster(cluster)} className="link" /> }}
        />
        {!isStable && now !== 0 && wait > 0 && (
          <span className="text-ink-2"> {text('rebalance.failback.wait', { span: { ms: wait } })}</span>
        )}
        {make.error && <span role="alert"> {make.error.message}</span>}
      </Notice>
    </div>
  )
}
