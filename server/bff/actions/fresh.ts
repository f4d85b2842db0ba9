/**
 * Answers from the caches say how current they are: not before they are complete, and when they are old, since when.
 */
import type { AnyEndpoint, Endpoint } from '../http/endpoint'
import { isAnswered, isStreamed } from '../http/endpoint'
import type { World } from '../world/world'
import { refuseUnlessComplete } from './plan-rebalance'

/** RFC 3339: since when the control plane does not answer. The body is what was known then. */
const STALE_HEADER = 'evenkeel-stale-since'

/** The same endpoints: reads are refused while the caches are not complete, and marked while they are stale. */
export function saysHowFresh(endpoints: readonly AnyEndpoint[], world: World): AnyEndpoint[] {
  return endpoints.map((one) => ('open' in one || one.method !== 'GET' ? one : marked(one, world)))
}

function marked(one: Endpoint, world: World): Endpoint {
  return {
    ...one,
    perform: async (call) => {
      refuseUnlessComplete(world)
      const answer = await one.perform(call)
      const { state, since = '' } = world.freshness()
      if (state !== 'stale' || isStreamed(answer)) return answer
      const given = isAnswered(answer) ? answer : { body: answer }
      return { ...given, headers: { ...given.headers, [STALE_HEADER]: since } }
    },
  }
}
