/**
 * Processing of an object between request and store: one `Strategy` for each kind.
 *
 * A server needs only `decode`, `create`, `update`, `updateStatus` and `remove`: each returns the object to store, or
 * throws the KubeError for the response. The single steps are exported too, for servers that order them differently.
 *
 * The server owns identity and history: the name from `generateName`, `uid`, `resourceVersion`, `creationTimestamp`,
 * deletion marks and managed fields. It sets them before `create` and copies them before `update`;
 * `validateObjectMetaUpdate` finds a client's changes to them. `metadata.generation` belongs to the strategy.
 */
import { deepEqual } from '@/lib/std/equal'
import { isFields } from '@/lib/std/fields'
import { mapFields } from '@/lib/std/map-json'
import { omit } from '@/lib/std/omit'
import { admissionRules, reviewDeletion } from './admission'
import { builtinRulesOf } from './builtin-rules'
import { type Decoded, decodeObject, mismatchIn } from './decode-object'
import { type FieldError, invalidError } from './field-error'
import { withoutOwnSentEmpty, withoutSentEmpty } from './go-encoding'
import { isStoredForm, type Kind } from './kind'
import type { UnknownObject } from './object'
import type { GenerationRule, KindRules, StatusContext, WriteContext } from './rules'
import type { StructuralSchema } from './schema'
import { applyDefaults as applySchemaDefaults, dropNulls } from './schema-default'
import { enumsOfObject } from './schema-enums'
import { validateSchema } from './schema-validate'
import { wasSentEmpty, withoutEmptyMark } from './sent-empty'
import { SettledParts } from './settled-parts'
import { validateCustomObject, validateCustomStatus, validateMisnamed } from './custom-resource/validate-object'
import { validateFinalizerDomains, validateObjectMeta } from './validation/object-meta'

export type { Decoded } from './decode-object'
export type { WriteContext } from './rules'

type Warn = NonNullable<WriteContext['warn']>
interface DecodeOptions {
  from?: 'merged'
  old?: UnknownObject
}

type StatusFocus = Pick<StatusContext, 'part' | 'warn'>

/** Validation and defaulting of a kind. Pure: arguments are never modified, results share unchanged parts. */
export interface Strategy {
  /** False for kinds whose objects have no `metadata.generation`. */
  readonly hasGeneration: boolean
  /**
   * Returns the decoder's message about the first value of a wrong type: in all fields of a built-in kind, and in the
   * metadata of a custom one, whose other fields are validated by schema.
   */
  mismatchOf(object: unknown): string | undefined
  /**
   * Drops unknown fields and refuses what `mismatchOf` finds (400). Nulls that mean an absent field of a custom kind go,
   * but for those that were `merged`: validation finds them. What the object shares with the stored `old` is decoded.
   */
  decode(object: unknown, options?: DecodeOptions): Decoded
  /** Applies the defaults. */
  applyDefaults(object: UnknownObject): UnknownObject
  /** Applies the defaults, and what a server adds by itself. */
  complete(object: UnknownObject, old?: UnknownObject): UnknownObject
  /** Defaults, the server's own changes and mutating admission of a new object. Throws when admission refuses. */
  prepareForCreate(object: UnknownObject, context: WriteContext): UnknownObject
  /** Prepares an update: status comes from `old` when it is a subresource, and the generation is raised. */
  prepareForUpdate(next: UnknownObject, old: UnknownObject, context: WriteContext): UnknownObject
  /** Prepares an update of the status: all other fields are copied from `old`. */
  prepareForStatusUpdate(next: UnknownObject, old: UnknownObject, context: StatusContext): UnknownObject
  validateCreate(object: UnknownObject, context: WriteContext): FieldError[]
  validateUpdate(next: UnknownObject, old: UnknownObject, context: WriteContext): FieldError[]
  validateStatusUpdate(next: UnknownObject, old: UnknownObject, focus: StatusFocus): FieldError[]
  /** What lists and rules find in a new custom object that claims to be of another kind: its schema is not asked. */
  findingsOfMisnamed(object: unknown): FieldError[]
  /** True when the change is one that controllers must catch up with. */
  bumpsGeneration(next: UnknownObject, old: UnknownObject): boolean
  /** Decodes, prepares, validates and reviews a new object. Throws 400, 403 and 422. */
  create(object: UnknownObject, context: WriteContext): UnknownObject
  /** Decodes, prepares, validates and reviews an update. Throws 400, 403 and 422. */
  update(next: UnknownObject, old: UnknownObject, context: WriteContext): UnknownObject
  /** Decodes, prepares and validates an update of the status. Throws 400 and 422. */
  updateStatus(next: UnknownObject, old: UnknownObject, context: StatusContext): UnknownObject
  /** The same three for objects that are decoded already. Throw 403 and 422. */
  admitNew(object: UnknownObject, context: WriteContext): UnknownObject
  admitUpdate(next: UnknownObject, old: UnknownObject, context: WriteContext): UnknownObject
  admitStatus(next: UnknownObject, old: UnknownObject, context: StatusContext): UnknownObject
  /** Changes of the object at the start of its deletion, besides the deletion metadata. */
  prepareForRemoval(object: UnknownObject, now: string): UnknownObject
  /** Throws 403 when the object is protected from deletion. */
  remove(object: UnknownObject): void
}

const strategies = new WeakMap<Kind, Strategy>()

/** The strategy of a kind; the same one for every call. */
export function strategyOf(kind: Kind): Strategy {
  const known = strategies.get(kind)
  if (known) return known
  const strategy = new KindStrategy(kind)
  strategies.set(kind, strategy)
  return strategy
}

class KindStrategy implements Strategy {
  private readonly rules: KindRules
  private readonly generation: GenerationRule
  private readonly custom: boolean
  /** Finalizers name a domain; not in groups whose validation does not ask for it. */
  private readonly namesDomains: boolean
  /** Of a built-in kind: what of its schema lists values. The kinds with most objects have no such lists. */
  private readonly enums: StructuralSchema | undefined
  private readonly settled = new SettledParts()

  constructor(private readonly kind: Kind) {
    this.custom = kind.origin === 'crd'
    this.rules = rulesFor(kind)
    this.namesDomains = kind.origin === 'builtin' && !isOldEvent(kind) && !PLAIN_METADATA.has(kind.group)
    this.generation = this.rules.generation ?? (this.custom ? 'content' : 'none')
    this.enums = kind.origin === 'builtin' ? enumsOfObject(kind.schema) : undefined
  }

  get hasGeneration(): boolean {
    return this.generation !== 'none'
  }

  mismatchOf(object: unknown): string | undefined {
    return mismatchIn(this.kind, object)
  }

  decode(object: unknown, { from, old }: DecodeOptions = {}): Decoded {
    const given: Fields = isFields(object) ? object : {}
    // Kinds in which an empty list counts as a change must decode every part as the client sent it.
    const changes = this.rules.countsEmpty ? undefined : this.settled.changesOf(given, old as Fields | undefined)
    const decoded =
      (changes && this.decodeChanges(given, changes, from))
      ?? (this.decodeChanges(given, this.settled.changedParts(given), from) as Decoded)
    const fields = decoded.object as unknown as Fields
    const isFinal = !this.custom || from !== 'merged'
    if (isFinal) {
      for (const name of Object.keys(given)) if (given[name] === fields[name]) this.settled.add(given[name], name)
    }
    return decoded
  }

  /** Undefined if the changes cannot be decoded without what is around them. */
  private decodeChanges(given: Fields, changes: Fields, from: 'merged' | undefined): Decoded | undefined {
    const decoded = decodeObject(changes, this.kind, { from, rules: this.rules })
    if (changes === given) return decoded
    const whole = this.settled.joined(given, changes, decoded.object as unknown as Fields)
    return (
      whole && {
        ...decoded,
        object: { ...whole, metadata: whole.metadata ?? decoded.object.metadata } as UnknownObject,
      }
    )
  }

  /** Stored objects are decoded and defaulted: a change of another part need not process them again. */
  private settleAll(admitted: UnknownObject): UnknownObject {
    const object = this.custom ? this.readBack(admitted) : this.asKept(admitted)
    this.settled.addAll(object)
    return object
  }

  private asKept(object: UnknownObject): UnknownObject {
    const keep = (part: unknown, name: string): unknown =>
      this.settled.has(part, name) ? part : withoutSentEmpty(part)
    return mapFields(withoutOwnSentEmpty({ ...object }), keep) as Readonly<Record<string, unknown>> & UnknownObject
  }

  /** Nulls that an apply merged, and that are no values of their fields, are gone when the object is read. */
  private readBack(object: UnknownObject): UnknownObject {
    const isDecoded = (name: string): boolean => name === 'metadata' || this.settled.has(object[name], name)
    const parts = Object.keys(object).filter((name) => typeof object[name] === 'object')
    return parts.every(isDecoded) ? object : dropNulls(object, this.kind.schema)
  }

  prepareForCreate(object: UnknownObject, context: WriteContext): UnknownObject {
    const resetsStatus = this.kind.subresources.status && !this.rules.keepsStatusOnCreate
    const given = this.complete(resetsStatus ? withStatus(object, undefined) : object)
    const prepared = this.rules.prepareForCreate?.(given, context) ?? given
    const mutated = this.mutate(prepared, undefined, context)
    return this.hasGeneration ? withGeneration(withoutEmptyMark(mutated), 1) : mutated
  }

  prepareForUpdate(next: UnknownObject, old: UnknownObject, context: WriteContext): UnknownObject {
    const given = this.complete(this.kind.subresources.status ? withStatus(next, old.status) : next, old)
    const prepared = this.rules.prepareForUpdate?.(given, old, context) ?? given
    const mutated = this.mutate(prepared, old, context)
    if (!this.hasGeneration) return mutated
    const isNew = this.bumpsGeneration(mutated, old) || wasSentEmpty(mutated)
    return withGeneration(withoutEmptyMark(mutated), (old.metadata.generation ?? 0) + Number(isNew))
  }

  prepareForStatusUpdate(next: UnknownObject, old: UnknownObject, context: StatusContext): UnknownObject {
    const prepared = this.takeStatus(next, old)
    return this.rules.prepareForStatus?.(prepared, old, context) ?? prepared
  }

  private takeStatus(next: UnknownObject, old: UnknownObject): UnknownObject {
    if (this.custom) return withStatus(old, this.applyDefaults(next).status)
    const labels = this.kind.kind === 'Deployment' ? old.metadata.labels : next.metadata.labels
    const changed = { ...omit(next.metadata, 'labels'), ...(labels && { labels }) }
    const { generation } = old.metadata
    const given = { ...changed, ...(generation !== undefined && { generation }) }
    const sent = this.applyDefaults({ ...next, metadata: given })
    const taken = { ...withStatus(old, sent.status), metadata: sent.metadata }
    // What the defaults of metadata follow from is the spec that stays.
    return next.spec === old.spec ? taken : { ...taken, metadata: this.applyDefaults(taken).metadata }
  }

  validateCreate(object: UnknownObject): FieldError[] {
    const content = this.validateContent(object)
    // Metadata that a kind has no rules about is judged last, and only if nothing else is wrong.
    if (isOldEvent(this.kind) && content.length > 0) return content
    return [...this.validateMetadata(object), ...content]
  }

  validateUpdate(next: UnknownObject, old: UnknownObject, context?: WriteContext): FieldError[] {
    const [content, change] = [
      this.validateContent(next, old, context?.warn),
      this.rules.validateUpdate?.(next, old) ?? [],
    ]
    const inOrder = this.rules.judgesChangeFirst ? [...change, ...content] : [...content, ...change]
    return [...this.validateMetadata(next), ...inOrder]
  }

  validateStatusUpdate(next: UnknownObject, old: UnknownObject, { part, warn }: StatusFocus): FieldError[] {
    const found = this.custom ? validateCustomStatus(this.kind, { next, old, warn }) : []
    return [...found, ...(this.rules.validateStatus?.(next, old, part) ?? [])]
  }

  findingsOfMisnamed(object: unknown): FieldError[] {
    return validateMisnamed(this.kind, this.complete(this.decode(object).object))
  }

  bumpsGeneration(next: UnknownObject, old: UnknownObject): boolean {
    switch (this.generation) {
      case 'none':
        return false
      case 'spec':
        return !deepEqual(next.spec, old.spec)
      case 'spec-and-annotations':
        return (
          !deepEqual(next.spec, old.spec) || !deepEqual(next.metadata.annotations ?? {}, old.metadata.annotations ?? {})
        )
      case 'content':
        return !deepEqual(this.contentOf(next), this.contentOf(old))
      case 'content-and-labels':
        return (
          !deepEqual(this.contentOf(next), this.contentOf(old))
          || !deepEqual(next.metadata.labels ?? {}, old.metadata.labels ?? {})
        )
    }
  }

  create(object: UnknownObject, context: WriteContext): UnknownObject {
    return this.admitNew(this.decode(object).object, context)
  }

  admitNew(object: UnknownObject, context: WriteContext): UnknownObject {
    const prepared = this.prepareForCreate(object, context)
    this.refuse(prepared, this.rules.validateFirst?.(prepared, undefined, context) ?? [])
    this.refuse(prepared, this.validateCreate(prepared))
    this.rules.review?.(prepared, undefined, context)
    return this.settleAll(this.rules.completeCreated?.(prepared) ?? prepared)
  }

  update(next: UnknownObject, old: UnknownObject, context: WriteContext): UnknownObject {
    return this.admitUpdate(this.decode(next).object, old, context)
  }

  admitUpdate(next: UnknownObject, old: UnknownObject, context: WriteContext): UnknownObject {
    const prepared = this.prepareForUpdate(next, old, context)
    this.refuse(prepared, this.rules.validateFirst?.(prepared, old, context) ?? [])
    this.refuse(prepared, [...(context.findings ?? []), ...this.validateUpdate(prepared, old, context)])
    this.rules.review?.(prepared, old, context)
    return this.settleAll(prepared)
  }

  updateStatus(next: UnknownObject, old: UnknownObject, context: StatusContext): UnknownObject {
    return this.admitStatus(this.decode(next).object, old, context)
  }

  admitStatus(next: UnknownObject, old: UnknownObject, context: StatusContext): UnknownObject {
    const prepared = this.prepareForStatusUpdate(next, old, context)
    this.refuse(prepared, [...(context.findings ?? []), ...this.validateStatusUpdate(prepared, old, context)])
    return this.settleAll(prepared)
  }

  prepareForRemoval(object: UnknownObject, now: string): UnknownObject {
    return this.rules.prepareForRemoval?.(object, now) ?? object
  }

  remove(object: UnknownObject): void {
    reviewDeletion(object)
  }

  /** A status without an endpoint of its own is content like any other. */
  private contentOf(object: UnknownObject): object {
    return this.custom && !this.kind.subresources.status ? omit(object, 'metadata') : omit(object, 'metadata', 'status')
  }

  applyDefaults(object: UnknownObject): UnknownObject {
    const completed = this.rules.applyDefaults?.(object) ?? object
    return this.kind.origin === 'builtin' ? completed : applySchemaDefaults(completed, this.kind.schema)
  }

  complete(object: UnknownObject, old?: UnknownObject): UnknownObject {
    const given = this.applyDefaults(object)
    return this.rules.complete?.(given, old) ?? given
  }

  /** Webhooks get the object in external form, and the server defaults what they return. */
  private mutate(object: UnknownObject, old: UnknownObject | undefined, context: WriteContext): UnknownObject {
    return this.rules.mutate ? this.applyDefaults(this.rules.mutate(object, old, context)) : object
  }

  private validateMetadata({ metadata }: UnknownObject): FieldError[] {
    const found = validateObjectMeta(metadata, this.rules.checkName)
    return this.namesDomains ? [...found, ...validateFinalizerDomains(metadata)] : found
  }

  private validateContent(object: UnknownObject, old?: UnknownObject, warn?: Warn): FieldError[] {
    const byRules = this.rules.validate?.(object, old) ?? []
    if (this.custom) return [...validateCustomObject(this.kind, { next: object, old, warn }), ...byRules]
    const unlisted = this.validateEnums(object)
    if (unlisted.length === 0) return byRules
    // What a rule says of a value stands where the rule puts it.
    const judged = byRules.filter(({ reason }) => VALUE_REASONS.has(reason)).map(({ field }) => field)
    const isJudged = (field: string): boolean => judged.some((one) => field === one || field.startsWith(`${one}.`))
    return [...unlisted.filter(({ field }) => !isJudged(field)), ...byRules]
  }

  /** A typed decoder has read these already; it does not mind values that are not in a list. */
  private validateEnums(object: UnknownObject): FieldError[] {
    if (!this.enums) return []
    return validateSchema(object, this.enums).filter(({ reason }) => reason === 'FieldValueNotSupported')
  }

  private refuse(object: UnknownObject, findings: readonly FieldError[]): void {
    const group = this.kind.storedAs?.group ?? this.kind.group
    if (findings.length > 0) throw invalidError({ ...this.kind, group }, object.metadata.name ?? '', findings)
  }
}

type Fields = Record<string, unknown>

const VALUE_REASONS = new Set<FieldError['reason']>([
  'FieldValueNotSupported',
  'FieldValueInvalid',
  'FieldValueRequired',
])

/** Groups whose validation knows only the rules that hold for the metadata of every kind. */
const PLAIN_METADATA = new Set([
  'admissionregistration.k8s.io',
  'apiextensions.k8s.io',
  'apiregistration.k8s.io',
  'coordination.k8s.io',
  'policy',
])

/** Events of the core group are not judged by their metadata. */
const isOldEvent = ({ kind, group }: Kind): boolean => kind === 'Event' && group === ''

/** Admission speaks of the form in which objects are kept. */
function rulesFor(kind: Kind): KindRules {
  if (kind.origin === 'builtin') return builtinRulesOf(kind) ?? {}
  return (isStoredForm(kind) ? admissionRules(kind) : undefined) ?? {}
}

function withStatus(object: UnknownObject, status: unknown): UnknownObject {
  const rest = omit(object, 'status')
  return (status === undefined ? rest : { ...rest, status }) as UnknownObject
}

function withGeneration(object: UnknownObject, generation: number): UnknownObject {
  return { ...object, metadata: { ...object.metadata, generation } }
}
