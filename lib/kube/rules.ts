/** Rules of individual kinds, in addition to the common rules of all objects. */
import type { FieldError } from './field-error'
import type { KubeObject, UnknownObject } from './object'

/** Context of a write. */
export interface WriteContext {
  /** The namespace of the request; absent for cluster-scoped kinds. */
  namespace?: string | undefined
  /** RFC 3339, UTC, whole seconds. */
  now: string
  /** A new random UUID. */
  uid(): string
  /** `<user> (<field manager>)` of the request; absent for this product's own loops. */
  writer?: string | undefined
  /** Disables rules that Karmada does not have. */
  upstream?: boolean
  /** What is wrong with an update already; it is refused together with what is found. */
  findings?: readonly FieldError[]
  /** Nothing is written: names and addresses are not taken either. */
  dryRun?: boolean | undefined
  /** Tells the writer what is wrong with a part that did not change. */
  warn?(text: string): void
}

/** Context of a write of the status. */
export interface StatusContext {
  /** The endpoint: that of the status, or that of an approval. */
  part: 'status' | 'approval'
  /** RFC 3339, UTC, whole seconds. */
  now: string
  /** What is wrong with the update already. */
  findings?: readonly FieldError[]
  warn?(text: string): void
}

/** Which changes of an object raise `metadata.generation`. */
export type GenerationRule =
  /** The kind has no generation. */
  | 'none'
  /** A change of `spec`. */
  | 'spec'
  /** A change of `spec` or of the annotations. */
  | 'spec-and-annotations'
  /** A change outside metadata and status. */
  | 'content'
  /** The same, or a change of the labels. */
  | 'content-and-labels'

/** Rules of one kind. All members are optional and pure; objects are never modified in place. */
export interface KindRules {
  generation?: GenerationRule
  /** The part of an object in which an empty list or map counts as a change: objects are kept without them. */
  countsEmpty?(object: UnknownObject): object
  /** True when a writer may set `status` already on creation. */
  keepsStatusOnCreate?: boolean
  /** Returns the problems of a name; DNS subdomain rules when absent. */
  checkName?(name: string): string[]
  /** Fields that a reader may rely on, on every write. */
  applyDefaults?(object: UnknownObject): UnknownObject
  /**
   * What a server adds by itself to what a writer sends, on every write but that of the status. Unlike a default it belongs
   * to no writer in `managedFields`. Webhooks see it.
   */
  complete?(object: UnknownObject, old?: UnknownObject): UnknownObject
  /** The server's own changes to a new object, after defaulting. */
  prepareForCreate?(object: UnknownObject, context: WriteContext): UnknownObject
  /** What defaults add to a new object once it was admitted. It is not validated. */
  completeCreated?(object: UnknownObject): UnknownObject
  /** The server's own changes on every update, after defaulting. */
  prepareForUpdate?(next: UnknownObject, old: UnknownObject, context: WriteContext): UnknownObject
  /** The server's own changes on every update of the status, after defaulting. */
  prepareForStatus?(next: UnknownObject, old: UnknownObject, context: StatusContext): UnknownObject
  /** Changes of an object at the start of its deletion; `now` is RFC 3339. */
  prepareForRemoval?(object: UnknownObject, now: string): UnknownObject
  /** What is refused before anything else is judged. `old` is the object before an update. */
  validateFirst?(object: UnknownObject, old: UnknownObject | undefined, context: WriteContext): FieldError[]
  /** `old` is the object before an update. */
  validate?(object: UnknownObject, old?: UnknownObject): FieldError[]
  validateUpdate?(next: UnknownObject, old: UnknownObject): FieldError[]
  /** What `validateUpdate` finds comes before what `validate` finds. */
  judgesChangeFirst?: boolean
  validateStatus?(next: UnknownObject, old: UnknownObject, part: StatusContext['part']): FieldError[]
  /** Mutating admission; runs before validation. Throws a KubeError to refuse. */
  mutate?(object: UnknownObject, old: UnknownObject | undefined, context: WriteContext): UnknownObject
  /** Validating admission; runs after validation. Throws a KubeError. */
  review?(object: UnknownObject, old: UnknownObject | undefined, context: WriteContext): void
}

/** Adapts a function of a typed kind to objects of any kind; the schema is validated before it is called. */
export function typed<T extends KubeObject>(apply: (object: T) => T): (object: UnknownObject) => UnknownObject {
  return (object) => apply(object as unknown as T) as unknown as UnknownObject
}
