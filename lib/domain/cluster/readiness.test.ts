import { expect, test } from 'vitest'
import { debounceReadiness, observeProbe, type ProbeMemory } from './readiness'

test.each([
  [200, 'True', 'ClusterReady', 'cluster is healthy and ready to accept workloads'],
  [204, 'False', 'ClusterNotReady', 'cluster is reachable but health endpoint responded without ok'],
  [404, 'False', 'ClusterNotReachable', 'cluster is not reachable'],
  [503, 'False', 'ClusterNotReachable', 'cluster is not reachable'],
  [undefined, 'False', 'ClusterNotReachable', 'cluster is not reachable'],
])('a probe answered with %s means Ready=%s', (code, status, reason, message) => {
  expect(observeProbe(code)).toEqual({ type: 'Ready', status, reason, message })
})

const good = observeProbe(200)
const bad = observeProbe(503)
const odd = observeProbe(204)
const thresholds = { successMs: 20_000, failureMs: 30_000 }
const since = (status: ProbeMemory['status'], at: number): ProbeMemory => ({ status, since: at })

test.each([
  ['the first observation counts at once', { observed: bad, published: good, memory: undefined, now: 0 }, bad],
  [
    'a cluster without a condition gets one at once',
    { observed: bad, published: undefined, memory: since('True', 0), now: 0 },
    bad,
  ],
  [
    'a failure is not believed at first',
    { observed: bad, published: good, memory: since('True', 0), now: 90_000 },
    good,
  ],
  [
    'a failure is not believed just before the threshold',
    { observed: bad, published: good, memory: since('False', 0), now: 29_999 },
    good,
  ],
  [
    'a failure is believed at the threshold',
    { observed: bad, published: good, memory: since('False', 0), now: 30_000 },
    bad,
  ],
  [
    'a recovery has a threshold of its own',
    { observed: good, published: bad, memory: since('True', 0), now: 20_000 },
    good,
  ],
  [
    'another reason with the same status counts at once',
    { observed: odd, published: bad, memory: since('False', 0), now: 1 },
    odd,
  ],
])('%s', (_sentence, snapshot, publish) => {
  expect(debounceReadiness({ ...snapshot, thresholds }).publish).toBe(publish)
})

test('a flap restarts the threshold', () => {
  const first = debounceReadiness({ observed: bad, published: good, memory: since('True', 0), now: 10_000, thresholds })
  const back = debounceReadiness({ observed: good, published: good, memory: first.memory, now: 20_000, thresholds })
  const again = debounceReadiness({ observed: bad, published: good, memory: back.memory, now: 30_000, thresholds })
  expect(again.memory).toEqual({ status: 'False', since: 30_000 })
  expect(
    debounceReadiness({ observed: bad, published: good, memory: again.memory, now: 59_999, thresholds }).publish,
  ).toBe(good)
  expect(
    debounceReadiness({ observed: bad, published: good, memory: again.memory, now: 60_000, thresholds }).publish,
  ).toBe(bad)
})
