'use client'
import type { BlockerView } from '@/lib/view/model'
import { useQuery } from '@tanstack/react-query'
import { formatNumberOf } from '@/lib/format'
import type { ClusterBlockersView } from '@/lib/view/failover-model'
import { parseWorkloadId } from '@/lib/view/workload-id'
import { readBlockers } from '../hooks/actions'
import { nameOf } from '../hooks/filter'
import { href } from '../hooks/url-state'
import { StateGlyph } from '../status/state-glyph'
import { Link } from '../ui/link'

const REFRESH_MS = 5000
/** Names that a reason lists itself. */
const MOST = 5

/** For each cluster in trouble: why its workloads are still there. */
export function BlockedBy({ clusters }: { clusters: readonly string[] }) {
  if (clusters.length === 0) return null
  return (
    <section aria-labelledby="blocked-by" className="px-6 py-4">
      <h2 id="blocked-by" className="text-section">
        Why nothing happens, or what it waits for
      </h2>
      {clusters.map((cluster) => (
        <BlockedInCluster key={cluster} cluster={cluster} />
      ))}
    </section>
  )
}

/** Why the workloads of one cluster are still there, reason by reason. */
export function BlockedInCluster({ cluster }: { cluster: string }) {
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
      {data?.reasons.length === 0 && <p className="text-ink-2">Nothing is waiting there.</p>}
      <ul>
        {data?.reasons.map((group) => (
          <ReasonLine key={group.reason} group={group} cluster={cluster} />
        ))}
      </ul>
    </div>
  )
}

function ReasonLine({
  group: { reason, sentence, workloads },
  cluster,
}: {
  group: ClusterBlockersView['reasons'][number]
  cluster: string
}) {
  return (
    <li className="flex gap-2 py-0.5" data-reason={reason}>
      <span className="flex h-5 items-center">
        <StateGlyph state="held" />
      </span>
      <span>
        {sentence}{' '}
        <span className="text-ink-2">
          {workloads.slice(0, MOST).map((id, index) => (
            <span key={id}>
              {index > 0 && ', '}
              <WorkloadLink id={id} />
            </span>
          ))}
          {workloads.length > MOST && (
            <>
              {' '}
              and{' '}
              <Link href={href.fleet({ q: `cluster=${cluster}` })} className="link">
                {formatNumberOf(workloads.length - MOST, 'more', 'more')}
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
    <Link href={href.workload(id)} className="hover:underline">
      {ref ? nameOf(ref) : id}
    </Link>
  )
}

/** Why nothing happens to one workload. */
export function WorkloadBlockedBy({ blockedBy }: { blockedBy: readonly BlockerView[] }) {
  return (
    <section aria-label="Why nothing happens" data-testid="blockedBy">
      <h3 className="text-section">Why nothing happens, or what it waits for</h3>
      <ul>
        {blockedBy.map(({ reason, cluster, sentence }) => (
          <li key={`${reason} ${cluster}`} className="flex gap-2 py-0.5" data-reason={reason}>
            <span className="flex h-5 items-center">
              <StateGlyph state={reason === 'nothingFailed' ? 'ok' : 'held'} />
            </span>
            {sentence}
          </li>
        ))}
      </ul>
    </section>
  )
}
