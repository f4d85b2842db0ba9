'use client'
import { clsx } from 'clsx'
import type { CellView, ReplicaCounts, WorkloadDetailView } from '@/lib/view/model'
import type { SpreadView } from '@/lib/view/spread-model'
import { countsText } from '@/lib/view/text/replica-counts'
import { href } from '../hooks/url-state'
import { useCollection } from '../hooks/use-collection'
import { useUrlState } from '../hooks/use-url-state'
import { useText } from '../messages/use-text'
import { countAttributes } from '../status/count-attributes'
import { knownCount } from '../status/replica-cells'
import { StateMark } from '../status/state-mark'
import { InsetTable } from '../ui/inset-table'
import { Td, Th } from '../ui/table'
import { barLength, ReplicaBar, ReplicaKey } from '../status/replica-bar'
import { cutsOf } from './spread-cuts'
import { SpreadSplit } from './spread-split'
import { Link } from '../ui/link'

/** Where it is and where it should be, cluster by cluster, and the sum below. */
export function Distribution({ workload }: { workload: WorkloadDetailView }) {
  const text = useText()
  const spread = useCollection('spreads').items.find((each) => each.workload === workload.id)
  const scale = Math.max(1, ...workload.cells.map(barLength))
  return (
    <section aria-label={text('workload.distribution')}>
      <h2 className="text-section">{text('workload.distribution')}</h2>
      {workload.cells.length === 0 ? (
        <p className="text-ink-2">{text('workload.distributionEmpty')}</p>
      ) : (
        <InsetTable
          className="min-w-[56rem]"
          aria-label={text('workload.distributionTable')}
          data-testid="distribution"
        >
          <thead>
            <tr>
              <Th className="w-48 pl-0">{text('workload.cluster')}</Th>
              <Th className="w-64">{workload.hasReplicas && <ReplicaKey />}</Th>
              <Th figure>{text('fleet.ready')}</Th>
              <Th figure>{text('fleet.current')}</Th>
              <Th figure>{text('fleet.desired')}</Th>
              <Th figure>{text('workload.unknown')}</Th>
              <Th figure>{text('workload.old')}</Th>
              <Th>{text('workload.state')}</Th>
            </tr>
          </thead>
          <tbody>
            {workload.cells.map((cell) => (
              <CellRow key={cell.cluster} workload={workload} cell={cell} scale={scale} spread={spread} />
            ))}
          </tbody>
          {workload.hasReplicas && <SumRow workload={workload} />}
        </InsetTable>
      )}
    </section>
  )
}

interface CellRowProps {
  workload: WorkloadDetailView
  cell: CellView
  scale: number
  /** The spread that divides its pods within clusters. */
  spread: SpreadView | undefined
}

function CellRow({ workload, cell, scale, spread }: CellRowProps) {
  const text = useText()
  const isAsked = useUrlState().get('cluster') === cell.cluster
  return (
    <tr
      aria-current={isAsked ? 'true' : undefined}
      className={isAsked ? 'font-medium' : undefined}
      data-testid="distribution-row"
      data-cluster={cell.cluster}
      {...countAttributes(cell)}
      data-state={cell.state.state}
    >
      <Td className="pl-0">
        <Link href={href.cluster(cell.cluster)} className="hover:underline">
          {cell.cluster}
        </Link>
        {cell.role !== 'placed' && (
          <span className="ml-2 text-label text-ink-2">{text(`workload.role.${cell.role}`)}</span>
        )}
      </Td>
      <Td>
        {workload.hasReplicas && (
          <ReplicaBar cell={cell} scale={scale} cuts={cutsOf(spread, cell.cluster, cell.current + (cell.old ?? 0))} />
        )}
        {spread && <SpreadSplit spread={spread} cluster={cell.cluster} />}
      </Td>
      <CountCells counts={workload.hasReplicas ? cell : undefined} />
      <Td>
        <span className="flex flex-wrap items-center gap-x-2">
          <StateMark state={cell.state.state} />
          <span className="text-ink-2">{text.of(cell.state.reason)}</span>
        </span>
      </Td>
    </tr>
  )
}

function SumRow({ workload }: { workload: WorkloadDetailView }) {
  const text = useText()
  return (
    <tfoot>
      <tr className="font-medium" data-testid="distribution-sum" {...countAttributes(workload)}>
        <Th scope="row" names="row" className="pl-0">
          Σ
        </Th>
        <Td />
        <CountCells counts={workload} />
        <Td className="font-normal text-ink-2">{countsText(text, workload)}</Td>
      </tr>
    </tfoot>
  )
}

/**
 * Shows ready, current, desired, unknown and old replicas; dashes for objects without replicas. Deviations are bold.
 */
function CountCells({ counts }: { counts: ReplicaCounts | undefined }) {
  const text = useText()
  if (counts === undefined)
    return ['ready', 'current', 'desired', 'unknown', 'old'].map((key) => (
      <Td key={key} figure>
        —
      </Td>
    ))
  const { desired, current, ready, unknown = 0, old = 0, oldUnknown = 0 } = counts
  return (
    <>
      <Td figure className={clsx(ready !== desired && 'font-medium')}>
        {knownCount(text, ready, counts)}
      </Td>
      <Td figure>{knownCount(text, current, counts)}</Td>
      <Td figure>{text.format.count(desired)}</Td>
      <Td figure className={clsx(unknown > 0 ? 'font-medium' : 'text-ink-2')}>
        {text.format.count(unknown)}
      </Td>
      <Td
        figure
        className={clsx(old + oldUnknown > 0 ? 'font-medium' : 'text-ink-2')}
        title={oldUnknown > 0 ? text('workload.oldUnknown', { n: oldUnknown }) : undefined}
      >
        {text.format.count(old)}
        {oldUnknown > 0 && '+?'}
      </Td>
    </>
  )
}
