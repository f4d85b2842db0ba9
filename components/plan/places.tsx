import type { Message } from '@/lib/messages/message'
import { replicasIn } from '@/lib/view/distribution'
import type { ReplicasInCluster } from '@/lib/view/model'
import { useText } from '../messages/use-text'
import { hasReplicas, isSamePlaces, planLines } from './plan-diff'

/** Absent: it was not recorded. */
export interface PlacesProps {
  before?: ReplicasInCluster[] | undefined
  after?: ReplicasInCluster[] | undefined
  /** Shown where the result differs. */
  predicted?: ReplicasInCluster[] | undefined
  /** The prediction was marked uncertain. */
  uncertain?: boolean | undefined
  /** Another prediction, by the latest reports; shown until there is a result. */
  expected?: ReplicasInCluster[] | undefined
  /** Why the prediction in `after` is uncertain. */
  doubt?: Message | undefined
}

/** Replicas before and after in each cluster, and the prediction where the result differs from it. */
export function Places({ before, after, predicted, uncertain, expected, doubt }: PlacesProps) {
  const text = useText()
  if (before === undefined && after === undefined)
    return <span className="text-ink-2">{text('rebalance.places.notRecorded')}</span>
  const places = { before: before ?? after ?? [], after: after ?? before ?? [] }
  if (!hasReplicas(places)) {
    return <span className="text-ink-2">{text.of(replicasIn(places.after))}</span>
  }
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
      {before === undefined && <p className="text-ink-2">{text('rebalance.places.beforeNotRecorded')}</p>}
      {predicted && after && !isSamePlaces(predicted, after) && (
        <p className="text-ink-2">
          {text(uncertain ? 'rebalance.places.predictedUncertain' : 'rebalance.places.predicted', {
            places: replicasIn(predicted),
          })}
        </p>
      )}
      {expected && !after && (
        <p className="text-ink-2">{text('rebalance.places.expected', { places: replicasIn(expected) })}</p>
      )}
      {doubt && <p className="text-ink-2">{text.of(doubt)}</p>}
    </>
  )
}
