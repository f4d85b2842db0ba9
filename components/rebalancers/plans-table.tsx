'use client'
import { useMemo } from 'react'
import type { Text } from '@/lib/messages'
import type { PlanRowView } from '@/lib/view/rebalance-model'
import type { Sorts } from '../hooks/sorting'
import { useSortHeads } from '../hooks/use-sorting'
import { href } from '../hooks/url-state'
import { useText } from '../messages/use-text'
import { Ago } from '../status/ago'
import { StateMark } from '../status/state-mark'
import { Link } from '../ui/link'
import { NameLink } from '../ui/name-link'
import { CutText } from '../ui/cut-text'
import { ListHead, Table, Td, Th } from '../ui/table'
import { MOVING_STAGES, planTitle } from './plan-words'

const sortsIn = (text: Text): Sorts<PlanRowView> => ({
  name: (plan) => planTitle(text, plan),
  state: ({ phase }) => text(`plan.phase.${phase}`),
  workloads: ({ counts }) => counts.total,
  done: ({ counts }) => counts.done,
  moving: ({ counts }) => counts.moving,
  failed: ({ counts }) => counts.failed,
  wave: ({ wave }) => wave,
  moved: ({ counts }) => counts.replicasMoved,
  by: ({ createdBy }) => createdBy,
  created: ({ createdAt }) => createdAt,
})

export function usePlanSorts(): Sorts<PlanRowView> {
  const text = useText()
  return useMemo(() => sortsIn(text), [text])
}

/** Plans, the newest first unless sorted otherwise. */
export function PlansTable({ plans }: { plans: readonly PlanRowView[] }) {
  const text = useText()
  const head = useSortHeads()
  return (
    <Table pinLast aria-label={text('plan.list.title')}>
      <ListHead>
        <Th className="pl-6" sort={head('name')}>
          {text('plan.column.plan')}
        </Th>
        <Th sort={head('state')}>{text('plan.column.state')}</Th>
        <Th figure sort={head('workloads')}>
          {text('plan.column.workloads')}
        </Th>
        <Th figure sort={head('done')}>
          {text('plan.column.done')}
        </Th>
        <Th figure sort={head('moving')}>
          {text('plan.column.inProgress')}
        </Th>
        <Th figure sort={head('failed')}>
          {text('plan.column.failed')}
        </Th>
        <Th figure sort={head('wave')}>
          {text('plan.column.wave')}
        </Th>
        <Th figure sort={head('moved')}>
          {text('plan.column.replicasMoved')}
        </Th>
        <Th sort={head('by')}>{text('plan.column.by')}</Th>
        <Th figure className="pr-6" sort={head('created')}>
          {text('plan.column.created')}
        </Th>
      </ListHead>
      <tbody>
        {plans.map((plan) => (
          <PlanRow key={plan.id} plan={plan} />
        ))}
      </tbody>
    </Table>
  )
}

/** The title of the plan; of an undo, its name below. */
function PlanName({ plan }: { plan: PlanRowView }) {
  const text = useText()
  return (
    <>
      <NameLink href={href.planRun(plan.name)} name={planTitle(text, plan)} />
      {plan.undoOf !== undefined && <p className="text-label font-normal text-ink-2">{plan.name}</p>}
    </>
  )
}

function PlanRow({ plan }: { plan: PlanRowView }) {
  const text = useText()
  const { name, state, counts, phase } = plan
  const count = (value: number, stage?: string) => (
    <Link
      href={`${href.planRun(name)}${stage ? `&q=stage=${stage}` : ''}`}
      className={value === 0 ? 'text-ink-2' : 'hover:underline'}
    >
      {text.format.count(value)}
    </Link>
  )
  return (
    <tr className="row-hover" data-testid="plan-row" data-plan={name} data-phase={phase}>
      <Td className="pl-6 whitespace-nowrap">
        <PlanName plan={plan} />
      </Td>
      <Td>
        <span className="flex max-w-[22rem] items-center gap-2">
          <StateMark state={state.state} word={text(`plan.phase.${phase}`)} />
          <CutText text={text.of(state.reason)} className="text-ink-2" />
        </span>
      </Td>
      <Td figure>{count(counts.total)}</Td>
      <Td figure>{count(counts.done, 'Done')}</Td>
      <Td figure>{count(counts.moving, MOVING_STAGES.join())}</Td>
      <Td figure>{count(counts.failed, 'Failed')}</Td>
      <Td figure>{plan.wave === 0 ? '—' : plan.wave}</Td>
      <Td figure>{text.format.count(counts.replicasMoved)}</Td>
      <Td className="whitespace-nowrap">{plan.createdBy ?? <span className="text-ink-2">—</span>}</Td>
      <Td figure className="pr-6">
        <Ago time={plan.createdAt} />
      </Td>
    </tr>
  )
}
