/** Returns every endpoint of the console's own parts. */
import type { AnyEndpoint } from '../http/endpoint'
import type { ApiDeps } from './api-deps'
import { consoleEndpoints } from './console-endpoints'
import { failoverEndpoints } from './failover-endpoints'
import { fleetEndpoints } from './fleet-endpoints'
import { policyEndpoints } from './policy-endpoints'
import { memberEndpoints } from './member-endpoints'
import { objectEndpoints } from './object-endpoints'
import { queueEndpoints } from './queue-endpoints'
import { noticeEndpoints } from './notice-endpoints'
import { withFreshness } from './fresh'
import { simulationEndpoints } from './simulation'
import { rehearsalEndpoints } from './rehearsal-endpoints'
import { snapshotEndpoint } from './snapshots'
import { taintEndpoints } from './taints'
import { rebalanceEndpoints } from './rebalance-endpoints'

export function apiEndpoints(deps: ApiDeps): AnyEndpoint[] {
  const fromCaches = [
    ...fleetEndpoints(deps),
    ...rebalanceEndpoints(deps),
    ...failoverEndpoints(deps),
    ...policyEndpoints(deps),
    ...queueEndpoints(deps),
    ...simulationEndpoints(deps),
    ...taintEndpoints(deps),
  ]
  return [
    ...withFreshness(fromCaches, deps.cache),
    ...memberEndpoints(deps),
    ...objectEndpoints(deps),
    ...consoleEndpoints(deps),
    snapshotEndpoint(deps),
    ...noticeEndpoints(deps),
    ...rehearsalEndpoints(deps),
  ]
}
