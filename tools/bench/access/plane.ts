/** The API server of the access bench, in its own process, filled before it reports its address. */
import { randomUUID } from 'node:crypto'
import { allKinds, namespace, resourceBinding } from '@/lib/kube/kinds'
import { clusterRole } from '@/lib/kube/kinds/cluster-role'
import { roleBinding } from '@/lib/kube/kinds/role-binding'
import { RBAC_GROUP } from '@/lib/kube/rbac/names'
import { createMemoryStore, startApiServer } from '@/server/apiserver'
import type { KubeClient } from '@/server/kube/client'
import { clientOver } from '@/server/kube/rest-client'
import { mapBounded } from '@/server/runtime/bounded'
import { systemClock } from '@/server/runtime/system-clock'
import { aBinding, clockNow, TOKEN } from '../stream/fleet'
import { bindingName, type FederationShape, namespaceName, namespacesOf, roleBindingOf, TENANT } from './federation'

const CREATORS = 32

async function serve(shape: FederationShape): Promise<void> {
  const admin = { user: 'bench', groups: ['system:masters'] }
  const server = await startApiServer({
    store: createMemoryStore(),
    kinds: allKinds,
    host: '127.0.0.1',
    port: 0,
    clock: systemClock,
    uid: () => randomUUID(),
    random: Math.random,
    tokens: [{ token: TOKEN, ...admin }],
  })
  const client = clientOver(server.local({ caller: admin }), 'bench')
  await fill(client, shape)
  const users = Array.from({ length: shape.users }, (_, index) => index)
  process.on('message', () => {
    // Each user loses access to one namespace; the times are reported.
    void mapBounded(users, CREATORS, async (user) => {
      const [first = ''] = namespacesOf(user, shape)
      await client.delete(roleBinding, { namespace: first, name: bindingName(user) })
      return clockNow()
    }).then((times) => process.send?.(times))
  })
  process.on('disconnect', () => process.exit(0))
  process.send?.(server.url)
}

async function fill(client: KubeClient, shape: FederationShape): Promise<void> {
  await client.create(clusterRole, {
    apiVersion: `${RBAC_GROUP}/v1`,
    kind: 'ClusterRole',
    metadata: { name: TENANT },
    rules: [
      { apiGroups: ['work.karmada.io'], resources: ['resourcebindings'], verbs: ['get', 'list', 'watch'] },
      { apiGroups: [''], resources: ['events'], verbs: ['get', 'list', 'watch'] },
    ],
  })
  const indexes = Array.from({ length: shape.namespaces }, (_, index) => index)
  await mapBounded(indexes, CREATORS, async (index) => {
    const name = namespaceName(index)
    await client.create(namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
    const { metadata, spec, ...binding } = aBinding(index)
    await client.create(resourceBinding, {
      ...binding,
      metadata: { ...metadata, namespace: name },
      spec: { ...spec, resource: { ...spec.resource, namespace: name } },
    })
  })
  const users = Array.from({ length: shape.users }, (_, index) => index)
  await mapBounded(users, CREATORS, async (user) => {
    for (const name of namespacesOf(user, shape)) await client.create(roleBinding, roleBindingOf(user, name))
  })
}

await serve(JSON.parse(process.argv[2] as string) as FederationShape)
