'use client'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { PlanRowView } from '@/lib/view/rebalance-model'
import { accuracyOfPlans, type PlanAccuracy, totalAccuracy } from '@/lib/view/plan-flow/accuracy'
import { read } from '../hooks/actions'
import { href } from '../hooks/url-state'
import { useText } from '../messages/use-text'
import { Disclosure } from '../plan/manifest'
import { Ago } from '../status/ago'
import { Link } from '../ui/link'
import { Table, Td, Th } from '../ui/table'

/**
 * How many workloads of each finished plan and rebalancer ended where its preview put them; nothing before the first one.
 */
export function AccuracyHistory({ plans }: { plans: readonly PlanRowView[] }) {
  const text = useText()
  const finished = plans.filter(({ finishedAt }) => finishedAt !== undefined).length
  // What is kept of deleted plans changes when one finishes.
  const kept = useQuery({
    queryKey: ['prediction-accuracy', finished],
    queryFn: ({ signal }) => read<PlanAccuracy[]>('/api/v1/prediction-accuracy', signal),
    retry: false,
    placeholderData: (last) => last,
  })
  const rows = useMemo(() => accuracyOfPlans(plans, kept.data), [plans, kept.data])
  if (rows.length === 0) return null
  const { exact, missed } = totalAccuracy(rows)
  const total = exact + missed
  // Rounded down: 100 % says that all of them did.
  const share = { share: Math.floor((100 * exact) / total) / 100 }
  return (
    <div className="px-6 pb-4" data-testid="prediction-accuracy" data-exact={exact} data-missed={missed}>
      <Disclosure summary={text('plan.accuracy.title', { share, exact, total })}>
        <Table aria-label={text('plan.accuracy.label')}>
          <thead>
            <tr>
              <Th className="pl-0">{text('plan.column.plan')}</Th>
              <Th figure>{text('plan.accuracy.exact')}</Th>
              <Th figure>{text('plan.accuracy.missed')}</Th>
              <Th figure>{text('plan.accuracy.announced')}</Th>
              <Th figure>{text('plan.accuracy.misplaced')}</Th>
              <Th figure>{text('plan.accuracy.finished')}</Th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.plan} data-plan={row.plan}>
                <Td className="pl-0">
                  <Link
                    href={row.rebalancer ? href.rebalancer(row.plan) : href.planRun(row.plan)}
                    className="hover:underline"
                  >
                    {row.plan}
                  </Link>
                </Td>
                <Td figure>{row.exact}</Td>
                <Td figure>{row.missed}</Td>
                <Td figure>{row.announced ?? 0}</Td>
                <Td figure>{row.misplaced}</Td>
                <Td figure>
                  <Ago time={row.finishedAt} />
                </Td>
              </tr>
            ))}
          </tbody>
        </Table>
      </Disclosure>
    </div>
  )
}
