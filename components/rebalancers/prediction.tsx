import { accuracyOfTargets } from '@/lib/view/plan-flow/accuracy'
import type { PlanRunView } from '@/lib/view/rebalance-model'
import { href } from '../hooks/url-state'
import { useText } from '../messages/use-text'
import { Link } from '../ui/link'
import { Table, Td, Th } from '../ui/table'

/** Compares the result with the preview, for the workloads that have finished. */
export function Prediction({ plan: { prediction, finishedAt, targets } }: { plan: PlanRunView }) {
  const text = useText()
  if (prediction === undefined) return null
  const finished = finishedAt === undefined ? 'no' : 'yes'
  const { error, renewed, clusters } = prediction
  const { exact, missed, announced = 0 } = accuracyOfTargets(targets)
  return (
    <section aria-label={text('plan.prediction.title')} data-testid="plan-prediction" data-error={error}>
      <h2 className="mb-1 text-section">{text('plan.prediction.title')}</h2>
      {error === 0 ? (
        <p>{text(renewed === 0 ? 'plan.prediction.matches' : 'plan.prediction.matchesRenewed', { finished })}</p>
      ) : (
        <>
          <p className="mb-1">
            {text('plan.prediction.differs', { finished, n: error })}{' '}
            {text('plan.prediction.workloads', { exact, missed, announced, total: exact + missed })}
          </p>
          <Table aria-label={text('plan.prediction.byCluster')}>
            <thead>
              <tr>
                <Th className="pl-0">{text('plan.column.cluster')}</Th>
                <Th figure>{text('plan.prediction.predicted')}</Th>
                <Th figure>{text('plan.prediction.actual')}</Th>
                <Th figure>Δ</Th>
              </tr>
            </thead>
            <tbody>
              {clusters.map(({ cluster, predicted, actual }) => (
                <tr key={cluster} data-cluster={cluster}>
                  <Td className="pl-0">
                    <Link href={href.cluster(cluster)} className="hover:underline">
                      {cluster}
                    </Link>
                  </Td>
                  <Td figure>{text.format.delta(predicted)}</Td>
                  <Td figure>{text.format.delta(actual)}</Td>
                  <Td figure className="font-medium">
                    {text.format.delta(actual - predicted)}
                  </Td>
                </tr>
              ))}
            </tbody>
          </Table>
        </>
      )}
      {renewed > 0 && <p className="mt-1 text-ink-2">{text('plan.prediction.renewed', { n: renewed })}</p>}
    </section>
  )
}
