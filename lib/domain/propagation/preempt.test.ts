import { describe, expect, test } from 'vitest'
import { mayPreempt, policiesToPreempt, type Policy } from '.'

type Preemption = 'Always' | 'Never'

/** `shop/web` is a policy of a namespace, `wide` one of the cluster. */
function policy(name: string, priority: number | undefined, preemption: Preemption = 'Always'): Policy {
  const [own = '', namespace] = name.split('/').toReversed()
  return {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: namespace ? 'PropagationPolicy' : 'ClusterPropagationPolicy',
    metadata: {
      name: own,
      ...(namespace && { namespace }),
      uid: name,
      resourceVersion: '1',
      creationTimestamp: '2026-01-01T00:00:00Z',
    },
    spec: { resourceSelectors: [], preemption, ...(priority !== undefined && { priority }) },
  }
}

describe('which policy may preempt which', () => {
  test.each([
    [policy('shop/a', 2), policy('shop/b', 1), true],
    [policy('shop/a', 1), policy('shop/b', 1), false],
    [policy('shop/a', undefined), policy('shop/b', -1), true],
    [policy('shop/a', 0), policy('shop/b', undefined), false],
    [policy('shop/a', -9), policy('wide', 9), true],
    [policy('wide', 9), policy('shop/a', -9), false],
    [policy('wider', 2), policy('wide', 1), true],
    [policy('wider', 1), policy('wide', 1), false],
  ])('$metadata.uid of priority $spec.priority', (taker, holder, expected) => {
    expect(mayPreempt(taker, holder)).toBe(expected)
  })
})

test('a lowered priority affects the policies of the same kind strictly between, best first', () => {
  const others = [
    policy('shop/low', 1),
    policy('shop/good', 3),
    policy('shop/best', 8),
    policy('shop/old', 9),
    policy('shop/shy', 5, 'Never'),
    policy('other/far', 5),
    policy('wide', 5),
  ]
  const names = policiesToPreempt(policy('shop/x', 9), policy('shop/x', 1), others).map(({ metadata }) => metadata.name)
  expect(names).toEqual(['best', 'good'])
})

test('a raised priority preempts no policy', () => {
  expect(policiesToPreempt(policy('shop/x', 1), policy('shop/x', 9), [policy('shop/a', 5)])).toEqual([])
})
