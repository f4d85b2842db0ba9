/** A client that refuses to write once its owner might no longer be the leader. */
import { kubeError } from '@/lib/kube/errors'
import type { KubeClient } from './client'

/** Passes reads to `client`, and writes while `mayWrite()` is true; otherwise writes reject with a Conflict. */
export function fencedClient(client: KubeClient, mayWrite: () => boolean): KubeClient {
  const guarded = async <T>(write: () => Promise<T>): Promise<T> => {
    if (!mayWrite()) throw kubeError(409, 'Conflict', 'not the leader any more')
    return write()
  }
  return {
    get: (kind, ref) => client.get(kind, ref),
    list: (kind, options) => client.list(kind, options),
    watch: (kind, options, signal) => client.watch(kind, options, signal),
    raw: (method, path, body, signal) =>
      method === 'GET' ? client.raw(method, path, body, signal) : guarded(() => client.raw(method, path, body, signal)),
    stream: (path, signal) => client.stream(path, signal),
    create: (kind, object, options) => guarded(() => client.create(kind, object, options)),
    update: (kind, object, options) => guarded(() => client.update(kind, object, options)),
    patch: (kind, ref, patch, options) => guarded(() => client.patch(kind, ref, patch, options)),
    delete: (kind, ref, options) => guarded(() => client.delete(kind, ref, options)),
    member: (name) => fencedClient(client.member(name), mayWrite),
    as: (identity) => fencedClient(client.as(identity), mayWrite),
  }
}
