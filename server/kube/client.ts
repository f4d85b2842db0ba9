/**
 * The client interface of a Kubernetes API. Controllers, simulated members and the BFF use it for the embedded server
 * and for a real control plane.
 */
import type { Kind } from '@/lib/kube/kind'
import type { Draft, KubeObject, ObjectRef } from '@/lib/kube/object'
import type { JsonPatchOperation } from '@/lib/kube/patch'
import type { Identity } from '@/lib/kube/rbac/attributes'

/** Options of a read. */
export interface ListOptions {
  namespace?: string
  labelSelector?: string
  fieldSelector?: string
  limit?: number
  continue?: string
  /** `'0'` accepts any cached state; absent requests the most recent one. */
  resourceVersion?: string
}

export interface KubeList<T extends KubeObject> {
  metadata: { resourceVersion: string; continue?: string; remainingItemCount?: number }
  items: T[]
}

export interface WatchOptions {
  namespace?: string
  labelSelector?: string
  fieldSelector?: string
  resourceVersion?: string
  allowWatchBookmarks?: boolean
  sendInitialEvents?: boolean
  timeoutSeconds?: number
  /** Called when the server has accepted the watch, before its first event. */
  onOpen?: () => void
}

/** One line of a watch stream. An ERROR line never appears here: it is thrown as a KubeError. */
export type WatchEvent<T extends KubeObject> =
  | { type: 'ADDED' | 'MODIFIED' | 'DELETED'; object: T }
  | { type: 'BOOKMARK'; resourceVersion: string; initialEventsEnd: boolean }

export type Patch =
  | { type: 'json'; operations: readonly JsonPatchOperation[] }
  /** JSON merge patch: null deletes a field. Put `metadata.resourceVersion` into it for an optimistic lock. */
  | { type: 'merge'; value: unknown }

export interface WriteOptions {
  subresource?: 'status' | 'scale'
  dryRun?: boolean
  /** Name of the writer for the server and the audit log. */
  fieldManager?: string
}

export interface DeleteOptions {
  preconditions?: { uid?: string; resourceVersion?: string }
  propagationPolicy?: 'Background' | 'Foreground' | 'Orphan'
  gracePeriodSeconds?: number
  dryRun?: boolean
}

/**
 * Typed access to one API server. Every method rejects with a `KubeError` (lib/kube/errors): the server's Status,
 * or code 0 with reason `Unreachable` when no answer came.
 */
export interface KubeClient {
  get<T extends KubeObject>(kind: Kind<T>, ref: ObjectRef): Promise<T>
  list<T extends KubeObject>(kind: Kind<T>, options?: ListOptions): Promise<KubeList<T>>
  /** Ends when the server ends the stream or `signal` aborts. */
  watch<T extends KubeObject>(kind: Kind<T>, options: WatchOptions, signal: AbortSignal): AsyncIterable<WatchEvent<T>>
  create<T extends KubeObject>(kind: Kind<T>, object: Draft<T>, options?: WriteOptions): Promise<T>
  /** PUT. `metadata.resourceVersion` in the object makes it an optimistic lock. */
  update<T extends KubeObject>(kind: Kind<T>, object: Draft<T>, options?: WriteOptions): Promise<T>
  patch<T extends KubeObject>(kind: Kind<T>, ref: ObjectRef, patch: Patch, options?: WriteOptions): Promise<T>
  delete<T extends KubeObject>(kind: Kind<T>, ref: ObjectRef, options?: DeleteOptions): Promise<void>
  /**
   * Sends any other request, for discovery, `/readyz` and `/version`. `path` starts with a slash. Rejects only when no
   * answer came.
   */
  raw(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<{ status: number; body: unknown }>
  /** Streams a text, such as the log of a pod, until it ends or `signal` aborts. */
  stream(path: string, signal: AbortSignal): Promise<AsyncIterable<string>>
  /**
   * Returns a client for a member cluster, through `/apis/cluster.karmada.io/v1alpha1/clusters/{name}/proxy`. An
   * unreachable member is reported by the first call.
   */
  member(clusterName: string): KubeClient
  /**
   * Returns a client for the same server that impersonates this user: the server applies the user's permissions, and
   * this client needs permission to impersonate. A second `as` replaces the user. Throws a KubeError (400) for an
   * identity that headers cannot represent: empty names, control characters, leading or trailing spaces.
   */
  as(identity: Identity): KubeClient
}
