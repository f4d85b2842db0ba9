/** Signs that rights may have changed: RBAC objects and namespaces, as far as the console may see them. */
import type { Kind } from '@/lib/kube/kind'
import { clusterRole } from '@/lib/kube/kinds/cluster-role'
import { clusterRoleBinding } from '@/lib/kube/kinds/cluster-role-binding'
import { namespace as namespaceKind } from '@/lib/kube/kinds/namespace'
import { role } from '@/lib/kube/kinds/role'
import { roleBinding } from '@/lib/kube/kinds/role-binding'
import type { Clock, Stop } from '@/lib/std/clock'
import type { Informers } from '@/server/kube/informer'
import type { World } from '../world/world'
import { resourceOf } from './resources'
import type { Reviewer } from './reviewer'

export interface SignsOptions {
  /** Asks as the console itself. */
  reviewer: Reviewer
  informers: Informers
  world: World
  clock: Clock
  onRights: () => void
  onNamespace: (name: string) => void
}

const RBAC = [role, roleBinding, clusterRole, clusterRoleBinding] as unknown as readonly Kind[]
/** Changes that come together are answered together; and once more, for authorizers that follow RBAC with copies of their own. */
const TOGETHER_MS = [50, 1_500]
/** A copy that does not fill must not keep everybody waiting. */
const PATIENCE_MS = 2_000
/** The console's own rights may change too. */
const ASK_AGAIN_MS = 60_000

/** Follows what may be listed; what may not, the timer of the reviews makes up for. Nothing is copied before `start`. */
export class Signs {
  readonly #options: SignsOptions
  readonly #stops = new Set<Stop>()
  readonly #followed = new Set<Kind>()
  #names: ReadonlySet<string> | undefined
  #pending: Stop[] = []
  #started: Promise<void> | undefined

  constructor(options: SignsOptions) {
    this.#options = options
  }

  /** Resolves when it is known which namespaces there are, or that this is not to be known soon. */
  start(): Promise<void> {
    this.#started ??= this.#begin()
    return this.#started
  }

  async #begin(): Promise<void> {
    this.#stops.add(this.#options.world.onBindingChange((change) => {
      const { namespace } = (change.type === 'deleted' ? change.old : change.object).metadata
      if (change.type === 'added' && namespace !== undefined && !this.#followed.has(namespaceKind as unknown as Kind))
        this.#noteName(namespace)
    }))
    const patience = Promise.withResolvers<void>()
    this.#stops.add(this.#options.clock.after(PATIENCE_MS, patience.resolve))
    await Promise.race([this.#followAll(), patience.promise])
  }

  stop(): void {
    for (const stop of this.#pending) stop()
    for (const stop of this.#stops) stop()
    this.#stops.clear()
  }

  /** Those that exist, where that may be known; else those in which a workload was seen. */
  namespaces(): readonly string[] {
    const { informers, world } = this.#options
    if (this.#followed.has(namespaceKind as unknown as Kind))
      return informers
        .of(namespaceKind)
        .list()
        .map(({ metadata }) => metadata.name)
    this.#names = new Set(world.bindings().flatMap(({ metadata: { namespace } }) => namespace ?? []))
    return [...this.#names]
  }

  async #followAll(): Promise<void> {
    const left = [namespaceKind as unknown as Kind, ...RBAC].filter((kind) => !this.#followed.has(kind))
    await Promise.all(left.map((kind) => this.#follow(kind)))
    if (this.#followed.size > RBAC.length) return
    const again: Stop = this.#options.clock.after(ASK_AGAIN_MS, () => {
      this.#stops.delete(again)
      void this.#followAll()
    })
    this.#stops.add(again)
  }

  async #follow(kind: Kind): Promise<void> {
    const { reviewer, informers } = this.#options
    const may = await reviewer.can({ ...resourceOf(kind), verb: 'list' }).catch(() => ({ allowed: false }))
    if (!may.allowed) return
    const informer = informers.of(kind)
    await informer.whenSynced()
    this.#followed.add(kind)
    const isNamespace = kind.kind === namespaceKind.kind
    let quiet = true
    this.#stops.add(informer.onChange((change) => {
      if (quiet) return
      if (!isNamespace) return this.#noteRights()
      if (change.type === 'added') this.#options.onNamespace(change.object.metadata.name)
    }))
    quiet = false
    // What was reviewed before could not look everywhere.
    if (isNamespace) this.#noteRights()
  }

  #noteName(name: string): void {
    if (this.#names === undefined || this.#names.has(name)) return
    this.#names = new Set([...this.#names, name])
    this.#options.onNamespace(name)
  }

  #noteRights(): void {
    const { clock, onRights } = this.#options
    if (this.#pending.length > 0) return
    this.#pending = TOGETHER_MS.map((ms, turn) => clock.after(ms, () => {
      if (turn === 0) this.#pending = []
      onRights()
    }))
  }
}
