import { clsx } from 'clsx'
import type { Text } from '@/lib/messages'
import type { ReplicaCounts } from '@/lib/view/model'
import { countNotes, countsText } from '@/lib/view/text/replica-counts'
import { useText } from '../messages/use-text'
import { CutText } from '../ui/cut-text'
import { Td } from '../ui/table'
import { countAttributes } from './count-attributes'

/** A known count; `?` where all desired replicas are unknown. */
export function knownCount(text: Text, count: number, { desired, unknown = 0 }: ReplicaCounts): string {
  return count === 0 && desired > 0 && unknown === desired ? '?' : text.format.count(count)
}

/** Four cells of a list: ready, current, desired, and in words what is unknown or old. */
export function ReplicaCells({ counts }: { counts: ReplicaCounts }) {
  const text = useText()
  const { desired, current, ready } = counts
  const [sentence, notes] = [countsText(text, counts), countNotes(text, counts)]
  return (
    <>
      <Td
        figure
        title={sentence}
        className={clsx(ready !== desired && 'font-medium')}
        data-testid="replica-counts"
        {...countAttributes(counts)}
      >
        <span aria-hidden="true">{knownCount(text, ready, counts)}</span>
        <span className="sr-only">{sentence}</span>
      </Td>
      <Td figure className="text-ink-2">
        {knownCount(text, current, counts)}
      </Td>
      <Td figure className="text-ink-2">
        {text.format.count(desired)}
      </Td>
      <Td className={notes === '' ? 'text-ink-2' : 'font-medium'} title={sentence}>
        <CutText text={notes || '—'} />
      </Td>
    </>
  )
}
