import { formatDelta, formatNumberOf } from '@/lib/format'
import type { PlanRunView } from '@/lib/view/rebalance-model'
import { href } from '../hooks/url-state'
import { Link } from '../ui/link'
import { Table, Td, Th } from '../ui/table'

/** How right the preview was, of what has arrived. */
export function Prediction({ plan: { prediction, finishedAt } }: { plan: PlanRunView }) {
  if (prediction === undefined) return null
  const begin = (word: string) =>
    finishedAt === undefined ? `So far ${word}` : word.charAt(0).toUpperCase() + word.slice(1)
  const { error, clusters } = prediction
  return (
    <section aria-label="Prediction" data-testid="plan-prediction" data-error={error}>
      <h2 className="mb-1 text-section">Predicted and come true</h2>
      {error === 0 ? (
        <p>{begin('every')} replica ended where the preview put it.</p>
      ) : (
        <>
          <p className="mb-1">{begin(formatNumberOf(error, 'replica'))} ended elsewhere than the preview said.</p>
          <Table aria-label="Prediction by cluster">
            <thead>
              <tr>
                <Th className="pl-0">Cluster</Th>
                <Th figure>Predicted</Th>
                <Th figure>Is</Th>
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
                  <Td figure>{predicted}</Td>
                  <Td figure>{actual}</Td>
                  <Td figure className="font-medium">
                    {formatDelta(actual - predicted)}
                  </Td>
                </tr>
              ))}
            </tbody>
          </Table>
        </>
      )}
    </section>
  )
}
