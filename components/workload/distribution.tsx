'use client'
import { clsx } from 'clsx'
import { formatCount, formatDelta } from '@/lib/format'
import type { CellView, WorkloadDetailView } from '@/lib/view/model'
import type { SpreadView } from '@/lib/view/spread-model'
import { href } from '../hooks/url-state'
import { useCollection } from '../hooks/use-collection'
import { StateMark } from '../status/state-mark'
import { InsetTable } from '../ui/inset-table'
import { Td, Th } from '../ui/table'
import { BarKey, ReplicaBar } from './replica-bar'
import { cutsOf } from './spread-cuts'
import { SpreadSplit } from './spread-split'
import { Link } from '../ui/link'

/** Where it is and where it should be, cluster by cluster, and the sum below. */
export function Distribution({ workload }: { workload: WorkloadDetailView }) {
  const spread = useCollection('spreads').items.find((each) => each.workload === workload.id)
  const scale = Math.max(1, ...workload.cells.map((cell) => Math.max(cell.wants, cell.now ?? 0)))
  return (
    <section aria-label="Distribution">
      <h2 className="text-section">Distribution</h2>
      {workload.cells.length === 0 ? (
        <p className="text-ink-2">It runs nowhere. The conditions below say why.</p>
      ) : (
        <InsetTable className="min-w-[56rem]" aria-label="Replicas by cluster" data-testid="distribution">
          <thead>
            <tr>
              <Th className="w-48 pl-0">Cluster</Th>
              <Th className="w-64">{workload.hasReplicas && <BarKey dark="ready" pale="there, not ready" />}</Th>
              <Th figure>Now</Th>
              <Th figure>Wants</Th>
              <Th figure>Δ</Th>
              <Th figure>Ready</Th>
              <Th>State</Th>
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
  const figure = (value: number | undefined) => {
    if (!workload.hasReplicas) return '—'
    return value === undefined ? '◌' : formatCount(value)
  }
  return (
    <tr
      data-testid="distribution-row"
      data-cluster={cell.cluster}
      data-now={cell.now ?? ''}
      data-wants={cell.wants}
      data-ready={cell.ready ?? 0}
      data-state={cell.state.state}
    >
      <Td className="pl-0">
        <Link href={href.cluster(cell.cluster)} className="hover:underline">
          {cell.cluster}
        </Link>
        {cell.role !== 'placed' && <span className="ml-2 text-label text-ink-2">{cell.role}</span>}
      </Td>
      <Td>
        {workload.hasReplicas && (
          <ReplicaBar cell={cell} scale={scale} cuts={cutsOf(spread, cell.cluster, cell.now ?? 0)} />
        )}
        {spread && <SpreadSplit spread={spread} cluster={cell.cluster} />}
      </Td>
      <Td figure title={cell.now === undefined ? 'Nothing was reported' : undefined}>
        {figure(cell.now)}
      </Td>
      <Td figure>{figure(cell.wants)}</Td>
      <Delta now={cell.now} wants={cell.wants} />
      <Td figure>{figure(cell.ready)}</Td>
      <Td>
        <span className="flex flex-wrap items-center gap-x-2">
          <StateMark state={cell.state.state} />
          <span className="text-ink-2">{cell.state.reason}</span>
        </span>
      </Td>
    </tr>
  )
}

function SumRow({ workload }: { workload: WorkloadDetailView }) {
  return (
    <tfoot>
      <tr className="font-medium" data-testid="distribution-sum">
        <Th scope="row" names="row" className="pl-0">
          Σ
        </Th>
        <Td />
        <Td figure>{formatCount(workload.now)}</Td>
        <Td figure>{formatCount(workload.wants)}</Td>
        <Delta now={workload.now} wants={workload.wants} />
        <Td figure>{formatCount(workload.ready)}</Td>
        <Td />
      </tr>
    </tfoot>
  )
}

/** How many are too few or too many, with the sign. */
function Delta({ now, wants }: { now: number | undefined; wants: number }) {
  const delta = (now ?? 0) - wants
  return (
    <Td figure className={clsx(delta === 0 ? 'text-ink-2' : 'font-medium')}>
      {formatDelta(delta)}
    </Td>
  )
}
