'use client'
import { message } from '@/lib/messages/message'
import { scoreOf } from '@/lib/view/loss-score'
import type { LossesView } from '@/lib/view/rebalance-model'
import { useText } from '../messages/use-text'
import { FailoverNote } from '../status/failover-note'
import { StateGlyph } from '../status/state-glyph'
import { Button } from '../ui/button'
import { ScoreLine } from './score-line'
import { headlineOf } from './summary'
import { useComputeLosses } from './use-losses'

/** The sentence, how and when it was computed, and the score. */
export function ResilienceHead({ losses }: { losses: LossesView }) {
  const text = useText()
  const { state, sentence } = headlineOf(losses)
  return (
    <section className="flex flex-wrap items-start justify-between gap-x-8 gap-y-3 border-b border-line px-6 py-4 max-wide:px-4">
      <div className="min-w-0 flex-1 basis-96">
        <div className="flex items-start gap-3">
          <span className="mt-2 flex">
            <StateGlyph state={state} size={18} />
          </span>
          <h2
            className="min-w-0 text-[24px] leading-[32px] font-semibold tracking-[-0.02em] break-words max-wide:text-[20px] max-wide:leading-[28px]"
            data-testid="resilience-headline"
            data-state={state}
          >
            {text.of(sentence)}
          </h2>
        </div>
        <p className="mt-0.5 ml-[30px] text-ink-2">
          <Provenance losses={losses} />
        </p>
        <div className="ml-[30px]">
          <FailoverNote />
        </div>
        <Again losses={losses} />
      </div>
      {losses.tookMs !== undefined && <Score losses={losses} />}
    </section>
  )
}

function Provenance({ losses }: { losses: LossesView }) {
  const text = useText()
  const { clusters, region, zone, unready, spanning, computedAt, tookMs, revision } = losses
  const what = [
    message('resilience.count.cluster', { n: clusters.length }),
    ...(region.losses > 0 ? [message('resilience.count.region', { n: region.losses })] : []),
    ...(zone.losses > 0 ? [message('resilience.count.zone', { n: zone.losses })] : []),
  ]
  return (
    <>
      {clusters.length > 0 && text('resilience.scope', { what })}{' '}
      {unready > 0 && text('resilience.unready', { n: unready })}{' '}
      {spanning > 0 && zone.losses > 0 && text('resilience.spanning', { n: spanning })}{' '}
      {computedAt !== undefined && tookMs !== undefined && (
        <span data-testid="losses-computed" data-revision={revision}>
          {text('resilience.computed', {
            time: { time: computedAt },
            seconds: Math.max(0.1, Math.round(tookMs / 100) / 10),
          })}
        </span>
      )}
    </>
  )
}

/** What to do when nothing is computed, or the fleet has changed since. */
function Again({ losses: { computedAt, clusters, outdated, progress, pairs } }: { losses: LossesView }) {
  const text = useText()
  const compute = useComputeLosses()
  const isNew = computedAt === undefined
  if (progress || !(isNew || outdated)) return null
  return (
    <p className="mt-2 ml-[30px] flex flex-wrap items-center gap-2" data-testid="losses-outdated">
      {outdated && (
        <>
          <StateGlyph state="warn" />
          <span>{text('resilience.outdated')}</span>
        </>
      )}
      <Button small disabled={compute.isPending} onClick={() => compute.mutate(pairs ? 'pairs' : 'start')}>
        {isNew && clusters.length > 0 ? text('resilience.start', { n: clusters.length }) : text('resilience.again')}
      </Button>
      {compute.error && <span role="alert">{compute.error.message}</span>}
    </p>
  )
}

function Score({ losses }: { losses: LossesView }) {
  const text = useText()
  const score = scoreOf(losses)
  return (
    <p className="text-right" data-testid="resilience-score" data-score={score}>
      <span className="block text-[22px] leading-[28px] font-semibold">
        {score === undefined ? '—' : text('resilience.score.value', { score })}
      </span>
      <span className="text-label font-normal text-ink-2">
        {text(score === undefined ? 'resilience.score.unknown' : 'resilience.score.label')}
      </span>
      {losses.history && <ScoreLine history={losses.history} />}
    </p>
  )
}
