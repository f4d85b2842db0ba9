import { clsx } from 'clsx'
import type { ReplicaCounts } from '@/lib/view/model'
import { countsText } from '@/lib/view/text/replica-counts'
import type { SortHead } from '../hooks/use-sorting'
import { useText } from '../messages/use-text'
import { SortButton } from '../ui/table'
import { knownCount } from '../status/replica-cells'
import { StateGlyph } from '../status/state-glyph'

const FIGURE = 'w-16 text-right'

/** The figures of the margin, by the keys that they sort by. */
export const MARGIN_SORTS = ['ready', 'current', 'desired'] as const

/** The names of the figures below; each sorts by its own. */
export function MarginHead({ head }: { head: (key: string) => SortHead }) {
  const text = useText()
  return (
    <span className="flex h-6 items-center justify-end pr-14">
      {MARGIN_SORTS.map((key) => (
        <span key={key} className={FIGURE}>
          <SortButton {...head(key)} tabIndex={-1}>
            {text(`fleet.${key}`)}
          </SortButton>
        </span>
      ))}
    </span>
  )
}

/** Shows ready, current and desired replicas, then unknown ones with their mark, and old ones (`+3`). */
export function Margin({ counts }: { counts: ReplicaCounts }) {
  const text = useText()
  const { desired, current, ready, unknown = 0, old = 0, oldUnknown = 0 } = counts
  const notes = [old > 0 && `+${text.format.count(old)}`, oldUnknown > 0 && '+?']
  return (
    <span aria-hidden="true" title={countsText(text, counts)} className="flex justify-end">
      <span className={clsx(FIGURE, ready !== desired && 'font-medium')}>{knownCount(text, ready, counts)}</span>
      <span className={clsx(FIGURE, 'text-ink-2')}>{knownCount(text, current, counts)}</span>
      <span className={clsx(FIGURE, 'text-ink-2')}>{text.format.count(desired)}</span>
      <span className="flex w-14 items-center gap-1 overflow-hidden pl-2 text-left font-medium">
        {unknown > 0 && (
          <>
            <StateGlyph state="unknown" size={11} />
            {text.format.count(unknown)}
          </>
        )}
        {notes.filter(Boolean).join(' ')}
      </span>
    </span>
  )
}

/** What has no replicas is counted in clusters. */
export function InClusters({ counts: { ready, desired } }: { counts: ReplicaCounts }) {
  const text = useText()
  return (
    <span className="mr-14 text-ink-2">
      {ready === desired ? (
        text('fleet.inAllClusters', { n: desired })
      ) : (
        <span className="font-medium text-ink">{text('fleet.inClusters', { ready, n: desired })}</span>
      )}
    </span>
  )
}
