/** What one user may do, as the API server decides it. Contract between the reviews and those who ask. */
import type { Kind } from '@/lib/kube/kind'
import type { Message } from '@/lib/messages/message'
import type { EpochMs, Stop } from '@/lib/std/clock'
import type { ConsoleUnread } from '../cache/served-kinds'

/** A kind of object by group and plural, as RBAC names it. */
export interface ResourceName {
  group: string
  resource: string
}

/** Something that a user might do. An absent namespace means all of them, or a cluster-scoped kind. */
export interface Question extends ResourceName {
  verb: string
  subresource?: string
  namespace?: string
  name?: string
}

export interface Verdict {
  allowed: boolean
  /** The API server's reason; empty when allowed, or when it gives none. */
  reason: string
}

/** Where an entity of the stream belongs: who may list that kind there sees it. */
export interface Place extends ResourceName {
  namespace?: string
}

/**
 * What a user may see, at one moment. Immutable; users with the same rights have scopes with the same `key`, so that
 * they can share what is computed for one of them.
 */
export interface Scope {
  readonly key: string
  /** True when objects of that kind may be listed there. */
  sees(place: Place): boolean
  /** True when all objects of that kind may be listed, in every namespace. */
  seesAll(resource: ResourceName): boolean
  /** True when objects of that kind may be listed somewhere. */
  seesAny(resource: ResourceName): boolean
  /** Namespaces in which a kind may be listed that may not be listed in all of them; sorted. */
  namespaces(): readonly string[]
  /**
   * When a namespace was made, where that is known: what is remembered of an earlier one of the same name is not for who
   * may see this one.
   */
  readonly bornAt?: (namespace: string) => EpochMs | undefined
  /** True while there are namespaces that were not asked about yet: more may be seen, and nothing is refused for good. */
  readonly isPartial?: boolean
  /** Why nothing is seen although nothing was refused: the rights are not known at present. For people. */
  readonly problem?: Message | string
}

/** The permissions of one user, kept current while held. Every holder closes it once. */
export interface Access {
  /** Asks the API server (SelfSubjectAccessReview, remembered for a short time). Rejects with KubeError when it does not answer. */
  can(question: Question): Promise<Verdict>
  /** Resolves once a review is complete; rejects with KubeError when it finds no answer, and may be called again. */
  whenReviewed(): Promise<Scope>
  /** What is known to be permitted; undefined before the first answer, `isPartial` before the first complete review. */
  readonly scope: Scope | undefined
  /** Why the console itself reads nothing of a kind, whatever the user may see; undefined if it does. */
  whyUnread(kind: Kind): ConsoleUnread | undefined
  /** Told each time when rights have changed: reviewed on a timer, when RBAC objects and when namespaces change. */
  onScope(handler: (scope: Scope) => void): Stop
  close(): void
}
