'use client'
import { useMemo } from 'react'
import { replicasIn } from '@/lib/view/distribution'
import { type PredictedWorkload, type PredictionResult, predictionsOf } from '@/lib/view/incident/predictions'
import type { Replay } from '@/lib/view/incident/replay'
import type { State } from '@/lib/view/model'
import { parseWorkloadId } from '@/lib/view/workload-id'
import { useText } from '../messages/use-text'
import { StateMark } from '../status/state-mark'
import { WorkloadName } from '../status/workload-name'
import { Table, Td, Th } from '../ui/table'
import { VirtualBody } from '../ui/virtual-body'

const STATE_OF: Record<PredictionResult, State> = {
  exact: 'ok',
  elsewhere: 'warn',
  better: 'warn',
  worse: 'fail',
  changed: 'unknown',
  deleted: 'unknown',
  notEvicted: 'unknown',
  open: 'active',
}

/** Compares the predicted loss of the cluster with the outcome; renders nothing without a prediction. */
export function Predictions({ replay: { record } }: { replay: Replay }) {
  const text = useText()
  const { workloads, exact, judged, open } = useMemo(() => predictionsOf(record.entries), [record.entries])
  if (workloads.length === 0) return null
  return (
    <section
      aria-label={text('incident.prediction.title')}
      className="mt-6 overflow-x-auto"
      data-testid="incident-predictions"
      data-exact={exact}
      data-judged={judged}
    >
      <h2 className="text-section">{text('incident.prediction.title')}</h2>
      <p className="mb-2 text-ink-2">
        {judged > 0 && text('incident.prediction.sum', { exact, n: judged })}{' '}
        {open > 0 && text('incident.prediction.openSum', { n: open })}
      </p>
      <Table aria-label={text('incident.prediction.title')} aria-rowcount={workloads.length + 1}>
        <thead>
          <tr>
            <Th className="pl-0">{text('incident.table.workload')}</Th>
            <Th>{text('incident.prediction.result')}</Th>
            <Th>{text('incident.prediction.predicted')}</Th>
            <Th>{text('incident.prediction.actual')}</Th>
          </tr>
        </thead>
        <VirtualBody items={workloads} columns={4} render={(row) => <Row key={row.workload} row={row} />} />
      </Table>
    </section>
  )
}

function Row({ row: { workload, result, predicted, actual } }: { row: PredictedWorkload }) {
  const text = useText()
  const ref = parseWorkloadId(workload)
  return (
    <tr data-workload={workload} data-result={result}>
      <Td className="max-w-96 pl-0">{ref ? <WorkloadName id={workload} workload={ref} /> : workload}</Td>
      <Td className="whitespace-nowrap">
        <StateMark state={STATE_OF[result]} word={text(`incident.prediction.result.${result}`)} />
      </Td>
      <Td>{text.of(replicasIn(predicted))}</Td>
      <Td>{actual ? text.of(replicasIn(actual)) : '—'}</Td>
    </tr>
  )
}
