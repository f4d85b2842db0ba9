/**
 * The API server of the stream benches, in its own process, filled before it reports its address. It writes the changes
 * itself, so that the time in a change is that of its event.
 */
import { randomUUID } from 'node:crypto'
import { allKinds, cluster, namespace, resourceBinding } from '@/lib/kube/kinds'
import { createMemoryStore, startApiServer } from '@/server/apiserver'
import { clientOver } from '@/server/kube/rest-client'
import { mapBounded } from '@/server/runtime/bounded'
import { systemClock } from '@/server/runtime/system-clock'
import { Writer } from './writer'
import {
  aBinding,
  aCluster,
  bindingNameOf,
  clockNow,
  clusterStatus,
  namespaceOf,
  NARROW,
  statusAt,
  TOKEN,
  wideSpread,
} from './fleet'

export interface PlaneShape {
  bindings: number
  /** Default: four, two of which run everything. */
  clusters?: number
}

/** Sets a number of replicas that a page can be searched for; returns the time just before the write. */
export interface Mark {
  index: number
  replicas: number
}

const CREATORS = 32

async function serve({ bindings, clusters }: PlaneShape): Promise<void> {
  const spread = clusters === undefined ? NARROW : wideSpread(clusters)
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
  const indexes = Array.from({ length: bindings }, (_, index) => index)
  for (const name of new Set(indexes.map(namespaceOf)))
    await client.create(namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
  for (const [index, name] of spread.clusters.entries()) {
    const created = await client.create(cluster, aCluster(name, index))
    await client.update(cluster, { ...created, status: clusterStatus('Ready') }, { subresource: 'status' })
  }
  await mapBounded(indexes, CREATORS, async (index) => {
    const created = await client.create(resourceBinding, aBinding(index, spread))
    const status = statusAt('Success', spread.placementOf(index))
    await client.update(resourceBinding, { ...created, status }, { subresource: 'status' })
  })
  let writer: Writer | undefined
  const mark = async ({ index, replicas }: Mark): Promise<number> => {
    const ref = { namespace: namespaceOf(index), name: bindingNameOf(index) }
    const at = clockNow()
    await client.patch(resourceBinding, ref, { type: 'merge', value: { spec: { replicas } } })
    return at
  }
  process.on('message', (message) => {
    if (typeof message === 'object') return void mark(message as Mark).then((at) => process.send?.(at))
    if (typeof message === 'number') {
      writer = new Writer(client, { bindings, spread, changesPerSecond: message })
      void writer.run()
    }
    process.send?.(writer?.written ?? 0)
  })
  process.on('disconnect', () => process.exit(0))
  process.send?.(server.url)
}

await serve(JSON.parse(process.argv[2] as string) as PlaneShape)
