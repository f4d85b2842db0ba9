import type { WorkloadRef } from '@/lib/view/model'
import { useText } from '../messages/use-text'
import { WorkloadName } from '../status/workload-name'
import { Link } from '../ui/link'

interface WorkloadListProps {
  label: string
  workloads: readonly { id: string; ref: WorkloadRef }[]
  /** How many there are in all; more than are shown are counted. */
  total?: number
  numbered?: boolean
  /** The list of all of them. */
  moreHref: string
  /** A word beside each, by its index from 0. */
  noteOf?: (index: number) => string
}

/** More than this are counted. */
const MOST = 8

/** The first workloads of a list by name, and how many follow. */
export function WorkloadList({
  label,
  workloads,
  total = workloads.length,
  numbered = false,
  moreHref,
  noteOf,
}: WorkloadListProps) {
  const text = useText()
  if (total === 0) return null
  const shown = workloads.slice(0, MOST)
  const List = numbered ? 'ol' : 'ul'
  return (
    <>
      <List
        aria-label={label}
        className={numbered ? 'list-decimal pl-6' : 'list-disc pl-6'}
        data-testid="workload-list"
      >
        {shown.map(({ id, ref }, index) => (
          <li key={id}>
            <WorkloadName id={id} workload={ref} />
            {noteOf && <span className="ml-2 text-ink-2">{noteOf(index)}</span>}
          </li>
        ))}
      </List>
      {total > shown.length && (
        <p className="pl-6">
          <Link href={moreHref} className="link">
            {text('queues.more', { count: total - shown.length })}
          </Link>
        </p>
      )}
    </>
  )
}
