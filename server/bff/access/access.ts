/** What one user may do, as the API server decides. Contract between the access reviews and their callers. */
import type { Kind } from '@/lib/kube/kind'
import type { Message } from '@/lib/messages/message'
import type { EpochMs, Stop } from '@/lib/std/clock'
import type { ConsoleUnread } from '../cache/served-kinds'

/** A kind of object by group and plural, as RBAC names it. */
export interface ResourceName {
  group: string
  resource: string
}

/** An action that a user may attempt. Without `namespace` it means all namespaces, or a cluster-scoped kind. */
export interface Question extends ResourceName {
  verb: string
  subresource?: string
  namespace?: string
  name?: string
}

export interface Verdict {
  allowed: boolean
  /** The API server's reason; empty when the action is allowed or the API server gives no reason. */
  reason: string
}

/** The place of an entity in the stream: users who may list that kind there see the entity. */
export interface Place extends ResourceName {
  namespace?: string
}

/**
 * What a user may see at one moment. Immutable. Users with the same rights have scopes with the same `key`, so that
 * computed results can be shared between them.
 */
export interface Scope {
  readonly key: string
  /** Reports whether objects of that kind may be listed there. */
  sees(place: Place): boolean
  /** Reports whether all objects of that kind may be listed, in every namespace. */
  seesAll(resource: ResourceName): boolean
  /** Reports whether objects of that kind may be listed in at least one namespace. */
  seesAny(resource: ResourceName): boolean
  /** Returns, sorted, the namespaces in which the user may list a kind that the user may not list in all namespaces. */
  namespaces(): readonly string[]
  /**
   * Returns when a namespace was created, if known. Records of an earlier namespace with the same name are hidden from
   * users who may see only the current one.
   */
  readonly createdAt?: (namespace: string) => EpochMs | undefined
  /** True while some namespaces are not reviewed yet: the scope may still grow, and no refusal is final. */
  readonly isPartial?: boolean
  /** Why the scope is empty although nothing was refused: the rights are currently unknown. For people. */
  readonly problem?: Message | string
}

/** The permissions of one user, kept current while the handle is open. Every holder closes it once. */
export interface Access {
  /**
   * Reviews one question with the API server (SelfSubjectAccessReview, cached for a short time). Rejects with KubeError
   * when the API server does not answer.
   */
  can(question: Question): Promise<Verdict>
  /** Resolves once a review is complete. Rejects with KubeError when the review gets no answer; may be called again. */
  whenReviewed(): Promise<Scope>
  /** The permissions known so far; undefined before the first answer, `isPartial` before the first complete review. */
  readonly scope: Scope | undefined
  /** Why the console reads no objects of a kind, independent of the user; undefined if it does. */
  whyUnread(kind: Kind): ConsoleUnread | undefined
  /**
   * Registers a handler that is called each time the rights change. Rights are reviewed on a timer and when RBAC
   * objects or namespaces change.
   */
  onScope(handler: (scope: Scope) => void): Stop
  close(): void
}
