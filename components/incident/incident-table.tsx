'use client'
import type { EpochMs } from '@/lib/std/clock'
import { isoTime } from '@/lib/std/clock'
import type { WorkloadAt } from '@/lib/view/incident/outcome'
import type { Replay } from '@/lib/view/incident/replay'
import { PHASES, type WorkloadPhase } from '@/lib/view/incident/state'
import { parseWorkloadId } from '@/lib/view/workload-id'
import { href } from '../hooks/url-state'
import { useText } from '../messages/use-text'
import { StateMark } from '../status/state-mark'
import { WorkloadName } from '../status/workload-name'
import { Link } from '../ui/link'
import { Table, Td, Th } from '../ui/table'
import { VirtualBody } from '../ui/virtual-body'
import { STATE_OF_PHASE } from './phases'

interface TableProps {
  replay: Replay
  groups: ReadonlyMap<WorkloadPhase, readonly WorkloadAt[]>
  at: EpochMs
}

/** The picture as tables: clusters and workloads at the playhead. */
export function IncidentTable({ replay, groups, at }: TableProps) {
  return (
    <div className="flex flex-col gap-6 overflow-x-auto py-3">
      <ClusterTable replay={replay} at={at} />
      <WorkloadTable replay={replay} groups={groups} at={at} />
    </div>
  )
}

function ClusterTable({ replay, at }: Omit<TableProps, 'groups'>) {
  const text = useText()
  const clusters = [...replay.lanes].sort(([a], [b]) => (a < b ? -1 : 1))
  return (
    <Table
      aria-label={text('incident.table.clusters', { time: { time: isoTime(at) } })}
      data-testid="incident-clusters"
    >
      <thead>
        <tr>
          <Th className="pl-0">{text('incident.table.cluster')}</Th>
          <Th figure>{text('incident.table.before')}</Th>
          <Th figure>{text('incident.table.ready')}</Th>
          <Th figure>{text('incident.table.starting')}</Th>
          <Th figure>{text('incident.table.lost')}</Th>
        </tr>
      </thead>
      <tbody>
        {clusters.map(([cluster, steps]) => {
          const before = replay.before.get(cluster) ?? 0
          const counts = steps.at(at) ?? { ready: before, starting: 0, lost: 0 }
          return (
            <tr key={cluster} data-cluster={cluster}>
              <Td className="max-w-64 truncate pl-0">
                <Link href={href.cluster(cluster)} className="font-medium hover:underline">
                  {cluster}
                </Link>
              </Td>
              <Td figure>{text.format.count(before)}</Td>
              <Td figure>{text.format.count(counts.ready)}</Td>
              <Td figure>{text.format.count(counts.starting)}</Td>
              <Td figure>{text.format.count(counts.lost)}</Td>
            </tr>
          )
        })}
      </tbody>
    </Table>
  )
}

function WorkloadTable({ replay, groups, at }: TableProps) {
  const text = useText()
  const rows = PHASES.flatMap((phase) => groups.get(phase) ?? [])
  return (
    <Table
      aria-label={text('incident.table.label', { time: { time: isoTime(at) } })}
      aria-rowcount={rows.length + 1}
      data-testid="incident-workloads"
    >
      <thead>
        <tr>
          <Th className="pl-0">{text('incident.table.workload')}</Th>
          <Th>{text('incident.table.phase')}</Th>
          <Th figure>{text('incident.table.ready')}</Th>
          <Th figure>{text('incident.table.since')}</Th>
          <Th figure>{text('incident.table.next')}</Th>
          <Th>{text('incident.table.reason')}</Th>
        </tr>
      </thead>
      <VirtualBody
        items={rows}
        columns={6}
        render={(row) => <WorkloadRow key={row.id} row={row} refusal={replay.refusals.get(row.id)} />}
      />
    </Table>
  )
}

function WorkloadRow({ row: { id, status, since, until }, refusal }: { row: WorkloadAt; refusal: string | undefined }) {
  const text = useText()
  const ref = parseWorkloadId(id)
  const { phase, ready, desired } = status
  return (
    <tr data-workload={id} data-phase={phase}>
      <Td className="max-w-96 pl-0">{ref ? <WorkloadName id={id} workload={ref} /> : id}</Td>
      <Td className="whitespace-nowrap">
        <StateMark state={STATE_OF_PHASE[phase]} word={text(`incident.phase.${phase}`)} />
      </Td>
      <Td figure>{text('incident.table.ofDesired', { ready, desired })}</Td>
      <Td figure>{text.format.timeOfDay(isoTime(since))}</Td>
      <Td figure>{until === undefined ? '—' : text.format.timeOfDay(isoTime(until))}</Td>
      <Td>{phase === 'unplaced' && refusal}</Td>
    </tr>
  )
}
