/** The state that the instances of a console share through Redis; without Redis nothing is shared. */
import { english } from '@/lib/messages/english'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { readFile } from 'node:fs/promises'
import { KubeError } from '@/lib/kube/errors'
import { namespace } from '@/lib/kube/kinds/namespace'
import type { Clock } from '@/lib/std/clock'
import type { KubeClient } from '@/server/kube/client'
import type { Logger } from '@/server/runtime/controller'
import type { StoreMetrics } from '../metrics-hooks'
import { openPersistentStore } from './persistent-store'
import { createMemoryStore } from './memory-store'
import type { SocketAdapter } from './socket-adapter'
import { ONCE_PREFIX, type SharedStore, type StoreState } from './store'

export interface Sharing {
  store: SharedStore
  /** Connects socket.io of all instances; absent when an instance runs alone. */
  socketAdapter?: SocketAdapter
  /** Closes everything; no part may be used afterwards. */
  close(): Promise<void>
}

export interface SharingOptions {
  /** Absent: this instance runs alone. */
  redis?: { url: string; caFile?: string | undefined } | undefined
  /** Where a single instance keeps Idempotency-Keys beyond its end; absent: in memory only. */
  folder?: string | undefined
  /** The same for all instances of one control plane, and different for others (`controlPlaneId`). */
  controlPlane: string
  clock: Clock
  /** Uniform in [0, 1). */
  random: () => number
  log: Logger
  metrics?: StoreMetrics
}

/** Resolves within some seconds even when Redis does not answer: it is connected in the background. */
export async function openSharing(options: SharingOptions): Promise<Sharing> {
  const { clock, log, redis } = options
  const onError = (error: unknown): void =>
    log.error({ err: error }, 'failed to handle a message from another instance')
  if (!redis) {
    const memory = createMemoryStore({ clock, onError })
    const path = options.folder === undefined ? undefined : join(options.folder, 'idempotency.jsonl')
    const store =
      path === undefined
        ? memory
        : await openPersistentStore({
            store: memory,
            path,
            prefix: ONCE_PREFIX,
            clock,
            onError: (error) =>
              log.error({ err: error, path }, 'failed to persist an Idempotency-Key; a crash would lose it'),
          })
    return { store, close: () => store.close() }
  }
  const shared = {
    url: redis.url,
    ...(redis.caFile !== undefined && { ca: await readFile(redis.caFile, 'utf8') }),
    prefix: `evenkeel:${options.controlPlane}:`,
    clock,
    random: options.random,
  }
  // Loaded only with Redis: its client is a quarter of the server.
  const [{ openRedisStore }, { createSocketAdapter }] = await Promise.all([
    import('./redis-store'),
    import('./socket-adapter'),
  ])
  const store = await openRedisStore({ ...shared, onError })
  const sockets = createSocketAdapter(shared)
  followState(store, options)
  const close = async (): Promise<void> => {
    await Promise.all([store.close(), sockets.close()])
  }
  return { store, socketAdapter: sockets.adapter, close }
}

function followState(store: SharedStore, { log, metrics }: SharingOptions): void {
  const told = (state: StoreState): void => {
    metrics?.storeReachable(state.ok)
    if (state.ok) log.info({}, 'using Redis shared with other instances')
    else
      log.warn(
        { cause: english.of(state.error) },
        'shared Redis is unavailable; sign-outs on other instances may take effect late',
      )
  }
  told(store.state())
  store.onState(told)
}

/**
 * Returns a name for this control plane that every instance derives itself: the uid of its namespace `kube-system`, or,
 * without permission to read it, a name from the address. Rejects while the control plane does not answer.
 */
export async function controlPlaneId(client: KubeClient, address: string): Promise<string> {
  try {
    return (await client.get(namespace, { name: 'kube-system' })).metadata.uid
  } catch (error) {
    if (!(error instanceof KubeError) || (error.code !== 403 && error.code !== 404)) throw error
    return createHash('sha256').update(address).digest('hex').slice(0, 32)
  }
}
