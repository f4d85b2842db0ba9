import { formatReplicas, joinWords, stageWord } from '@/lib/format'
import type { RebalanceTargetView } from '@/lib/view/model'
import { hasReplicas, planLines } from '../plan/plan-diff'
import { StateGlyph } from '../status/state-glyph'
import { StateMark } from '../status/state-mark'
import { WorkloadName } from '../status/workload-name'
import { Table, Td, Th } from '../ui/table'
import { STAGE_MEANING, resultWord, STAGES, stepState } from './stages'

/** Target by target: where it was, where it is, how far it has come. */
export function TargetTable({ targets }: { targets: readonly RebalanceTargetView[] }) {
  return (
    <div className="overflow-x-auto">
      <Table aria-label="Targets" data-testid="rebalance-targets">
        <thead>
          <tr>
            <Th className="pl-0">Target</Th>
            <Th>Before → after</Th>
            <Th figure>Moved</Th>
            <Th>{STAGES.map(stageWord).join(' → ')}</Th>
            <Th>State</Th>
            <Th>API says</Th>
          </tr>
        </thead>
        <tbody>
          {targets.map((target) => (
            <TargetRow key={target.id} target={target} />
          ))}
        </tbody>
      </Table>
    </div>
  )
}

function TargetRow({ target }: { target: RebalanceTargetView }) {
  return (
    <tr className="align-top" data-testid="rebalance-target" data-workload={target.id} data-stage={target.stage} data-moved={target.moved ?? ''}>
      <Td className="py-1 pl-0 whitespace-nowrap">
        <WorkloadName id={target.id} workload={target.ref} />
      </Td>
      <Td className="py-1">
        <Places target={target} />
      </Td>
      <Td figure className="py-1">{target.moved ?? '—'}</Td>
      <Td className="py-1">
        <StageTrack target={target} />
      </Td>
      <Td className="py-1">
        <StateMark state={target.state.state} word={stageWord(target.stage)} className="font-medium" />
        <p className="text-ink-2">{target.state.reason}</p>
      </Td>
      <Td className="py-1 whitespace-nowrap">
        {resultWord(target.result)}
        {target.reason && <p className="text-ink-2">{target.reason}</p>}
      </Td>
    </tr>
  )
}

/** Cluster by cluster what it was and what it became, and the prediction where it came out differently. */
function Places({ target: { before, after, predicted } }: { target: RebalanceTargetView }) {
  if (before === undefined && after === undefined) return <span className="text-ink-2">not recorded</span>
  const places = { before: before ?? after ?? [], after: after ?? before ?? [] }
  if (!hasReplicas(places)) return <span className="text-ink-2">in {joinWords(places.after.map((place) => place.cluster))}</span>
  const asPredicted = predicted === undefined || after === undefined || formatReplicas(predicted) === formatReplicas(after)
  return (
    <>
      <p className="flex flex-wrap gap-x-3">
        {planLines(places).map((line) => (
          <span key={line.cluster} className="whitespace-nowrap" data-cluster={line.cluster} data-before={line.before} data-after={line.after}>
            <span className="text-ink-2">{line.cluster} </span>
            {line.delta === 0 ? line.after : `${line.before} → ${line.after}`}
          </span>
        ))}
      </p>
      {before === undefined && <p className="text-ink-2">Where it was before was not recorded.</p>}
      {!asPredicted && <p className="text-ink-2">predicted: {formatReplicas(predicted)}</p>}
    </>
  )
}

/** Four steps in one line; the words are for those who do not see the marks. */
function StageTrack({ target }: { target: RebalanceTargetView }) {
  return (
    <ol className="flex h-5 items-center" aria-label={`Stage: ${stageWord(target.stage)}`}>
      {STAGES.map((stage, index) => {
        const state = stepState(target, stage)
        return (
          <li key={stage} className="flex items-center" title={`${stageWord(stage)}: ${STAGE_MEANING[stage]}`}>
            {index > 0 && <span aria-hidden="true" className={state === 'ok' ? 'h-px w-8 bg-ink' : 'h-px w-8 bg-line'} />}
            {state === 'none' ? <span aria-hidden="true" className="mx-1 size-2 rounded-[50%] border border-line-strong" /> : <StateGlyph state={state} />}
            <span className="sr-only">
              {stageWord(stage)}: {state === 'ok' ? 'done' : state === 'none' ? 'not yet' : 'now'}
            </span>
          </li>
        )
      })}
    </ol>
  )
}
