/**
 * The kinds whose objects may be propagated, as the control plane serves them: found by discovery, updated when
 * CustomResourceDefinitions change. All controllers of a process share one catalog.
 */
import { isPropagatableKind } from '@/lib/domain/propagation'
import { apiVersionOf, type Kind, resourceName } from '@/lib/kube/kind'
import { allKinds } from '@/lib/kube/kinds'
import type { UnknownObject } from '@/lib/kube/object'
import type { Stop } from '@/lib/std/clock'
import { discoverKinds, type Discovery, type ServedKind } from '@/server/kube/discovery'
import type { Informer, Informers } from '@/server/kube/informer'
import type { ReconcilerContext } from '@/server/runtime/controller'
import { type Binding, bindingKinds } from '../binding-kinds'

type TemplateKind = Kind<UnknownObject>

export interface TemplateKinds {
  /** Returns the kind of that name in any served version; undefined if it is not served or never propagated. */
  find(apiVersion: string, kind: string): TemplateKind | undefined
  /** Returns the kinds to watch, each in its preferred version. */
  list(): readonly TemplateKind[]
  /** Calls `visit` for every existing and every new kind; the returned function is called when the kind is removed. */
  each(visit: (kind: TemplateKind) => Stop): Stop
  /**
   * Resolves when the kinds were discovered once and their caches have synced, except those that this client may not
   * read.
   */
  whenReady(): Promise<void>
}

/** The shared catalog with a function to release it. */
export interface TemplateKindsLease {
  kinds: TemplateKinds
  release(): void
}

const shared = new WeakMap<Informers, { catalog: Catalog; users: number }>()

/** The kinds of a user: all propagated kinds, or only those with bindings. */
export type TemplateNeed = 'all' | 'bound'

/**
 * Borrows the catalog of this control plane; it stops looking when the last borrower has released it. Who needs the
 * bound kinds only keeps no copies of all others, Secrets among them.
 */
export function acquireTemplateKinds(context: ReconcilerContext, need: TemplateNeed = 'all'): TemplateKindsLease {
  const entry = shared.get(context.informers) ?? { catalog: new Catalog(context), users: 0 }
  shared.set(context.informers, entry)
  entry.users += 1
  entry.catalog.serve(need)
  return {
    kinds: entry.catalog,
    release() {
      entry.users -= 1
      if (entry.users > 0) return
      shared.delete(context.informers)
      entry.catalog.stop()
    },
  }
}

/** Returns the kind of that name; undefined if it is not served or never propagated. */
export function findTemplateKind(
  { informers }: Pick<ReconcilerContext, 'informers'>,
  apiVersion: string,
  kind: string,
): TemplateKind | undefined {
  const catalog = shared.get(informers)?.catalog
  return catalog ? catalog.find(apiVersion, kind) : builtIn.get(nameOf(apiVersion, kind))
}

/** Interval between discoveries, as upstream. */
const REFRESH_EVERY_MS = 30_000
/** A changed definition is served shortly afterwards; the second discovery is for slow servers. */
const REFRESH_AFTER_CHANGE_MS: readonly number[] = [50, 2_000]
/** Delay after a discovery without a response. */
const RETRY_MS = 2_000
/** Verbs needed to watch a kind and to delete its objects. */
const NEEDED_VERBS: readonly string[] = ['delete', 'list', 'watch']
const DEFINITIONS = 'customresourcedefinitions.apiextensions.k8s.io'

const nameOf = (apiVersion: string, kind: string): string => `${apiVersion}/${kind}`

const builtIn = new Map(
  (allKinds as readonly TemplateKind[])
    .filter(isPropagatableKind)
    .map((kind) => [nameOf(apiVersionOf(kind), kind.kind), kind]),
)

class Catalog implements TemplateKinds {
  #served: ReadonlyMap<string, ServedKind> = new Map()
  #watched: ReadonlyMap<string, TemplateKind> = new Map()
  readonly #visits = new Set<Visit>()
  readonly #found = Promise.withResolvers<void>()
  #regular: Stop = () => undefined
  #soon: readonly Stop[] = []
  #refreshing: Promise<void> | undefined
  #again = false
  #stopped = false
  #stopDefinitions: Stop | undefined
  #stopBindings: Stop | undefined
  #needsAll = false
  /** Group and kind of what bindings are about. */
  readonly #bound = new Set<string>()

  constructor(private readonly context: ReconcilerContext) {
    this.#refresh()
  }

  /** From then on also what that borrower needs. */
  serve(need: TemplateNeed): void {
    if (need === 'all' && !this.#needsAll) {
      this.#needsAll = true
      this.#watch()
    }
    if (need === 'bound') this.#stopBindings ??= this.#followBindings()
  }

  find(apiVersion: string, kind: string): TemplateKind | undefined {
    return this.#served.get(nameOf(apiVersion, kind))?.kind
  }

  list(): readonly TemplateKind[] {
    return [...this.#watched.values()]
  }

  each(visit: (kind: TemplateKind) => Stop): Stop {
    const own = new Visit(visit)
    this.#visits.add(own)
    for (const [name, kind] of this.#watched) own.begin(name, kind)
    return () => {
      this.#visits.delete(own)
      own.endAll()
    }
  }

  async whenReady(): Promise<void> {
    await this.#found.promise
    await Promise.all(this.list().map((kind) => whenReadOrRefused(this.context.informers.of(kind))))
  }

  stop(): void {
    this.#stopped = true
    this.#stopDefinitions?.()
    this.#stopBindings?.()
    for (const cancel of [this.#regular, ...this.#soon]) cancel()
    for (const visit of this.#visits) visit.endAll()
  }

  #refresh(): void {
    if (this.#stopped) return
    if (this.#refreshing) return void (this.#again = true)
    this.#refreshing = this.#look().finally(() => {
      this.#refreshing = undefined
      if (!this.#again) return
      this.#again = false
      this.#refresh()
    })
  }

  async #look(): Promise<void> {
    try {
      const discovery = await discoverKinds(this.context.client)
      if (!this.#stopped) this.#adopt(discovery)
      this.#found.resolve()
      this.#lookAfter(REFRESH_EVERY_MS)
    } catch (error) {
      this.context.log.debug({ err: error }, 'failed to discover the kinds of the control plane; retrying')
      this.#lookAfter(RETRY_MS)
    }
  }

  /** Only one regular discovery is scheduled at a time. */
  #lookAfter(delayMs: number): void {
    this.#regular()
    if (!this.#stopped) this.#regular = this.context.clock.after(delayMs, () => this.#refresh())
  }

  #lookSoon(): void {
    for (const cancel of this.#soon) cancel()
    this.#soon = REFRESH_AFTER_CHANGE_MS.map((delayMs) => this.context.clock.after(delayMs, () => this.#refresh()))
  }

  /** Kinds of a group that did not respond are assumed to be still served. */
  #adopt({ kinds, unanswered }: Discovery): void {
    const silent = new Set(unanswered)
    const kept = [...this.#served.values()].filter(({ kind }) => silent.has(apiVersionOf(kind)))
    const served = [...kinds.map(withDefinition), ...kept]
    this.#served = new Map(
      served
        .filter(({ kind }) => isPropagatableKind(kind))
        .map((entry) => [nameOf(apiVersionOf(entry.kind), entry.kind.kind), entry]),
    )
    this.#watch()
    this.#followDefinitions(kinds)
  }

  #watch(): void {
    const before = this.#watched
    this.#watched = new Map(
      [...this.#served]
        .filter(([, entry]) => isWatchable(entry) && this.#isNeeded(entry.kind))
        .map(([name, { kind }]) => [name, before.get(name) ?? kind]),
    )
    this.#notify(before)
  }

  #isNeeded({ group, kind }: TemplateKind): boolean {
    return this.#needsAll || this.#bound.has(`${kind}.${group}`)
  }

  #followBindings(): Stop {
    const note = ({ spec: { resource } }: Binding): void => {
      const { apiVersion, kind } = resource
      const name = `${kind}.${apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : ''}`
      if (this.#bound.has(name)) return
      this.#bound.add(name)
      this.#watch()
    }
    const stops = bindingKinds.map((kind) =>
      this.context.informers.of(kind).onChange((change) => {
        if (change.type !== 'deleted') note(change.object)
      }),
    )
    return () => {
      for (const stop of stops) stop()
    }
  }

  #notify(before: ReadonlyMap<string, TemplateKind>): void {
    for (const [name, kind] of before) {
      if (this.#watched.has(name)) continue
      for (const visit of this.#visits) visit.end(name)
      void this.context.informers.forget(kind)
    }
    for (const [name, kind] of this.#watched) {
      if (before.has(name)) continue
      this.context.informers.of(kind)
      for (const visit of this.#visits) visit.begin(name, kind)
    }
  }

  #followDefinitions(kinds: readonly ServedKind[]): void {
    const definition = kinds.find(({ kind, preferred }) => preferred && resourceName(kind) === DEFINITIONS)
    if (!definition || this.#stopDefinitions) return
    this.#stopDefinitions = this.context.informers.of(definition.kind).onChange(() => this.#lookSoon())
  }
}

async function whenReadOrRefused(informer: Informer<UnknownObject>): Promise<void> {
  const { promise: refused, resolve } = Promise.withResolvers<void>()
  const stop = informer.onFreshness(({ state }) => {
    if (state === 'stale') resolve()
  })
  if (informer.freshness().state === 'stale') resolve()
  await Promise.race([informer.whenSynced(), refused])
  stop()
}

function isWatchable({ verbs, preferred }: ServedKind): boolean {
  return preferred && NEEDED_VERBS.every((verb) => verbs.includes(verb))
}

/** Known kinds keep their single definition. */
function withDefinition(served: ServedKind): ServedKind {
  const known = builtIn.get(nameOf(apiVersionOf(served.kind), served.kind.kind))
  return known ? { ...served, kind: known } : served
}

/** One visitor with its stop function for each kind. */
class Visit {
  readonly #stops = new Map<string, Stop>()

  constructor(private readonly visit: (kind: TemplateKind) => Stop) {}

  begin(name: string, kind: TemplateKind): void {
    this.#stops.set(name, this.visit(kind))
  }

  end(name: string): void {
    this.#stops.get(name)?.()
    this.#stops.delete(name)
  }

  endAll(): void {
    for (const stop of this.#stops.values()) stop()
    this.#stops.clear()
  }
}
