/** A client that goes wrong on demand, for failures that an API server in the same process does not have. */
import type { ObjectRef } from '@/lib/kube/object'
import type { KubeClient } from '@/server/kube/client'

export interface Fault {
  verb: 'get' | 'create' | 'update' | 'patch' | 'delete'
  kind: { kind: string }
  name?: string
  /** How often. Default once. */
  times?: number
  /** Runs instead of the request when it throws, before it otherwise. */
  before?: () => void | Promise<void>
  /** Runs when the answer is there, before the caller sees it. */
  after?: () => void | Promise<void>
}

/** `client` with these faults; each is used up after its number of times. */
export function withFaults(client: KubeClient, ...faults: Fault[]): KubeClient {
  const left = faults.map((fault) => ({ ...fault, times: fault.times ?? 1 }))
  type Call<T> = () => Promise<T>
  const pass = async <T>(verb: Fault['verb'], kind: string, name: string | undefined, call: Call<T>): Promise<T> => {
    const fault = left.find(
      (one) =>
        one.times > 0 && one.verb === verb && one.kind.kind === kind && (one.name === undefined || one.name === name),
    )
    if (fault) fault.times -= 1
    await fault?.before?.()
    const answer = await call()
    await fault?.after?.()
    return answer
  }
  return {
    get: (kind, ref: ObjectRef) => pass('get', kind.kind, ref.name, () => client.get(kind, ref)),
    update: (kind, object, options) =>
      pass('update', kind.kind, object.metadata.name, () => client.update(kind, object, options)),
    patch: (kind, ref, patch, options) =>
      pass('patch', kind.kind, ref.name, () => client.patch(kind, ref, patch, options)),
    delete: (kind, ref, options) => pass('delete', kind.kind, ref.name, () => client.delete(kind, ref, options)),
    list: (kind, options) => client.list(kind, options),
    watch: (kind, options, signal) => client.watch(kind, options, signal),
    create: (kind, object, options) =>
      pass('create', kind.kind, object.metadata.name, () => client.create(kind, object, options)),
    raw: (method, path, body, signal) => client.raw(method, path, body, signal),
    stream: (path, signal) => client.stream(path, signal),
    member: (name) => withFaults(client.member(name), ...faults),
    as: (identity) => withFaults(client.as(identity), ...faults),
  }
}
