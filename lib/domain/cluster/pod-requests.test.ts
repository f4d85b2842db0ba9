import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatQuantity } from '@/lib/kube/quantity'
import type { Pod, PodSpec } from '@/lib/kube/kinds'
import { addPodRequests, type Amounts, requestsOf } from './pod-requests'

const written = (amounts: Amounts): string[][] => [...amounts].map(([name, amount]) => [name, formatQuantity(amount)])

const requests = fc.dictionary(
  fc.constantFrom('cpu', 'memory', 'ephemeral-storage', 'example.com/gpu', 'pods'),
  fc.constantFrom('0', '1', '100m', '1500m', '0.3m', '64Mi', '1Gi', '3e2'),
  { maxKeys: 3 },
)
const container = fc.record({ resources: fc.option(fc.record({ requests }), { nil: undefined }) })
const containers = (maxLength: number) => fc.option(fc.array(container, { maxLength }), { nil: undefined })
const spec = fc.record({
  containers: containers(2),
  initContainers: fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, containers(2)),
  overhead: fc.option(requests, { nil: undefined }),
})
/** Many pods of few templates, as in a cluster. */
const pods = fc
  .array(spec, { minLength: 1, maxLength: 4 })
  .chain((templates) => fc.array(fc.constantFrom(...templates), { maxLength: 30 }))

describe('requests of pods', () => {
  it('are those of one pod after the other', () => {
    fc.assert(
      fc.property(pods, (specs) => {
        const expected: Amounts = new Map()
        for (const each of specs) addPodRequests(expected, each as PodSpec)
        const { pods: n, ...others } = Object.fromEntries(
          written(requestsOf(specs.map((each) => structuredClone({ spec: each }) as Pod))),
        )
        expect(n).toBe(String(specs.length))
        expect(Object.entries(others)).toEqual(written(expected))
      }),
      { seed: 4311, numRuns: 500 },
    )
  })
})
