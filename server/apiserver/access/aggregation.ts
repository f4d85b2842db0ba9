/** Keeps the rules of aggregated ClusterRoles those of the roles that they gather. */
import type { ClusterRole } from '@/lib/kube/kinds/cluster-role'
import type { UnknownObject } from '@/lib/kube/object'
import { aggregatedRules } from '@/lib/kube/rbac/aggregate'
import { deepEqual } from '@/lib/std/equal'
import type { Api } from '../api'
import { createKeyLoop } from '../controllers/key-loop'
import type { Realm } from '../registry/realm'
import { updateObject } from '../registry/update'
import { serverWriter, type Writer } from '../registry/writer'

const CLUSTER_ROLES = 'clusterroles.rbac.authorization.k8s.io'
const writer: Writer = { ...serverWriter, manager: 'clusterrole-aggregation-controller' }

/** Starts the loop. A change of any ClusterRole makes the aggregated ones of its key space be gathered again. */
export function startAggregation(api: Api, realmOf: (name: string) => Realm): { close(): Promise<void> } {
  const loop = createKeyLoop('clusterrole-aggregation', api, (realm) => gatherAll(api, realmOf(realm)))
  const stop = api.store.subscribe((events) => {
    for (const { entry: { location } } of events) if (location.resource === CLUSTER_ROLES) loop.add(location.realm)
  })
  for (const realm of api.store.realms()) loop.add(realm)
  return {
    close: () => {
      stop()
      return loop.close()
    },
  }
}

/** Again until nothing changes: aggregated roles gather from aggregated ones. */
async function gatherAll(api: Api, realm: Realm): Promise<void> {
  const { clusterRoles } = api.access.authorizer.grants(realm.name)
  const gathering = clusterRoles.filter(({ aggregationRule }) => aggregationRule)
  await Promise.all(gathering.map((role) => gather(api, realm, { role, clusterRoles })))
}

async function gather(
  api: Api, realm: Realm, { role, clusterRoles }: { role: ClusterRole; clusterRoles: readonly ClusterRole[] },
): Promise<void> {
  const rules = aggregatedRules(role, clusterRoles)
  if (deepEqual(rules, role.rules ?? [])) return
  const resource = realm.registry.inStore(CLUSTER_ROLES)
  const entry = api.store.get({ realm: realm.name, resource: CLUSTER_ROLES, key: role.metadata.name })
  if (!resource || !entry) return
  const change = (current: UnknownObject): UnknownObject => ({ ...current, rules })
  await updateObject({ api, realm, resource }, entry, { writer, change })
}
