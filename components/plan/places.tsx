import { formatReplicas, joinWords } from '@/lib/format'
import type { ReplicasInCluster } from '@/lib/view/model'
import { hasReplicas, planLines } from './plan-diff'

/** Absent: it was not recorded. */
export interface PlacesProps {
  before?: ReplicasInCluster[] | undefined
  after?: ReplicasInCluster[] | undefined
  /** Shown where it came out differently. */
  predicted?: ReplicasInCluster[] | undefined
}

/** Cluster by cluster what it was and what it became, and the prediction where it came out differently. */
export function Places({ before, after, predicted }: PlacesProps) {
  if (before === undefined && after === undefined) return <span className="text-ink-2">not recorded</span>
  const places = { before: before ?? after ?? [], after: after ?? before ?? [] }
  if (!hasReplicas(places))
    return (
      <span className="text-ink-2">in {joinWords(places.after.map((place) => place.cluster)) || 'no cluster'}</span>
    )
  const asPredicted =
    predicted === undefined || after === undefined || formatReplicas(predicted) === formatReplicas(after)
  return (
    <>
      <p className="flex flex-wrap gap-x-3">
        {planLines(places).map((line) => (
          <span
            key={line.cluster}
            className="whitespace-nowrap"
            data-cluster={line.cluster}
            data-before={line.before}
            data-after={line.after}
          >
            <span className="text-ink-2">{line.cluster} </span>
            {line.delta === 0 ? line.after : `${line.before} → ${line.after}`}
          </span>
        ))}
      </p>
      {before === undefined && <p className="text-ink-2">Where it was before was not recorded.</p>}
      {!asPredicted && <p className="text-ink-2">predicted: {formatReplicas(predicted)}</p>}
    </>
  )
}
