/**
 * Replaces names by hashes, the same hash for the same name everywhere, so that selectors, affinities, references and
 * overrides still match. API terms (kinds, resources, conditions, keys of known domains) stay.
 */
import {
  bindingNameOf,
  bindingReferenceKey,
  clusterOfExecutionSpace,
  DEPENDED_BY_LABEL_PREFIX,
  executionSpaceOf,
  workNameOf,
} from '@/lib/kube/names'
import { tryParseQuantity } from '@/lib/kube/quantity'
import { clusterResourceBinding, resourceBinding, work } from '@/lib/kube/kinds'
import type { BindingSpec } from '@/lib/kube/kinds/binding'
import type { ObjectMeta, UnknownObject } from '@/lib/kube/object'
import { omit } from '@/lib/std/omit'
import type { TwinExport } from './export-format'

/** Returns a short hash of a name: lower-case letters and digits, so that it is valid wherever a name is. */
export type Hash = (name: string) => string

/** Names that exist in every cluster. */
const COMMON = /^(default|kube-.*|karmada-(system|cluster)|default-scheduler|system[:-].*|true|false|\d+|)$/
/** Domains of keys that belong to an API. */
const KNOWN_DOMAINS = /(^|\.)(kubernetes\.io|k8s\.io|karmada\.io|evenkeel\.io|kruise\.io)$/
/** Fields with a name or a list of names. */
const NAME_FIELDS: ReadonlySet<string> = new Set([
  'name',
  'namespace',
  'generateName',
  'clusterName',
  'clusterNames',
  'exclude',
  'fromCluster',
  'clustersBeforeFailover',
  'region',
  'zone',
  'zones',
  'provider',
  'affinityName',
  'schedulerObservingAffinityName',
  'affinityGroup',
  'antiAffinityGroup',
  'containerName',
  'priorityClassName',
  'serviceAccountName',
  'serviceAccount',
  'schedulerName',
  'targetName',
  'skippedNamespaces',
  'cohort',
  'hostname',
  'subdomain',
  'image',
  'value',
  'claimName',
  'secretName',
])
/** Fields with text of users. */
const DROPPED_FIELDS: ReadonlySet<string> = new Set(['message', 'appliedMessage', 'command', 'args', 'by'])
/** Maps with keys and values of users. */
const LABEL_MAPS: ReadonlySet<string> = new Set([
  'labels',
  'matchLabels',
  'nodeSelector',
  'preservedLabelState',
  'selector',
])
/** Fields that contain API terms only. */
const API_PARTS: ReadonlySet<string> = new Set([
  'resourceModels',
  'apiEnablements',
  'resourceSummary',
  'nodeSummary',
  'ports',
  'metrics',
  'names',
  'versions',
  'customizations',
])
/** Lists of taints and tolerations, whose fields are handled by `taintField`. */
const TAINT_LISTS: ReadonlySet<string> = new Set(['taints', 'tolerations', 'clusterTolerations'])

/** Returns the federation with other names. `hash` must be injective. */
export function anonymise(original: TwinExport, hash: Hash): TwinExport {
  const names = new Names(hash, original.objects.filter(isBinding))
  return {
    ...original,
    metadata: { ...original.metadata, source: names.of(original.metadata.source), anonymised: true },
    omissions: original.omissions.map((omission) => ({
      ...omit(omission, 'detail'),
      names: omission.names.map((name) => names.path(name)),
    })),
    objects: original.objects.map((object) => names.object(object)),
  }
}

class Names {
  /** Names of bindings derive from those of their templates, and other objects refer to them. */
  readonly #bindings = new Map<string, string>()
  readonly #references = new Map<string, string>()

  constructor(
    private readonly hash: Hash,
    bindings: readonly UnknownObject[],
  ) {
    for (const { metadata, spec } of bindings) {
      const { kind, name } = (spec as BindingSpec).resource
      const renamed = bindingNameOf(kind, this.of(name))
      this.#bindings.set(metadata.name, renamed)
      const { namespace = '' } = metadata
      const before = DEPENDED_BY_LABEL_PREFIX + bindingReferenceKey(namespace, metadata.name)
      this.#references.set(before, DEPENDED_BY_LABEL_PREFIX + bindingReferenceKey(this.of(namespace), renamed))
    }
  }

  of(name: string): string {
    const binding = this.#bindings.get(name)
    if (binding !== undefined) return binding
    if (COMMON.test(name)) return name
    const cluster = clusterOfExecutionSpace(name)
    return cluster === undefined ? this.hash(name) : executionSpaceOf(this.of(cluster))
  }

  /** Replaces the names in `namespace/name` and similar texts. */
  path(text: string): string {
    return text
      .split('/')
      .map((part) => this.of(part))
      .join('/')
  }

  object(object: UnknownObject): UnknownObject {
    if (object.kind === 'CustomResourceDefinition') return object
    const { apiVersion, kind, metadata, ...content } = object
    const renamed = this.value(content) as object
    return { apiVersion, kind, metadata: this.metadata(object, metadata), ...renamed }
  }

  private metadata(object: UnknownObject, metadata: ObjectMeta): ObjectMeta {
    const { labels, annotations, ownerReferences } = metadata
    return {
      ...metadata,
      name: this.objectName(object),
      ...(metadata.namespace !== undefined && { namespace: this.of(metadata.namespace) }),
      ...(labels && { labels: this.labels(labels) }),
      ...(annotations && { annotations: this.annotations(annotations) }),
      ...(ownerReferences && {
        ownerReferences: ownerReferences.map((owner) => ({ ...owner, name: this.of(owner.name) })),
      }),
    }
  }

  private objectName(object: UnknownObject): string {
    if (isBinding(object)) {
      const { kind, name } = (object.spec as BindingSpec).resource
      return bindingNameOf(kind, this.of(name))
    }
    return (object.kind === work.kind && this.workName(object)) || this.of(object.metadata.name)
  }

  private workName({ status }: UnknownObject): string | undefined {
    const statuses = (status as { manifestStatuses?: { identifier: WorkIdentifier }[] } | undefined)?.manifestStatuses
    const found = statuses?.[0]?.identifier
    if (!found) return undefined
    const { kind, namespace, name } = found
    return workNameOf({ kind, name: this.of(name), ...(namespace && { namespace: this.of(namespace) }) })
  }

  private value(value: unknown, field = ''): unknown {
    if (API_PARTS.has(field)) return value
    if (Array.isArray(value)) return value.map((item) => this.item(item, field))
    if (typeof value !== 'object' || value === null) return this.text(value, field)
    if (LABEL_MAPS.has(field) && Object.values(value).every((one) => typeof one === 'string'))
      return this.labels(value as Record<string, string>)
    if (field === 'annotations') return this.annotations(value as Record<string, string>)
    if (field === 'hold' && 'reason' in value) return { ...value, reason: '-' }
    return Object.fromEntries(
      Object.entries(value).map(([name, child]) => [
        name,
        TAINT_LISTS.has(field) ? this.taintField(name, child) : this.value(child, name),
      ]),
    )
  }

  private item(item: unknown, field: string): unknown {
    if (field === 'matchExpressions') return this.expression(item)
    return this.value(item, field)
  }

  private text(value: unknown, field: string): unknown {
    if (typeof value !== 'string') return value
    if (DROPPED_FIELDS.has(field)) return ''
    if (field === 'value' && tryParseQuantity(value)) return value
    return NAME_FIELDS.has(field) ? this.path(value) : value
  }

  private taintField(name: string, value: unknown): unknown {
    if (name === 'key') return this.key(String(value))
    return name === 'value' ? this.of(String(value)) : value
  }

  /** Replaces the names in an expression of a label selector, or of the fields `provider`, `region` and `zone`. */
  private expression(item: unknown): unknown {
    if (typeof item !== 'object' || item === null) return item
    const { key, values } = item as { key?: unknown; values?: unknown }
    return {
      ...item,
      ...(typeof key === 'string' && { key: this.key(key) }),
      ...(Array.isArray(values) && { values: values.map((one) => (typeof one === 'string' ? this.of(one) : one)) }),
    }
  }

  private labels(labels: Readonly<Record<string, string>>): Record<string, string> {
    return Object.fromEntries(
      Object.entries(labels).map(([key, value]) => [this.key(key), isIdentity(key) ? value : this.of(value)]),
    )
  }

  /** Domains of an organization are names too. */
  private key(key: string): string {
    const slash = key.indexOf('/')
    if (slash < 0) return key
    const reference = this.#references.get(key)
    if (reference !== undefined) return reference
    const domain = key.slice(0, slash)
    return KNOWN_DOMAINS.test(domain) ? key : `${this.of(domain)}.example/${this.of(key.slice(slash + 1))}`
  }

  private annotations(annotations: Readonly<Record<string, string>>): Record<string, string> {
    return Object.fromEntries(
      Object.entries(annotations).map(([key, value]) => [this.key(key), this.annotation(value)]),
    )
  }

  /** Some annotations contain JSON: a placement, dependencies, a record. */
  private annotation(value: string): string {
    if (!/^\s*[[{]/.test(value)) return this.path(value)
    try {
      return JSON.stringify(this.value(JSON.parse(value)))
    } catch {
      return ''
    }
  }
}

interface WorkIdentifier {
  kind: string
  namespace?: string
  name: string
}

const isBinding = ({ kind }: UnknownObject): boolean =>
  kind === resourceBinding.kind || kind === clusterResourceBinding.kind

/** Random IDs reveal nothing. */
const isIdentity = (key: string): boolean => key.endsWith('/permanent-id') || key.startsWith(DEPENDED_BY_LABEL_PREFIX)
