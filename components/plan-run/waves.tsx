import type { PlanRunView } from '@/lib/view/rebalance-model'
import { Ago } from '../status/ago'
import { StateMark } from '../status/state-mark'
import { Table, Td, Th } from '../ui/table'

/** The waves that have begun, the newest first. */
export function Waves({ plan }: { plan: PlanRunView }) {
  if (plan.waves.length === 0) return null
  return (
    <section aria-label="Waves">
      <h2 className="mb-1 text-section">Waves</h2>
      <Table aria-label="Waves">
        <thead>
          <tr>
            <Th className="pl-0">Wave</Th>
            <Th figure>Workloads</Th>
            <Th figure>Replicas moved</Th>
            <Th figure>Began</Th>
            <Th figure>Settled</Th>
            <Th>State</Th>
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
                <Ago time={wave.finishedAt} absent="not yet" />
              </Td>
              <Td>
                {wave.finishedAt === undefined ? (
                  <StateMark state="active" word="On its way" />
                ) : (
                  <StateMark state="ok" word="Settled" />
                )}
              </Td>
            </tr>
          ))}
        </tbody>
      </Table>
    </section>
  )
}
