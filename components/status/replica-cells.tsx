import { clsx } from 'clsx'
import { countsSentence, formatCount, notesOf } from '@/lib/format'
import type { ReplicaCounts } from '@/lib/view/model'
import { CutText } from '../ui/cut-text'
import { Td } from '../ui/table'
import { countAttributes } from './count-attributes'

/** A known count; `?` where all desired replicas are unknown. */
export function knownCount(count: number, { desired, unknown = 0 }: ReplicaCounts): string {
  return count === 0 && desired > 0 && unknown === desired ? '?' : formatCount(count)
}

/** Four cells of a list: ready, current, desired, and in words what is unknown or old. */
export function ReplicaCells({ counts }: { counts: ReplicaCounts }) {
  const { desired, current, ready } = counts
  const [sentence, notes] = [countsSentence(counts), notesOf(counts)]
  return (
    <>
      <Td
        figure
        title={sentence}
        className={clsx(ready !== desired && 'font-medium')}
        data-testid="replica-counts"
        {...countAttributes(counts)}
      >
        <span aria-hidden="true">{knownCount(ready, counts)}</span>
        <span className="sr-only">{sentence}</span>
      </Td>
      <Td figure className="text-ink-2">
        {knownCount(current, counts)}
      </Td>
      <Td figure className="text-ink-2">
        {formatCount(desired)}
      </Td>
      <Td className={notes === '' ? 'text-ink-2' : 'font-medium'} title={sentence}>
        <CutText text={notes || '—'} />
      </Td>
    </>
  )
}
