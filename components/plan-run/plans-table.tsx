import type { PlanRunView } from '@/lib/view/rebalance-model'
import { href } from '../hooks/url-state'
import { Ago } from '../status/ago'
import { StateMark } from '../status/state-mark'
import { Link } from '../ui/link'
import { NameLink } from '../ui/name-link'
import { ListHead, Table, Td, Th } from '../ui/table'
import { MOVING_STAGES, PHASE_WORDS } from './plan-words'

/** Plans, the newest first. */
export function PlansTable({ plans }: { plans: readonly PlanRunView[] }) {
  return (
    <Table aria-label="Plans">
      <ListHead>
        <Th className="pl-6">Plan</Th>
        <Th>State</Th>
        <Th figure>Workloads</Th>
        <Th figure>Done</Th>
        <Th figure>On their way</Th>
        <Th figure>Failed</Th>
        <Th figure>Wave</Th>
        <Th figure>Replicas moved</Th>
        <Th>By</Th>
        <Th figure className="pr-6">
          Created
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

function PlanRow({ plan }: { plan: PlanRunView }) {
  const { name, state, counts, phase } = plan
  const count = (value: number, stage?: string) => (
    <Link
      href={`${href.planRun(name)}${stage ? `&q=stage=${stage}` : ''}`}
      className={value === 0 ? 'text-ink-2' : 'hover:underline'}
    >
      {value}
    </Link>
  )
  return (
    <tr className="row-hover" data-testid="plan-row" data-plan={name} data-phase={phase}>
      <Td className="pl-6 whitespace-nowrap">
        <NameLink href={href.planRun(name)} name={name} />
      </Td>
      <Td>
        <span className="flex max-w-[22rem] items-center gap-2">
          <StateMark state={state.state} word={PHASE_WORDS[phase]} />
          <span className="truncate text-ink-2" title={state.reason}>
            {state.reason}
          </span>
        </span>
      </Td>
      <Td figure>{count(counts.total)}</Td>
      <Td figure>{count(counts.done, 'Done')}</Td>
      <Td figure>{count(counts.moving, MOVING_STAGES.join())}</Td>
      <Td figure>{count(counts.failed, 'Failed')}</Td>
      <Td figure>{plan.wave === 0 ? '—' : plan.wave}</Td>
      <Td figure>{counts.replicasMoved}</Td>
      <Td className="whitespace-nowrap">{plan.createdBy ?? <span className="text-ink-2">—</span>}</Td>
      <Td figure className="pr-6">
        <Ago time={plan.createdAt} />
      </Td>
    </tr>
  )
}
