'use client'
import { clsx } from 'clsx'
import { useMemo } from 'react'
import type { State } from '@/lib/view/model'
import type { PlanTargetView } from '@/lib/view/rebalance-model'
import { nameOf } from '@/lib/view/workload-id'
import { sortRows } from '../hooks/sorting'
import { useLocalSorting } from '../hooks/use-sorting'
import { useText } from '../messages/use-text'
import { StateMark } from '../status/state-mark'
import { InsetTable } from '../ui/inset-table'
import { Td, Th } from '../ui/table'
import { hasReplicas, PLAN_SORTS, planLines, replicasOf } from './plan-diff'

const VERDICT_STATE: Record<PlanTargetView['verdict'], State> = { moves: 'active', stays: 'ok', refused: 'warn' }

/** Replicas of every target before and after, with the reason; those that move first. */
export function PlanTargets({ targets }: { targets: readonly PlanTargetView[] }) {
  const text = useText()
  const usual = useMemo(() => sortRows(targets, PLAN_SORTS, 'verdict'), [targets])
  const { rows, head } = useLocalSorting(usual, PLAN_SORTS)
  return (
    <InsetTable pinLast aria-label={text('plan.targets.title')} data-testid="plan-table">
      <thead>
        <tr>
          <Th className="pl-0" sort={head('name')}>
            {text('plan.targets.name')}
          </Th>
          <Th figure sort={head('now')}>
            {text('plan.targets.now')}
          </Th>
          <Th figure sort={head('after')}>
            {text('plan.targets.after')}
          </Th>
          <Th figure sort={head('moved')}>
            Δ
          </Th>
          <Th figure title={text('plan.targets.readyHint')} sort={head('ready')}>
            {text('plan.targets.ready')}
          </Th>
          <Th sort={head('verdict')}>{text('plan.targets.why')}</Th>
        </tr>
      </thead>
      {rows.map((target) => (
        <TargetRows key={target.id} target={target} />
      ))}
    </InsetTable>
  )
}

/** `4 → 2` where fewer may be ready during the move. */
function LowestReady({ target: { verdict, ready } }: { target: PlanTargetView }) {
  if (verdict !== 'moves') return <span className="text-ink-2">{ready.now}</span>
  if (ready.lowest >= ready.now) return <span data-lowest={ready.lowest}>{ready.now}</span>
  return (
    <span data-lowest={ready.lowest} className="font-medium">
      {ready.now} → {ready.lowest}
    </span>
  )
}

function TargetRows({ target }: { target: PlanTargetView }) {
  const text = useText()
  const lines = planLines(target)
  const total = (places: PlanTargetView['before']) => (hasReplicas(target) ? replicasOf(places) : '—')
  return (
    <tbody data-testid="plan-target" data-workload={target.id} data-verdict={target.verdict} data-moved={target.moved}>
      <tr className="align-top">
        <Th scope="rowgroup" names="row" className="py-1 pl-0">
          {nameOf(target.ref)}
          {target.ref.kind !== 'Deployment' && (
            <span className="ml-2 text-label font-normal text-ink-2">{target.ref.kind}</span>
          )}
        </Th>
        <Td figure className="py-1">
          {total(target.before)}
        </Td>
        <Td figure className="py-1">
          {total(target.after)}
        </Td>
        <Td figure className="py-1 font-medium">
          {text('plan.targets.moved', { n: target.moved })}
        </Td>
        <Td figure className="py-1">
          <LowestReady target={target} />
        </Td>
        <Td className="py-1">
          <StateMark
            state={VERDICT_STATE[target.verdict]}
            word={text(`plan.verdict.${target.verdict}`)}
            className="font-medium"
          />
          <p className="text-ink-2">{[target.reason, ...(target.notes ?? [])].map(text.of).join(' ')}</p>
        </Td>
      </tr>
      {target.verdict === 'moves'
        && lines.map((line) => (
          <tr key={line.cluster} data-cluster={line.cluster} data-before={line.before} data-after={line.after}>
            <Td className="pl-4 text-ink-2">{line.cluster}</Td>
            <Td figure>{text.format.count(line.before)}</Td>
            <Td figure>{text.format.count(line.after)}</Td>
            <Td figure className={clsx(line.delta !== 0 && 'font-medium')}>
              {text.format.delta(line.delta)}
            </Td>
            <Td />
            <Td />
          </tr>
        ))}
    </tbody>
  )
}
