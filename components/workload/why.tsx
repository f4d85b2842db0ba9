import type { CellView, WhyView } from '@/lib/view/model'
import { href } from '../hooks/url-state'
import { useText } from '../messages/use-text'
import { StateMark } from '../status/state-mark'
import { InsetTable } from '../ui/inset-table'
import { Td, Th } from '../ui/table'
import { Link } from '../ui/link'

/** Cluster by cluster: would it be chosen were the workload scheduled afresh now, and if not, which rule is against it. */
export function Why({ why, cells }: { why: readonly WhyView[]; cells: readonly CellView[] }) {
  const text = useText()
  const wants = new Map(cells.map((cell) => [cell.cluster, cell.desired]))
  if (why.length === 0) return <p className="text-ink-2">{text('workload.whyEmpty')}</p>
  return (
    <>
      <p className="mb-2 text-ink-2">{text('workload.whyMeaning')}</p>
      <InsetTable aria-label={text('workload.whyTable')}>
        <thead>
          <tr>
            <Th className="pl-0">{text('workload.cluster')}</Th>
            <Th>{text('workload.why.fits')}</Th>
            <Th>{text('workload.why.because')}</Th>
            <Th figure>{text('workload.why.score')}</Th>
            <Th figure>{text('workload.why.capacity')}</Th>
            <Th figure>{text('workload.why.desired')}</Th>
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
                <StateMark
                  state={entry.fits ? 'ok' : 'fail'}
                  word={text(entry.fits ? 'workload.why.fits' : 'workload.why.doesNotFit')}
                />
              </Td>
              <Td>{text.of(entry.sentence)}</Td>
              <Td figure>{entry.score ?? '—'}</Td>
              <Td figure>{entry.capacity === undefined ? '—' : text.format.count(entry.capacity)}</Td>
              <Td figure>{wants.get(entry.cluster) ?? '·'}</Td>
            </tr>
          ))}
        </tbody>
      </InsetTable>
    </>
  )
}
