/** Types of writes and webhooks in admission. */
import type { Operation } from '@/lib/kube/admission-webhooks/match-rules'
import type { GroupVersionKind } from '@/lib/kube/admission-webhooks/review'
import type { CelProgram } from '@/lib/kube/cel'
import type { AdmissionWebhook } from '@/lib/kube/kinds'
import type { UnknownObject } from '@/lib/kube/object'
import type { Clock } from '@/lib/std/clock'
import type { Keyspace } from '../registry/keyspace'
import type { Resource } from '../registry/resource'
import type { Writer } from '../registry/writer'
import type { Store } from '../store/store'
import type { Connection, FindLocalWebhook } from './connection'

/** Dependencies of admission. */
export interface AdmissionDependencies {
  store: Store
  clock: Clock
  uid: () => string
  log(level: 'warn', fields: Record<string, unknown>, message: string): void
  localWebhook?: FindLocalWebhook | undefined
}

/** Target of a write: one kind in one key space. */
export interface Place {
  keyspace: Keyspace
  resource: Resource
}

/** A write as sent to webhooks. */
export interface Review {
  operation: Operation
  /** Absent for the object itself. */
  subresource?: string | undefined
  /** The written object if it is not the resource itself: a Scale, an Eviction, a Binding. */
  kind?: GroupVersionKind | undefined
  /** Empty while it is not known. */
  name: string
  namespace?: string | undefined
  writer: Writer
  dryRun: boolean
  /** Options of the request. */
  options?: Readonly<Record<string, unknown>>
}

/** A review for webhooks, and the context for its calls. */
export interface AdmissionContext {
  dependencies: AdmissionDependencies
  place: Place
  review: Review
}

/** State of a write during admission. */
export interface Subject {
  object: UnknownObject | undefined
  old: UnknownObject | undefined
}

/** A webhook of a configuration, made ready. */
export interface Webhook {
  definition: AdmissionWebhook
  conditions: readonly CelProgram[]
  connection: Connection
}

/** A webhook that matches a write, with the version in which it expects the object. */
export interface Invocation {
  webhook: Webhook
  resource: Resource
}

/** The webhooks, in order. */
export interface Chain {
  mutating: readonly Invocation[]
  validating: readonly Invocation[]
}
