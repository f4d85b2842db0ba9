import { clsx } from 'clsx'
import { formatCount, formatDelta, formatNumberOf } from '@/lib/format'
import type { Sum } from './matrix-model'

/** Now / wants, and the difference with its sign where there is one. */
export function Margin({ sum }: { sum: Sum }) {
  const delta = sum.now - sum.wants
  return (
    <>
      <span aria-hidden="true" className="text-right">
        {formatCount(sum.now)}
        <span className="text-ink-2"> / {formatCount(sum.wants)}</span>
      </span>
      <span aria-hidden="true" className={clsx('w-10 text-right', delta !== 0 && 'font-medium')}>
        {delta === 0 ? '' : formatDelta(delta)}
      </span>
    </>
  )
}

/** "40 of 42, 2 fewer than wanted". */
export function marginSentence({ now, wants }: Sum): string {
  if (now === wants) return `${formatCount(now)} of ${formatCount(wants)}`
  return `${formatCount(now)} of ${formatCount(wants)}, ${formatCount(Math.abs(now - wants))} ${now < wants ? 'fewer' : 'more'} than wanted`
}

/** What has no replicas is counted in clusters. */
export function InClusters({ count }: { count: number }) {
  return <span className="mr-10 pr-1.5 text-ink-2">in {formatNumberOf(count, 'cluster')}</span>
}
