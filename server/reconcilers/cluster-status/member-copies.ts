/** Caches nodes and pods of members that respond. */
import { node as nodeKind, pod as podKind, type Node, type Pod } from '@/lib/kube/kinds'
import type { Change, Informers } from '@/server/kube/informer'
import { createInformers } from '@/server/kube/informers'
import type { ReconcilerContext } from '@/server/runtime/controller'

/** Nodes and pods of one member. The same object until a figure may have changed. */
export interface MemberCopy {
  /** In the order of its lists. */
  nodes: readonly Node[]
  /** The same where a figure depends on it. */
  pods: readonly Pod[]
}

export interface MemberCopies {
  /** Starts the cache if necessary and waits for it at most `patienceMs`; undefined if it has not synced by then. */
  read(cluster: string, syncTimeoutMs: number): Promise<MemberCopy | undefined>
  /** Stops the cache of a member. */
  stop(cluster: string): Promise<void>
  stopAll(): Promise<void>
}

/** `onChange` is called when the figures of a cluster may have changed. */
export function createMemberCopies(context: ReconcilerContext, onChange: (cluster: string) => void): MemberCopies {
  const running = new Map<string, Informers>()
  const copies = new Map<string, MemberCopy>()
  const changed = (cluster: string): void => {
    copies.delete(cluster)
    onChange(cluster)
  }
  const stop = async (cluster: string): Promise<void> => {
    const informers = running.get(cluster)
    running.delete(cluster)
    copies.delete(cluster)
    await informers?.stop()
  }
  return {
    async read(cluster, syncTimeoutMs) {
      const informers = running.get(cluster) ?? start(context, cluster, changed)
      running.set(cluster, informers)
      if (!(await syncedWithin(context, informers, syncTimeoutMs))) return undefined
      const copy = copies.get(cluster) ?? {
        nodes: byName(informers.of(nodeKind).list()),
        pods: inOrder(informers.of(podKind).list()),
      }
      copies.set(cluster, copy)
      return copy
    },
    stop,
    stopAll: async () => void (await Promise.all([...running.keys()].map(stop))),
  }
}

function start(
  { client, clock, random, log }: ReconcilerContext,
  cluster: string,
  onChange: (cluster: string) => void,
): Informers {
  const onError = (error: unknown): void => log.error({ cluster, err: error }, 'member informer handler failed')
  const informers = createInformers({ client: client.member(cluster), clock, random, onError })
  informers.of(nodeKind).onChange(() => onChange(cluster))
  informers.of(podKind).onChange((change) => {
    if (affectsUsage(change)) onChange(cluster)
  })
  return informers
}

/** Only a pod's node and whether it has finished affect the figures. */
function affectsUsage(change: Change<Pod>): boolean {
  return (
    change.type !== 'updated'
    || change.object.spec.nodeName !== change.old.spec.nodeName
    || change.object.status?.phase !== change.old.status?.phase
  )
}

async function syncedWithin(
  { clock }: ReconcilerContext,
  informers: Informers,
  syncTimeoutMs: number,
): Promise<boolean> {
  if (informers.of(nodeKind).hasSynced() && informers.of(podKind).hasSynced()) return true
  const late = Promise.withResolvers<boolean>()
  const cancel = clock.after(syncTimeoutMs, () => late.resolve(false))
  const synced = informers.whenSynced().then(() => true)
  return Promise.race([synced, late.promise]).finally(cancel)
}

/** Sums depend on the order of pods only where they have init containers. */
const inOrder = (pods: readonly Pod[]): readonly Pod[] =>
  pods.some(({ spec }) => spec.initContainers?.length) ? byName(pods) : pods

function byName<T extends Node | Pod>(objects: readonly T[]): T[] {
  return objects.toSorted(
    (a, b) =>
      compare(a.metadata.namespace ?? '', b.metadata.namespace ?? '') || compare(a.metadata.name, b.metadata.name),
  )
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
