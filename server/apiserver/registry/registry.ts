import { isStoredForm, type Kind } from '@/lib/kube/kind'
import { type Resource, resourceOf } from './resource'

/** The kinds that a keyspace serves. */
export interface Registry {
  /** Every kind in every served version. */
  readonly resources: readonly Resource[]
  /** One for each place in the store: the version in which objects are kept, served or not. */
  readonly stored: readonly Resource[]
  /** Increases with every change of the served kinds. */
  readonly edition: number
  find(group: string, version: string, plural: string): Resource | undefined
  /** By the object's apiVersion and kind. */
  ofObject(apiVersion: string, kind: string): Resource | undefined
  /** By its place in the store (`plural.group`). */
  inStore(id: string): Resource | undefined
  hasGroup(group: string): boolean
  hasVersion(group: string, version: string): boolean
  /** True for a group of custom kinds, and for one that is not served. */
  isCustom(group: string): boolean
  /** True for a version that is served whatever definitions there are. */
  isCompiledIn(group: string, version: string): boolean
  /** True for built-in resources, by their key in the store. */
  isBuiltIn(id: string): boolean
  /** Replaces the custom resources. Returns those that are no longer served. */
  serveCustom(resources: readonly Resource[]): readonly Resource[]
  /** Called after every change, with the resources that are no longer served. Returns how to stop. */
  subscribe(listener: (removed: readonly Resource[]) => void): () => void
}

/** A registry of built-in kinds. Registries of the same kinds share what follows from them. */
export function createRegistry(kinds: readonly Kind[]): Registry {
  return new ChangeableRegistry(kinds.map(builtInResource))
}

const builtIn = new WeakMap<Kind, Resource>()

function builtInResource(kind: Kind): Resource {
  const known = builtIn.get(kind) ?? resourceOf(kind)
  builtIn.set(kind, known)
  return known
}

class ChangeableRegistry implements Registry {
  edition = 0
  private custom: readonly Resource[] = []
  private readonly compiledIn: ReadonlySet<string>
  private index: Index
  private readonly listeners = new Set<(removed: readonly Resource[]) => void>()

  constructor(private readonly builtin: readonly Resource[]) {
    this.index = new Index(builtin)
    this.compiledIn = this.index.versions
  }

  get resources(): readonly Resource[] {
    return this.index.served
  }

  get stored(): readonly Resource[] {
    return this.index.stored
  }

  find(group: string, version: string, plural: string): Resource | undefined {
    return this.index.byPath.get(`${apiVersionOf(group, version)}/${plural}`)
  }

  ofObject(apiVersion: string, kind: string): Resource | undefined {
    return this.index.byKind.get(`${apiVersion} ${kind}`)
  }

  inStore(id: string): Resource | undefined {
    return this.index.byId.get(id)
  }

  hasGroup(group: string): boolean {
    return this.index.groups.has(group)
  }

  hasVersion(group: string, version: string): boolean {
    return this.index.versions.has(apiVersionOf(group, version))
  }

  isCustom(group: string): boolean {
    return (this.index.groups.get(group) ?? 'crd') === 'crd'
  }

  isCompiledIn(group: string, version: string): boolean {
    return this.compiledIn.has(apiVersionOf(group, version))
  }

  isBuiltIn(id: string): boolean {
    return this.builtin.some((resource) => resource.id === id)
  }

  serveCustom(next: readonly Resource[]): readonly Resource[] {
    const removed = this.custom.filter((resource) => !next.includes(resource))
    if (removed.length === 0 && next.length === this.custom.length) return removed
    this.custom = next
    this.index = new Index([...this.builtin, ...next])
    this.edition += 1
    for (const listener of this.listeners) listener(removed)
    return removed
  }

  subscribe(listener: (removed: readonly Resource[]) => void): () => void {
    this.listeners.add(listener)
    return () => void this.listeners.delete(listener)
  }
}

/** Lookup tables for requests. */
class Index {
  readonly served: readonly Resource[]
  readonly stored: readonly Resource[]
  readonly byPath: ReadonlyMap<string, Resource>
  readonly byKind: ReadonlyMap<string, Resource>
  readonly byId: ReadonlyMap<string, Resource>
  readonly versions: ReadonlySet<string>
  readonly groups: ReadonlyMap<string, Kind['origin']>

  constructor(resources: readonly Resource[]) {
    this.served = resources.filter(({ kind }) => !kind.unserved)
    this.stored = resources.filter(({ kind }) => isStoredForm(kind))
    this.byPath = new Map(this.served.map((resource) => [`${resource.apiVersion}/${resource.kind.plural}`, resource]))
    this.byKind = new Map(this.served.map((resource) => [`${resource.apiVersion} ${resource.kind.kind}`, resource]))
    this.byId = new Map(this.stored.map((resource) => [resource.id, resource]))
    this.versions = new Set(this.served.map(({ apiVersion }) => apiVersion))
    this.groups = new Map(this.served.map(({ kind }) => [kind.group, kind.origin]))
  }
}

function apiVersionOf(group: string, version: string): string {
  return group ? `${group}/${version}` : version
}
