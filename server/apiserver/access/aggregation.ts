/** Updates the rules of aggregated ClusterRoles when the selected roles change. */
import type { ClusterRole } from '@/lib/kube/kinds/cluster-role'
import type { UnknownObject } from '@/lib/kube/object'
import { aggregatedRules } from '@/lib/kube/rbac/aggregate'
import { deepEqual } from '@/lib/std/equal'
import type { Api } from '../api'
import { createKeyController } from '../controllers/key-controller'
import type { Keyspace } from '../registry/keyspace'
import { updateObject } from '../registry/update'
import { serverWriter, type Writer } from '../registry/writer'

const CLUSTER_ROLES = 'clusterroles.rbac.authorization.k8s.io'
const writer: Writer = { ...serverWriter, manager: 'clusterrole-aggregation-controller' }

/** Starts the controller. A change of any ClusterRole updates the aggregated roles of its key space. */
export function startAggregation(api: Api, keyspaceOf: (name: string) => Keyspace): { close(): Promise<void> } {
  const loop = createKeyController('clusterrole-aggregation', api, (keyspace) => gatherAll(api, keyspaceOf(keyspace)))
  const stop = api.store.subscribe((events) => {
    for (const {
      entry: { location },
    } of events)
      if (location.resource === CLUSTER_ROLES) loop.add(location.keyspace)
  })
  for (const keyspace of api.store.keyspaces()) loop.add(keyspace)
  return {
    close: () => {
      stop()
      return loop.close()
    },
  }
}

/**
 * Updates all aggregated roles. Repeated until no role changes, because aggregated roles may select aggregated roles.
 */
async function gatherAll(api: Api, keyspace: Keyspace): Promise<void> {
  const { clusterRoles } = api.access.authorizer.grants(keyspace.name)
  const gathering = clusterRoles.filter(({ aggregationRule }) => aggregationRule)
  await Promise.all(gathering.map((role) => gather(api, keyspace, { role, clusterRoles })))
}

async function gather(
  api: Api,
  keyspace: Keyspace,
  { role, clusterRoles }: { role: ClusterRole; clusterRoles: readonly ClusterRole[] },
): Promise<void> {
  const rules = aggregatedRules(role, clusterRoles)
  if (deepEqual(rules, role.rules ?? [])) return
  const resource = keyspace.registry.inStore(CLUSTER_ROLES)
  const entry = api.store.get({ keyspace: keyspace.name, resource: CLUSTER_ROLES, key: role.metadata.name })
  if (!resource || !entry) return
  const change = (current: UnknownObject): UnknownObject => ({ ...current, rules })
  await updateObject({ api, keyspace, resource }, entry, { writer, change })
}
