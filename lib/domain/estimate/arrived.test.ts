import { expect, test } from 'vitest'
import fc from '@/lib/testing/properties'
import type { Cluster } from '@/lib/kube/kinds/cluster'
import { capacityWithArrivals, countsWhole, summaryCapacity, withArrivals } from '.'

const amounts = fc.record(
  {
    cpu: fc.constantFrom('0', '250m', '1', '1500m', '3', '1e3'),
    memory: fc.constantFrom('0', '64Mi', '1Gi', '1.5Gi', '1G', '100'),
    pods: fc.constantFrom('0', '3', '110'),
    'example.com/gpu': fc.constantFrom('1', '8'),
  },
  { requiredKeys: [] },
)
const arrivals = fc.array(
  fc.record(
    { replicas: fc.nat({ max: 20 }), requirements: fc.record({ resourceRequest: amounts }) },
    { requiredKeys: ['replicas'] },
  ),
  { maxLength: 5 },
)

test('the remainder equals that of the summary with the arrivals added', () => {
  fc.assert(
    fc.property(
      fc.record({ allocatable: amounts, allocated: amounts, allocating: amounts }),
      arrivals,
      (summary, list) => {
        const cluster = {
          metadata: { name: 'm1' },
          spec: {},
          status: { resourceSummary: summary },
        } as unknown as Cluster
        const reported = withArrivals(cluster, list).status!.resourceSummary!
        expect(countsWhole(summary)).toBe(true)
        expect(capacityWithArrivals(summaryCapacity(summary), list)).toEqual(summaryCapacity(reported))
      },
    ),
  )
})

test('fractions of a unit cannot be subtracted', () => {
  expect(countsWhole({ allocatable: { cpu: '1500u' } })).toBe(false)
  expect(countsWhole({ allocatable: { memory: '1.5' } })).toBe(false)
})
