/**
 * The resource interpreter: the built-in rules of `lib/domain/interpreter`, overridden by webhooks of
 * ResourceInterpreterWebhookConfigurations, overridden by scripts of ResourceInterpreterCustomizations. All controllers
 * of a process share one instance.
 */
import {
  aggregateStatus,
  type DependencyReference,
  hasAggregationRule,
  hasComponentRule,
  hasDependencyRule,
  hasHealthRule,
  InterpretError,
  interpretComponents,
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
  componentsIn,
  dependenciesIn,
  healthIn,
  type InterpreterScript,
  manifestIn,
  mergedDependencies,
  replicasIn,
  ScriptCatalog,
  type ScriptedOperation,
  statusIn,
} from '@/lib/domain/interpreter/customization'
import {
  concernsKind,
  HookCatalog,
  hookAnswers,
  type HookQuestion,
  hooksOf,
  patchedBy,
} from '@/lib/domain/interpreter/webhook'
import {
  type ResourceInterpreterCustomization,
  resourceInterpreterCustomization,
  resourceInterpreterWebhookConfiguration,
} from '@/lib/kube/kinds'
import type { BindingComponent } from '@/lib/kube/kinds/binding'
import type { ResourceInterpreterWebhookConfiguration } from '@/lib/kube/kinds/resource-interpreter-webhook-configuration'
import type { KubeObject, UnknownObject } from '@/lib/kube/object'
import { addQuantity, formatQuantity, parseQuantity, ZERO } from '@/lib/kube/quantity'
import type { Stop } from '@/lib/std/clock'
import type { Change, Informers } from '@/server/kube/informer'
import type { ReconcilerContext } from '@/server/runtime/controller'
import { createSandbox, type Sandbox, type SandboxOptions } from './sandbox'
import { HookClient, type HookOptions } from './webhooks'

type Named = Pick<UnknownObject, 'apiVersion' | 'kind'>

/**
 * Interprets objects by kind. Any result of a script or webhook may reject with an InterpretError that names the
 * customization or the webhook.
 */
export interface Interpreter {
  /** Reports whether a script or webhook handles this kind, which takes longer. */
  isScripted(object: Named, operation: ScriptedOperation): boolean
  hasHealthRule(object: Named): boolean
  health(object: UnknownObject): Promise<boolean>
  replicas(object: UnknownObject): Promise<Replicas | undefined>
  /** Reports whether the kind has several pod templates, whose replicas are known individually. */
  hasComponentRule(object: Named): boolean
  components(object: UnknownObject): Promise<BindingComponent[] | undefined>
  /**
   * Returns the template with that number of replicas by a script or webhook; undefined if neither handles the kind.
   */
  revise(template: UnknownObject, replicas: number): Promise<Manifest | undefined>
  reflect(object: UnknownObject): Promise<Record<string, unknown> | undefined>
  hasAggregationRule(object: Named): boolean
  /** Returns `template.status` itself if nothing changed. */
  aggregate(
    template: UnknownObject,
    items: readonly MemberStatus[] | undefined,
    options: { now: string },
  ): Promise<unknown>
  /**
   * Returns the manifest with the fields of the member's object that a script or webhook retains; the manifest itself
   * if neither handles the kind.
   */
  retain(manifest: Manifest, observed: UnknownObject): Promise<Manifest>
  hasDependencyRule(object: Named): boolean
  dependencies(object: UnknownObject): Promise<DependencyReference[] | undefined>
  /** Loads a script without calling it. Rejects if it is invalid. */
  check(script: InterpreterScript): Promise<void>
  /** Ends the thread and closes connections. */
  close(): Promise<void>
}

/** Context of controllers that read objects of any kind. */
export interface InterpreterContext extends ReconcilerContext {
  readonly interpreter: Interpreter
}

type Options = InterpreterOptions & SandboxOptions & HookOptions

/** Creates the interpreter of one control plane. It watches configurations and starts its thread at the first call. */
export function createInterpreter(informers: Informers, options: Options = {}): Interpreter {
  return new ConfiguredInterpreter(informers, options)
}

/** Kinds that configure the interpreter. */
export const interpreterKinds = [resourceInterpreterCustomization, resourceInterpreterWebhookConfiguration] as const

/** Calls `run` with each change of the configuration; `concerns` reports whether it affects a kind. */
export function onInterpreterChange(informers: Informers, run: (concerns: (object: Named) => boolean) => void): Stop {
  const stops = [
    informers.of(resourceInterpreterCustomization).onChange((change) => {
      const targets = statesOf<ResourceInterpreterCustomization>(change).map(({ spec }) => spec.target)
      run((object) => targets.some(({ apiVersion, kind }) => object.apiVersion === apiVersion && object.kind === kind))
    }),
    informers.of(resourceInterpreterWebhookConfiguration).onChange((change) => {
      const hooks = statesOf<ResourceInterpreterWebhookConfiguration>(change).flatMap(hooksOf)
      run((object) => hooks.some((hook) => concernsKind(hook, object)))
    }),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}

function statesOf<T extends KubeObject>(change: Change<T>): T[] {
  return [...(change.type === 'deleted' ? [] : [change.object]), ...(change.type === 'added' ? [] : [change.old])]
}

/** Functions of upstream's Lua library `kube`. */
const helpers: NonNullable<SandboxOptions['helpers']> = {
  accuratePodRequirements: (template: { spec?: Record<string, unknown> }) => podRequirements(template.spec ?? {}),
  getPodDependencies: (template: { spec?: unknown }, namespace: string) => {
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'template', namespace }, spec: template.spec }
    return interpretDependencies(pod as unknown as UnknownObject)
  },
  resourceAdd: (...amounts: (string | number)[]) =>
    formatQuantity(amounts.map((amount) => parseQuantity(amount)).reduce(addQuantity, ZERO)),
  getResourceQuantity: (text: string | number) => Number(parseQuantity(text).nano) / 1e9,
}

/** Arguments and readers of one operation, for scripts and for webhooks. */
interface Question<T> {
  args: readonly unknown[]
  read: (answer: readonly unknown[]) => T
  hook?: Omit<HookQuestion, 'operation' | 'object'>
  readHook: (response: Record<string, unknown>) => T
}

class ConfiguredInterpreter implements Interpreter {
  readonly #sandbox: Sandbox
  readonly #client: HookClient
  #stop: Stop | undefined
  #scripts: ScriptCatalog | undefined
  #hooks: HookCatalog | undefined

  constructor(
    private readonly informers: Informers,
    private readonly options: Options,
  ) {
    this.#sandbox = createSandbox({ helpers, ...options })
    this.#client = new HookClient(informers, options)
  }

  async close(): Promise<void> {
    this.#stop?.()
    await Promise.all([this.#sandbox.close(), this.#client.close()])
  }

  isScripted(object: Named, operation: ScriptedOperation): boolean {
    const { scripts, hooks } = this.#catalogs()
    return scripts.find(object, operation) !== undefined || hooks.find(object, operation) !== undefined
  }

  hasHealthRule(object: Named): boolean {
    return this.isScripted(object, 'health') || hasHealthRule(object)
  }

  async health(object: UnknownObject): Promise<boolean> {
    const question = { args: [object], read: healthIn, readHook: hookAnswers.health }
    return (await this.#ask('health', object, question))?.answer ?? interpretHealth(object)
  }

  async replicas(object: UnknownObject): Promise<Replicas | undefined> {
    const question = { args: [object], read: replicasIn, readHook: hookAnswers.replicas }
    const answer = (await this.#ask('replicas', object, question))?.answer ?? interpretReplicas(object, this.options)
    const { namespace } = object.metadata
    if (!this.options.quotaEstimate || !answer?.requirements || namespace === undefined) return answer
    return { ...answer, requirements: { namespace, ...answer.requirements } }
  }

  hasComponentRule(object: Named): boolean {
    return this.isScripted(object, 'components') || hasComponentRule(object)
  }

  async components(object: UnknownObject): Promise<BindingComponent[] | undefined> {
    const question = { args: [object], read: componentsIn, readHook: hookAnswers.components }
    return (await this.#ask('components', object, question))?.answer ?? interpretComponents(object)
  }

  async revise(template: UnknownObject, replicas: number): Promise<Manifest | undefined> {
    const asked = await this.#ask('revise', template, {
      args: [template, replicas],
      read: (answer) => manifestIn('ReviseReplica', answer, [template]),
      hook: { replicas },
      readHook: (response) => patchedBy(response, template),
    })
    return asked?.answer
  }

  async reflect(object: UnknownObject): Promise<Record<string, unknown> | undefined> {
    const question = { args: [object], read: statusIn, readHook: hookAnswers.reflect }
    const asked = await this.#ask<Record<string, unknown> | undefined>('reflect', object, question)
    return asked ? asked.answer : reflectStatus(object, this.options)
  }

  hasAggregationRule(object: Named): boolean {
    return this.isScripted(object, 'aggregate') || hasAggregationRule(object)
  }

  async aggregate(
    template: UnknownObject,
    items: readonly MemberStatus[] | undefined,
    { now }: { now: string },
  ): Promise<unknown> {
    const asked = await this.#ask<unknown>('aggregate', template, {
      args: [template, items],
      read: aggregateIn,
      ...(items && { hook: { items } }),
      readHook: (response) => patchedBy(response, template).status,
    })
    return asked ? asked.answer : aggregateStatus(template, items, { ...this.options, now })
  }

  async retain(manifest: Manifest, observed: UnknownObject): Promise<Manifest> {
    const asked = await this.#ask('retain', manifest, {
      args: [manifest, observed],
      read: (answer) => manifestIn('Retain', answer, [manifest, observed]),
      hook: { observed },
      readHook: (response) => patchedBy(response, manifest),
    })
    return asked?.answer ?? manifest
  }

  hasDependencyRule(object: Named): boolean {
    return this.isScripted(object, 'dependencies') || hasDependencyRule(object)
  }

  /** Several customizations may each return dependencies. */
  async dependencies(object: UnknownObject): Promise<DependencyReference[] | undefined> {
    const { scripts, hooks } = this.#catalogs()
    const all = scripts.findAll(object, 'dependencies')
    if (all.length > 0) {
      return mergedDependencies(await Promise.all(all.map((script) => this.#run(script, [object], dependenciesIn))))
    }
    const hook = hooks.find(object, 'dependencies')
    if (!hook) return interpretDependencies(object)
    return this.#client.ask(hook, { operation: 'dependencies', object }, hookAnswers.dependencies)
  }

  async check({ source, entry, customization }: InterpreterScript): Promise<void> {
    await this.#sandbox.run({ source, entry, owner: customization })
  }

  #catalogs(): { scripts: ScriptCatalog; hooks: HookCatalog } {
    this.#stop ??= onInterpreterChange(this.informers, () => {
      this.#scripts = undefined
      this.#hooks = undefined
      void this.#client.renew()
    })
    this.#scripts ??= new ScriptCatalog(this.informers.of(resourceInterpreterCustomization).list())
    this.#hooks ??= new HookCatalog(this.informers.of(resourceInterpreterWebhookConfiguration).list())
    return { scripts: this.#scripts, hooks: this.#hooks }
  }

  /** Returns the result of the script for that kind, otherwise of the webhook; undefined if there is neither. */
  async #ask<T>(
    operation: ScriptedOperation,
    object: UnknownObject | Manifest,
    { args, read, hook: asked, readHook }: Question<T>,
  ): Promise<{ answer: T } | undefined> {
    const { scripts, hooks } = this.#catalogs()
    const script = scripts.find(object, operation)
    if (script) return { answer: await this.#run(script, args, read) }
    const hook = hooks.find(object, operation)
    if (!hook) return undefined
    return { answer: await this.#client.ask(hook, { ...asked, operation, object }, readHook) }
  }

  async #run<T>(
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
