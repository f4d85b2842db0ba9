'use client'
import type { BlockerView } from '@/lib/view/model'
import { useQuery } from '@tanstack/react-query'
import type { ClusterBlockersView } from '@/lib/view/failover-model'
import { nameOf, parseWorkloadId } from '@/lib/view/workload-id'
import { readBlockers } from '../hooks/actions'
import { href } from '../hooks/url-state'
import { useText } from '../messages/use-text'
import { StateGlyph } from './state-glyph'
import { Link } from '../ui/link'

const REFRESH_MS = 5000
/** Names that a reason lists itself. */
const MOST = 5

/** For each cluster with an incident: what blocks the failover of its workloads. */
export function BlockedBy({ clusters }: { clusters: readonly string[] }) {
  const text = useText()
  if (clusters.length === 0) return null
  return (
    <section aria-labelledby="blocked-by" className="px-6 py-4">
      <h2 id="blocked-by" className="text-section">
        {text('failover.blockedBy')}
      </h2>
      {clusters.map((cluster) => (
        <BlockedInCluster key={cluster} cluster={cluster} />
      ))}
    </section>
  )
}

/** What blocks the failover of the workloads of one cluster, reason by reason. */
export function BlockedInCluster({ cluster }: { cluster: string }) {
  const text = useText()
  const { data, error } = useQuery({
    queryKey: ['blocked-by', cluster],
    queryFn: ({ signal }) => readBlockers(cluster, signal),
    refetchInterval: REFRESH_MS,
    retry: false,
  })
  return (
    <div className="mt-2" data-testid="blocked-by" data-cluster={cluster}>
      <h3 className="font-medium">{cluster}</h3>
      {error && <p role="alert">{error.message}</p>}
      {data?.reasons.length === 0 && <p className="text-ink-2">{text('failover.nothingBlocked')}</p>}
      <ul>
        {data?.reasons.map((group) => (
          <ReasonLine key={group.reason} group={group} cluster={cluster} />
        ))}
      </ul>
    </div>
  )
}

function ReasonLine({
  group: { reason, message, workloads },
  cluster,
}: {
  group: ClusterBlockersView['reasons'][number]
  cluster: string
}) {
  const text = useText()
  return (
    <li className="flex gap-2 py-0.5" data-reason={reason}>
      <span className="flex h-5 items-center">
        <StateGlyph state="held" />
      </span>
      <span>
        {text.of(message)}{' '}
        <span className="text-ink-2">
          {workloads.slice(0, MOST).map((id, index) => (
            <span key={id}>
              {index > 0 && ', '}
              <WorkloadLink id={id} />
            </span>
          ))}
          {workloads.length > MOST && (
            <>
              {', '}
              <Link href={href.fleet({ q: `cluster=${cluster}` })} className="link">
                {text('failover.moreWorkloads', { n: workloads.length - MOST })}
              </Link>
            </>
          )}
        </span>
      </span>
    </li>
  )
}

function WorkloadLink({ id }: { id: string }) {
  const ref = parseWorkloadId(id)
  return (
    <Link href={href.workload(id)} className="link">
      {ref ? nameOf(ref) : id}
    </Link>
  )
}

/** What blocks the failover of one workload. */
export function WorkloadBlockedBy({ blockedBy }: { blockedBy: readonly BlockerView[] }) {
  const text = useText()
  return (
    <section aria-label={text('failover.blockedBy')} data-testid="blockers">
      <h3 className="text-section">{text('failover.blockedBy')}</h3>
      <ul>
        {blockedBy.map(({ reason, cluster, message }) => (
          <li key={`${reason} ${cluster}`} className="flex gap-2 py-0.5" data-reason={reason}>
            <span className="flex h-5 items-center">
              <StateGlyph state={reason === 'nothingFailed' ? 'ok' : 'held'} />
            </span>
            {text.of(message)}
          </li>
        ))}
      </ul>
    </section>
  )
}
