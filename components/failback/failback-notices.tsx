'use client'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { formatAge, formatDuration } from '@/lib/format'
import type { FailbackView } from '@/lib/view/rebalance-model'
import { ActionFailure, createPlan, readFailback } from '../hooks/actions'
import { usePlansServed } from '../hooks/use-about'
import { useRightsAgain } from '../hooks/use-can'
import { useRebalanceRights } from '../hooks/use-rebalance-rights'
import { useNow } from '../hooks/use-now'
import { href } from '../hooks/url-state'
import { CALM } from '../plan/manner'
import { GuardedButton } from '../ui/guarded-button'
import { Link } from '../ui/link'
import { Notice } from '../ui/notice'

const REFRESH_MS = 5000

/** Whoever may not see clusters is not told of them; asking on would not change that. */
const refreshMs = ({ state: { error } }: { state: { error: Error | null } }) =>
  error instanceof ActionFailure && error.code === 403 ? false : REFRESH_MS

/** Clusters that are well again and that workloads had to leave: what could return, and one click to its preview. */
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
  const served = usePlansServed()
  const router = useRouter()
  const now = useNow()
  const { cluster, healthySince, isStable, stableAt, returning, text } = suggestion
  const make = useMutation({
    mutationFn: () => createPlan({ selection: { left: [cluster] }, manner: CALM }),
    onSuccess: ({ name }) => router.push(href.planRun(name)), onError: useRightsAgain(),
  })
  const { inWaves } = useRebalanceRights()
  const wait = Date.parse(stableAt) - now
  const action = served && returning > 0 && (
    <GuardedButton right={inWaves} onClick={() => make.mutate()} disabled={make.isPending}>
      {make.isPending ? 'Making the plan…' : 'Show what would move'}
    </GuardedButton>
  )
  return (
    <div
      data-testid="failback"
      data-cluster={cluster}
      data-left={suggestion.left}
      data-returning={returning}
      data-stable={isStable}
    >
      <Notice state={isStable ? 'ok' : 'active'} action={action}>
        <Link href={href.cluster(cluster)} className="link">
          {cluster}
        </Link>{' '}
        is well again{now !== 0 && `, for ${formatAge(healthySince, now)} now`}. {text}
        {!isStable && now !== 0 && wait > 0 && (
          <span className="text-ink-2"> Better wait {formatDuration(wait)} more, to see that it stays well.</span>
        )}
        {make.error && <span role="alert"> {make.error.message}</span>}
      </Notice>
    </div>
  )
}
