/** Marks answers from the caches with their freshness: incomplete caches refuse, stale caches add a header. */
import type { AnyEndpoint, Endpoint } from '../http/endpoint'
import { isAnswered, isStreamed } from '../http/endpoint'
import type { ControlPlaneCache } from '../cache/control-plane-cache'
import { refuseUnlessComplete } from './plan-rebalance'

/** Since when the control plane does not answer (RFC 3339). The body is the state of that time. */
const STALE_HEADER = 'evenkeel-stale-since'

/**
 * Returns the same endpoints, whose reads are refused while the caches are incomplete and marked while they are stale.
 */
export function withFreshness(endpoints: readonly AnyEndpoint[], cache: ControlPlaneCache): AnyEndpoint[] {
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
