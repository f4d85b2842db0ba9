/**
 * Answers from the caches say how current they are: not before they are complete, and when they are old, since when.
 */
import type { AnyEndpoint, Endpoint } from '../http/endpoint'
import { isAnswered, isStreamed } from '../http/endpoint'
import type { ControlPlaneCache } from '../cache/control-plane-cache'
import { refuseUnlessComplete } from './plan-rebalance'

/** RFC 3339: since when the control plane does not answer. The body is what was known then. */
const STALE_HEADER = 'evenkeel-stale-since'

/** The same endpoints: reads are refused while the caches are not complete, and marked while they are stale. */
export function saysHowFresh(endpoints: readonly AnyEndpoint[], cache: ControlPlaneCache): AnyEndpoint[] {
  return endpoints.map((one) => ('open' in one || one.method !== 'GET' ? one : marked(one, cache)))
}

function marked(one: Endpoint, cache: ControlPlaneCache): Endpoint {
  return {
    ...one,
    perform: async (call) => {
      refuseUnlessComplete(cache)
      const answer = await one.perform(call)
      const { state, since = '' } = cache.freshness()
      if (state !== 'stale' || isStreamed(answer)) return answer
      const given = isAnswered(answer) ? answer : { body: answer }
      return { ...given, headers: { ...given.headers, [STALE_HEADER]: since } }
    },
  }
}
