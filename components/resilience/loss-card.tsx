'use client'
import type { LossView } from '@/lib/view/rebalance-model'
import { href } from '../hooks/url-state'
import { useUrlState } from '../hooks/use-url-state'
import { useText } from '../messages/use-text'
import { StateGlyph } from '../status/state-glyph'
import { Button, buttonClass } from '../ui/button'
import { Link } from '../ui/link'
import type { Chosen } from './use-chosen'
import { peakMessage, titleOfCase } from './words'

/** What the chosen loss costs. */
export function LossCard({ chosen: { kind, names, loss, pending } }: { chosen: Chosen }) {
  const text = useText()
  const { tweak } = useUrlState()
  const shown = loss ?? { ...UNKNOWN, clusters: [...names], place: names[0] }
  const title = text.of(titleOfCase({ kind, loss: shown }))
  return (
    <section
      aria-label={title}
      data-testid="loss-card"
      data-losing={loss?.losing}
      data-placed={loss?.placed}
      data-needed={loss?.needed}
      className="min-w-0 rounded-panel border border-line bg-paper p-3 shadow-overlay"
    >
      <h3 className="line-clamp-3 text-section break-words" title={title}>
        {title}
      </h3>
      {loss ? (
        <Outcome loss={loss} />
      ) : (
        <p className="text-ink-2">{text(pending ? 'resilience.card.pending' : 'resilience.card.missing')}</p>
      )}
      <p className="mt-2 flex flex-wrap gap-2">
        <Link href={href.whatIf(loss?.clusters ?? names, 'fails')} className={buttonClass()}>
          {text('resilience.card.whatIf')}
        </Link>
        <Link href={href.rehearseLoss(loss?.clusters ?? names)} className={buttonClass()}>
          {text('resilience.card.rehearse')}
        </Link>
        <Button variant="quiet" onClick={() => tweak({ loss: undefined })}>
          {text('resilience.card.close')}
        </Button>
      </p>
    </section>
  )
}

const UNKNOWN: LossView = {
  clusters: [],
  workloads: 0,
  moved: 0,
  losing: 0,
  down: 0,
  waiting: 0,
  needed: 0,
  placed: 0,
  names: [],
}

function Outcome({ loss }: { loss: LossView }) {
  const text = useText()
  const { losing, down, waiting, needed, placed, names, moved, evictedAfterMs } = loss
  const peak = peakMessage(loss)
  return (
    <>
      <p className="mt-1">
        {needed === 0 ? (
          text('resilience.card.none')
        ) : (
          <>
            <span className="text-title">{text('resilience.card.placed', { placed, n: needed })}</span>{' '}
            <span className="text-ink-2">{text('resilience.card.placedWords')}</span>
          </>
        )}
      </p>
      <ul className="mt-1 flex flex-col gap-0.5 text-ink-2">
        <li className="flex gap-1.5 text-ink">
          <span className="flex h-5 items-center">
            <StateGlyph state={losing > 0 ? 'fail' : 'ok'} />
          </span>
          <span className="min-w-0 break-words">
            {losing > names.length
              ? text('resilience.card.losingMore', { n: losing, down, names })
              : text('resilience.card.losing', { n: losing, down, names })}
          </span>
        </li>
        {waiting > 0 && <li data-testid="loss-waiting">{text('resilience.card.waiting', { n: waiting })}</li>}
        {moved > 0 && <li>{text('resilience.card.moved', { n: moved })}</li>}
        <li title={text('resilience.column.evictedHint')}>
          {evictedAfterMs === undefined
            ? text('resilience.card.notEvicted')
            : text('resilience.card.evicted', { span: { ms: evictedAfterMs } })}
        </li>
        {placed > 0 && <li>{peak ? text.of(peak) : text('resilience.card.noPeak')}</li>}
      </ul>
    </>
  )
}
