'use client'
import { useId } from 'react'
import { href } from '../hooks/url-state'
import { useText } from '../messages/use-text'
import { StateGlyph } from '../status/state-glyph'
import { Link } from '../ui/link'
import type { OverviewData } from './use-overview'

/** The sentence, what supports it, and the totals. */
export function OverviewHead({ data: { headline, clusters, totals } }: { data: OverviewData }) {
  const text = useText()
  return (
    <section className="flex flex-wrap items-center justify-between gap-x-8 gap-y-3 px-6 py-4 max-wide:px-4">
      <div className="min-w-0 flex-1 basis-96">
        <div className="flex items-start gap-3">
          <span className="mt-2 flex">
            <StateGlyph state={headline.state} size={18} />
          </span>
          <h2
            className="min-w-0 text-[24px] leading-[32px] font-semibold tracking-[-0.02em] break-words max-wide:text-[20px] max-wide:leading-[28px]"
            data-testid="overview-headline"
            data-state={headline.state}
          >
            {text.of(headline.sentence)}
          </h2>
        </div>
        <p className="mt-0.5 ml-[30px] text-ink-2">
          {headline.details.map((detail) => (
            <span key={detail.code}>{text.of(detail)} </span>
          ))}
          {clusters.refused !== undefined && text('overview.coversNoClusters', { reason: clusters.refused })}
        </p>
      </div>
      <Totals totals={totals} />
    </section>
  )
}

function Totals({ totals }: Pick<OverviewData, 'totals'>) {
  const text = useText()
  const { ready, desired, unknown, waiting, cpu, moving, pending } = totals
  const count = (value: number) => text.format.count(value)
  return (
    <dl aria-label={text('overview.figures')} className="flex flex-wrap gap-x-8 gap-y-2" data-testid="overview-totals">
      <Total
        name="ready"
        value={text('overview.figure.of', { part: count(ready), whole: count(desired) })}
        label={text('overview.figure.ready', { unknown, waiting })}
        to={href.fleet()}
      />
      {cpu !== undefined && (
        <Total
          name="cpu"
          value={text('overview.figure.of', { part: { cpu: cpu.requested }, whole: { cpu: cpu.allocatable } })}
          label={text('overview.figure.cpu')}
          to="/clusters"
        />
      )}
      <Total name="moving" value={count(moving)} label={text('overview.figure.moving')} to={href.failover()} />
      <Total name="pending" value={count(pending)} label={text('overview.figure.pending')} to="/queues" />
    </dl>
  )
}

function Total({ name, value, label, to }: { name: string; value: string; label: string; to: string }) {
  const id = useId()
  return (
    <div className="flex flex-col-reverse">
      <dt id={id} className="text-label font-normal text-ink-2">
        {label}
      </dt>
      <dd className="text-[22px] leading-[28px] font-semibold tracking-[-0.01em]" data-figure={name}>
        <Link href={to} aria-describedby={id} className="hover:underline">
          {value}
        </Link>
      </dd>
    </div>
  )
}
