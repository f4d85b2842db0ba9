import { formatCount } from '@/lib/format'
import type { CellView, WhyView } from '@/lib/view/model'
import { href } from '../hooks/url-state'
import { StateMark } from '../status/state-mark'
import { InsetTable } from '../ui/inset-table'
import { Td, Th } from '../ui/table'
import { Link } from '../ui/link'

/** Cluster by cluster: would it be chosen were the workload scheduled afresh now, and if not, which rule is against it. */
export function Why({ why, cells }: { why: readonly WhyView[]; cells: readonly CellView[] }) {
  const wants = new Map(cells.map((cell) => [cell.cluster, cell.desired]))
  if (why.length === 0) return <p className="text-ink-2">There is no cluster to choose from.</p>
  return (
    <>
      <p className="mb-2 text-ink-2">
        What the scheduler would say if it started afresh now, with the clusters as they are.
      </p>
      <InsetTable aria-label="Why each cluster has it or not">
        <thead>
          <tr>
            <Th className="pl-0">Cluster</Th>
            <Th>Fits</Th>
            <Th>Because</Th>
            <Th figure>Score</Th>
            <Th figure>Room for</Th>
            <Th figure>Has now</Th>
          </tr>
        </thead>
        <tbody>
          {why.map((entry) => (
            <tr key={entry.cluster} data-cluster={entry.cluster} data-fits={entry.fits}>
              <Td className="pl-0">
                <Link href={href.cluster(entry.cluster)} className="hover:underline">
                  {entry.cluster}
                </Link>
              </Td>
              <Td>
                <StateMark state={entry.fits ? 'ok' : 'fail'} word={entry.fits ? 'Fits' : 'Does not fit'} />
              </Td>
              <Td>{entry.sentence}</Td>
              <Td figure>{entry.score ?? '—'}</Td>
              <Td figure>{entry.capacity === undefined ? '—' : formatCount(entry.capacity)}</Td>
              <Td figure>{wants.get(entry.cluster) ?? '·'}</Td>
            </tr>
          ))}
        </tbody>
      </InsetTable>
    </>
  )
}
