import fc from 'fast-check'
import { expect, test } from 'vitest'
import { boundsOf, planRollout, type ReplicaSetState, type RolloutStrategy } from './rollout'

const set = (name: string, replicas: number, available = replicas, pods = replicas): ReplicaSetState => ({
  name,
  replicas,
  pods,
  available,
})
const rolling = (maxSurge: number, maxUnavailable: number): RolloutStrategy => ({
  type: 'RollingUpdate',
  maxSurge,
  maxUnavailable,
})

test.each([
  ['the first roll-out starts all pods', 4, rolling(1, 1), set('new', 0), [], { new: 4 }],
  ['growing without old pods ignores the surge', 9, rolling(1, 1), set('new', 4), [], { new: 9 }],
  ['shrinking is immediate', 2, rolling(1, 1), set('new', 4), [], { new: 2 }],
  [
    'an update surges and frees what may be unavailable',
    4,
    rolling(1, 1),
    set('new', 0),
    [set('old', 4)],
    { new: 1, old: 3 },
  ],
  ['an update waits for new pods', 4, rolling(1, 1), set('new', 2, 0), [set('old', 3)], {}],
  ['an update goes on when new pods are available', 4, rolling(1, 1), set('new', 2, 2), [set('old', 3)], { old: 1 }],
  ['old pods that are not available go first', 4, rolling(1, 1), set('new', 1, 0), [set('old', 4, 2)], { old: 3 }],
  ['recreating stops the old pods first', 4, { type: 'Recreate' as const }, set('new', 0), [set('old', 4)], { old: 0 }],
  [
    'recreating waits until the old pods are gone',
    4,
    { type: 'Recreate' as const },
    set('new', 0),
    [set('old', 0, 0, 2)],
    {},
  ],
  [
    'recreating starts new pods when the old ones are gone',
    4,
    { type: 'Recreate' as const },
    set('new', 0),
    [set('old', 0)],
    { new: 4 },
  ],
])('%s', (...row) => {
  const [, desired, strategy, fresh, old, expected] = row
  expect(Object.fromEntries(planRollout({ desired, strategy, fresh, old }))).toEqual(expected)
})

test.each([
  [undefined, 10, 3, 2],
  [{ maxSurge: 0, maxUnavailable: 0 }, 4, 0, 1],
  [{ maxSurge: '100%', maxUnavailable: 0 }, 4, 4, 0],
  [{ maxSurge: 1, maxUnavailable: 9 }, 4, 1, 4],
])('bounds %j of %i replicas are %i more and %i fewer', (rollingUpdate, desired, maxSurge, maxUnavailable) => {
  expect(boundsOf(rollingUpdate, desired)).toEqual(rolling(maxSurge, maxUnavailable))
})

test('a roll-out whose pods become available always ends, within its bounds at each step', () => {
  const amounts = fc.record({ desired: fc.nat(12), before: fc.nat(12), surge: fc.nat(4), unavailable: fc.nat(4) })
  fc.assert(
    fc.property(amounts, ({ desired, before, surge, unavailable }) => {
      const strategy = boundsOf({ maxSurge: surge, maxUnavailable: unavailable }, desired) as Extract<
        RolloutStrategy,
        { type: 'RollingUpdate' }
      >
      let [fresh, old] = [0, before]
      for (let step = 0; step < 200 && (fresh !== desired || old !== 0); step += 1) {
        const plan = planRollout({ desired, strategy, fresh: set('new', fresh), old: [set('old', old)] })
        const available = Math.min(fresh, plan.get('new') ?? fresh) + (plan.get('old') ?? old)
        expect(available).toBeGreaterThanOrEqual(Math.min(desired - strategy.maxUnavailable, fresh + old))
        ;[fresh, old] = [plan.get('new') ?? fresh, plan.get('old') ?? old]
        expect(fresh + old).toBeLessThanOrEqual(Math.max(desired + strategy.maxSurge, before))
      }
      expect([fresh, old]).toEqual([desired, 0])
    }),
    { seed: 11, numRuns: 500 },
  )
})
