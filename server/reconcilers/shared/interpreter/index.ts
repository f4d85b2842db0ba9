/**
 * What the pipeline knows of kinds: the built-in rules of `lib/domain/interpreter`, and over them the scripts of
 * ResourceInterpreterCustomizations. All controllers of a process are given the same one.
 */
import {
  aggregateStatus,
  type DependencyReference,
  hasAggregationRule,
  hasDependencyRule,
  hasHealthRule,
  InterpretError,
  type InterpreterOptions,
  interpretDependencies,
  interpretHealth,
  interpretReplicas,
  type Manifest,
  type MemberStatus,
  podRequirements,
  reflectStatus,
  type Replicas,
  ScriptUnavailable,
} from '@/lib/domain/interpreter'
import {
  aggregateIn,
  dependenciesIn,
  healthIn,
  type InterpreterScript,
  manifestIn,
  replicasIn,
  ScriptCatalog,
  type ScriptedOperation,
  statusIn,
} from '@/lib/domain/interpreter/customization'
import { type ResourceInterpreterCustomization, resourceInterpreterCustomization } from '@/lib/kube/kinds'
import type { UnknownObject } from '@/lib/kube/object'
import { parseQuantity } from '@/lib/kube/quantity'
import type { Stop } from '@/lib/std/clock'
import type { Change, Informers } from '@/server/kube/informer'
import type { ReconcilerContext } from '@/server/runtime/controller'
import { createSandbox, type Sandbox, type SandboxOptions } from './sandbox'

type Named = Pick<UnknownObject, 'apiVersion' | 'kind'>

/** Answers about kinds. Every answer of a script may reject with an InterpretError that names its customization. */
export interface Interpreter {
  /** Whether a script answers for this kind, so that the answer takes a moment. */
  isScripted(object: Named, operation: ScriptedOperation): boolean
  hasHealthRule(object: Named): boolean
  health(object: UnknownObject): Promise<boolean>
  replicas(object: UnknownObject): Promise<Replicas | undefined>
  /** The template with that number of replicas, by a script; undefined where none is asked. */
  revise(template: UnknownObject, replicas: number): Promise<Manifest | undefined>
  reflect(object: UnknownObject): Promise<Record<string, unknown> | undefined>
  hasAggregationRule(object: Named): boolean
  /** `template.status` itself when nothing changed. */
  aggregate(template: UnknownObject, items: readonly MemberStatus[], options: { now: string }): Promise<unknown>
  /** The manifest with what the script keeps of the member's object; the manifest itself where none is asked. */
  retain(manifest: Manifest, observed: UnknownObject): Promise<Manifest>
  hasDependencyRule(object: Named): boolean
  dependencies(object: UnknownObject): Promise<DependencyReference[] | undefined>
  /** Loads a script without asking it anything. Rejects when it cannot be used. */
  check(script: InterpreterScript): Promise<void>
  /** Ends its thread. */
  close(): Promise<void>
}

/** What the controllers that read objects of any kind are given. */
export interface InterpreterContext extends ReconcilerContext {
  readonly interpreter: Interpreter
}

/** The interpreter of one control plane. It watches customizations, and starts its thread, when it is first asked. */
export function createInterpreter(
  informers: Informers,
  options: InterpreterOptions & SandboxOptions = {},
): Interpreter {
  return new ScriptedInterpreter(informers, options)
}

/** The kinds that a change of a customization concerns. */
export function interpretedKinds(change: Change<ResourceInterpreterCustomization>): Named[] {
  const states = [
    change.type === 'deleted' ? undefined : change.object,
    change.type === 'added' ? undefined : change.old,
  ]
  return states.flatMap((state) => (state ? [state.spec.target] : []))
}

/** What upstream lets scripts ask for as `kube`. */
const helpers: NonNullable<SandboxOptions['helpers']> = {
  accuratePodRequirements: (template: { spec?: Record<string, unknown> }) => podRequirements(template.spec ?? {}),
  getPodDependencies: (template: { spec?: unknown }, namespace: string) => {
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'template', namespace }, spec: template.spec }
    return interpretDependencies(pod as unknown as UnknownObject)
  },
  getResourceQuantity: (text: string | number) => Number(parseQuantity(text).nano) / 1e9,
}

class ScriptedInterpreter implements Interpreter {
  readonly #sandbox: Sandbox
  #stop: Stop | undefined
  #catalog: ScriptCatalog | undefined

  constructor(
    private readonly informers: Informers,
    private readonly options: InterpreterOptions & SandboxOptions,
  ) {
    this.#sandbox = createSandbox({ helpers, ...options })
  }

  async close(): Promise<void> {
    this.#stop?.()
    await this.#sandbox.close()
  }

  isScripted(object: Named, operation: ScriptedOperation): boolean {
    return this.#find(object, operation) !== undefined
  }

  hasHealthRule(object: Named): boolean {
    return this.isScripted(object, 'health') || hasHealthRule(object)
  }

  async health(object: UnknownObject): Promise<boolean> {
    const script = this.#find(object, 'health')
    return script ? this.#ask(script, [object], healthIn) : interpretHealth(object)
  }

  async replicas(object: UnknownObject): Promise<Replicas | undefined> {
    const script = this.#find(object, 'replicas')
    return script ? this.#ask(script, [object], replicasIn) : interpretReplicas(object, this.options)
  }

  async revise(template: UnknownObject, replicas: number): Promise<Manifest | undefined> {
    const script = this.#find(template, 'revise')
    return script && this.#ask(script, [template, replicas], (answer) => manifestIn(script.entry, answer, [template]))
  }

  async reflect(object: UnknownObject): Promise<Record<string, unknown> | undefined> {
    const script = this.#find(object, 'reflect')
    return script
      ? this.#ask(script, [object], (answer) => statusIn(answer, object))
      : reflectStatus(object, this.options)
  }

  hasAggregationRule(object: Named): boolean {
    return this.isScripted(object, 'aggregate') || hasAggregationRule(object)
  }

  async aggregate(template: UnknownObject, items: readonly MemberStatus[], { now }: { now: string }): Promise<unknown> {
    const script = this.#find(template, 'aggregate')
    if (!script) return aggregateStatus(template, items, { ...this.options, now })
    return this.#ask(script, [template, items], (answer) => aggregateIn(answer, template))
  }

  async retain(manifest: Manifest, observed: UnknownObject): Promise<Manifest> {
    const script = this.#find(manifest, 'retain')
    if (!script) return manifest
    return this.#ask(script, [manifest, observed], (answer) => manifestIn(script.entry, answer, [manifest, observed]))
  }

  hasDependencyRule(object: Named): boolean {
    return this.isScripted(object, 'dependencies') || hasDependencyRule(object)
  }

  async dependencies(object: UnknownObject): Promise<DependencyReference[] | undefined> {
    const script = this.#find(object, 'dependencies')
    return script ? this.#ask(script, [object], dependenciesIn) : interpretDependencies(object)
  }

  async check({ source, entry, customization }: InterpreterScript): Promise<void> {
    await this.#sandbox.run({ source, entry, owner: customization })
  }

  #find(object: Named, operation: ScriptedOperation): InterpreterScript | undefined {
    const customizations = this.informers.of(resourceInterpreterCustomization)
    this.#stop ??= customizations.onChange(() => {
      this.#catalog = undefined
    })
    this.#catalog ??= new ScriptCatalog(customizations.list())
    return this.#catalog.find(object, operation)
  }

  async #ask<T>(
    { source, entry, customization }: InterpreterScript,
    args: readonly unknown[],
    read: (answer: readonly unknown[]) => T,
  ): Promise<T> {
    try {
      return read(await this.#sandbox.run({ source, entry, args, owner: customization }))
    } catch (error) {
      if (!(error instanceof InterpretError)) throw error
      const message = `ResourceInterpreterCustomization ${customization}: ${error.message}`
      throw error instanceof ScriptUnavailable ? new ScriptUnavailable(message) : new InterpretError(message)
    }
  }
}
