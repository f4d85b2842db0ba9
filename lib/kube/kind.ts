/** How a kind is defined: once, as a value from which schema, type, discovery and CRD follow. */
import type { KubeObject, UnknownObject } from './object'
import { objectMeta } from './object-meta'
import type { Schema } from './schema'

/** A column of `kubectl get`. */
export interface PrinterColumn {
  name: string
  type: 'string' | 'integer' | 'number' | 'boolean' | 'date'
  /** A JSONPath as CRDs write it, for instance `.status.conditions[?(@.type=="Ready")].status`. */
  jsonPath: string
  /** 0 (absent) is shown always, larger values only with `-o wide`. */
  priority?: number
  description?: string
}

/** The scale subresource, by JSON paths as CRDs write them. */
export interface ScaleSubresource {
  specReplicasPath: string
  statusReplicasPath: string
  labelSelectorPath?: string
}

/** The form in which objects of a kind are kept when several versions, or groups, show the same objects. */
export interface StoredForm {
  group: string
  version: string
  /** A kept object as the version shows it. */
  read(object: UnknownObject): UnknownObject
  /** An object of the version as it is kept. */
  write(object: UnknownObject): UnknownObject
  /** True when a write drops stored fields that the version lacks. */
  forgets?: boolean
  /** All versions of a custom kind by their name in objects, also those that are not served. */
  versions?: ReadonlyMap<string, Kind>
}

/** Describes a kind. `T` is the type of its objects. */
export interface Kind<T extends KubeObject = KubeObject> {
  /** Empty for the core group. */
  group: string
  version: string
  kind: string
  listKind: string
  plural: string
  singular: string
  shortNames: readonly string[]
  categories: readonly string[]
  scope: 'Namespaced' | 'Cluster'
  /**
   * Origin of the real kind: compiled into kube-apiserver, an aggregated API, or a CustomResourceDefinition. Decides
   * which patch types it accepts and when its generation increases.
   */
  origin: 'builtin' | 'aggregated' | 'crd'
  /** True for a question that is answered when it is created: there is no other verb, and nothing is stored. */
  transient?: boolean
  /** True for a read-only kind whose objects only the server creates. */
  readOnly?: boolean
  subresources: { status: boolean; scale?: ScaleSubresource }
  printerColumns: readonly PrinterColumn[]
  /** How objects are kept, where that is not as this version shows them. */
  storedAs?: StoredForm
  /** True for a version that is only kept for stored objects. */
  unserved?: boolean
  /** Warning for every request to this version. */
  deprecation?: string
  /** JSON paths (`.spec.color`) that field selectors may name, beyond those of the metadata. */
  selectableFields?: readonly string[]
  /** The whole object: apiVersion, kind, metadata, and the kind's own fields. */
  schema: Schema<T>
}

/** The type of the objects of a kind. */
export type ObjectOf<K> = K extends Kind<infer T> ? T : never

type Needed = 'group' | 'version' | 'kind' | 'plural' | 'scope' | 'origin'
type Rest = Pick<Kind, Needed> & Partial<Omit<Kind, Needed | 'schema'>>

/**
 * Defines a kind from its own fields (`spec`, `status`, `data`, …); apiVersion, kind and metadata are added.
 * `required` names the fields that must be present.
 */
export function defineKind<F extends object>(definition: Rest & { fields: Schema<F> }): Kind<KubeObject & F> {
  const { fields, ...rest } = definition
  return {
    listKind: `${rest.kind}List`,
    singular: rest.kind.toLowerCase(),
    shortNames: [],
    categories: [],
    subresources: { status: false },
    printerColumns: [],
    ...rest,
    schema: {
      ...fields,
      properties: {
        apiVersion: { type: 'string' },
        kind: { type: 'string' },
        metadata: objectMeta,
        ...fields.properties,
      },
    } as Schema<KubeObject & F>,
  }
}

/** `group/version`, or `version` for the core group. */
export function apiVersionOf(kind: Pick<Kind, 'group' | 'version'>): string {
  return kind.group ? `${kind.group}/${kind.version}` : kind.version
}

/** True for the version in which objects are kept. */
export function isStoredForm({ group, version, storedAs }: Pick<Kind, 'group' | 'version' | 'storedAs'>): boolean {
  return storedAs === undefined || (storedAs.group === group && storedAs.version === version)
}

/** `plural.group`, the name of the CustomResourceDefinition and the word kubectl prints. */
export function resourceName(kind: Pick<Kind, 'group' | 'plural'>): string {
  return kind.group ? `${kind.plural}.${kind.group}` : kind.plural
}
