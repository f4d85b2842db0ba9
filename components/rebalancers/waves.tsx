import type { PlanRunView } from '@/lib/view/rebalance-model'
import { useText } from '../messages/use-text'
import { Ago } from '../status/ago'
import { StateMark } from '../status/state-mark'
import { Table, Td, Th } from '../ui/table'

/** The waves that have started, the latest first. */
export function Waves({ plan }: { plan: PlanRunView }) {
  const text = useText()
  if (plan.waves.length === 0) return null
  return (
    <section aria-label={text('plan.waves.title')}>
      <h2 className="mb-1 text-section">{text('plan.waves.title')}</h2>
      <Table aria-label={text('plan.waves.title')}>
        <thead>
          <tr>
            <Th className="pl-0">{text('plan.column.wave')}</Th>
            <Th figure>{text('plan.column.workloads')}</Th>
            <Th figure>{text('plan.column.replicasMoved')}</Th>
            <Th figure>{text('plan.waves.started')}</Th>
            <Th figure>{text('plan.waves.finished')}</Th>
            <Th>{text('plan.column.state')}</Th>
          </tr>
        </thead>
        <tbody>
          {plan.waves.toReversed().map((wave) => (
            <tr key={wave.number} data-testid="plan-wave" data-wave={wave.number}>
              <Td className="pl-0 font-medium">{wave.number}</Td>
              <Td figure>{wave.workloads}</Td>
              <Td figure>{wave.replicasMoved}</Td>
              <Td figure>
                <Ago time={wave.startedAt} />
              </Td>
              <Td figure>
                <Ago time={wave.finishedAt} absent={text('plan.waves.notYet')} />
              </Td>
              <Td>
                {wave.finishedAt === undefined ? (
                  <StateMark state="active" word={text('plan.waves.inProgress')} />
                ) : (
                  <StateMark state="ok" word={text('plan.waves.finished')} />
                )}
              </Td>
            </tr>
          ))}
        </tbody>
      </Table>
    </section>
  )
}
