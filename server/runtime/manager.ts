/** Runs many controllers over one set of informers, each behind its own leader gate when there is one. */
import type { Clock } from '@/lib/std/clock'
import type { Informers } from '@/server/kube/informer'
import type { EventRecorder } from '@/server/kube/events'
import type { Fence, LeadershipCallbacks } from '@/server/kube/leases'
import type { Spans } from '@/server/telemetry/spans'
import type { Controller, Logger } from './controller'
import { noMetrics, type RuntimeMetrics } from './metrics-hooks'
import type { Oversight } from './oversight'
import { runController, type RunningController } from './run-controller'

/** Lets one of several processes run a loop; `startElection` is one. */
export type LeaderGate = (controllerName: string, callbacks: LeadershipCallbacks) => { stop(): Promise<void> }

export interface ManagerOptions {
  informers: Informers
  clock: Clock
  log: Logger
  metrics?: RuntimeMetrics
  spans?: Spans
  oversight?: Oversight
  /** Where objects that fail are told so. */
  events?: EventRecorder
  /** Absent: every loop runs here and now. */
  gate?: LeaderGate
}

export interface Manager {
  /** Before `start`: remembered. After it: started at once. Names must be unique. */
  add(controller: Controller): void
  /** Resolves when every informer has synced and every loop that may run has started. */
  start(): Promise<void>
  /** Stops the loops in reverse order, lets running reconciles finish, and gives leases up. What is read stays current. */
  resign(): Promise<void>
  /** Resigns, then stops the informers. */
  stop(): Promise<void>
  /** True while this process may write for that loop: it runs here, and nobody else can have taken over. */
  leads(controllerName: string): boolean
  /** Keys that wait or are being handled, over all loops. */
  pending(): number
}

export function createManager(options: ManagerOptions): Manager {
  return new ControllerManager(options)
}

interface Member {
  controller: Controller
  run: RunningController | undefined
  /** Ends the running loop; awaited one after the other, so that a loop never runs twice in one process. */
  ended: Promise<void>
  gate: { stop(): Promise<void> } | undefined
  fence: Fence | undefined
}

class ControllerManager implements Manager {
  readonly #members: Member[] = []
  readonly #metrics: RuntimeMetrics
  #started = false

  constructor(private readonly options: ManagerOptions) {
    this.#metrics = options.metrics ?? noMetrics
  }

  add(controller: Controller): void {
    if (this.#members.some((member) => member.controller.name === controller.name)) {
      throw new Error(`two controllers are named "${controller.name}"`)
    }
    const member: Member = { controller, run: undefined, ended: Promise.resolve(), gate: undefined, fence: undefined }
    this.#members.push(member)
    if (this.#started) this.#launch(member)
  }

  async start(): Promise<void> {
    this.#started = true
    const { informers } = this.options
    // Asked for before the first loop starts, so that all kinds are copied at the same time.
    for (const { controller } of this.#members) {
      const kinds = [...controller.watches.map((spec) => spec.kind), ...(controller.reads ?? [])]
      for (const kind of kinds) informers.of(kind)
    }
    for (const member of this.#members) this.#launch(member)
    await informers.whenSynced()
    await Promise.all(this.#members.map((member) => member.run?.started))
  }

  async resign(): Promise<void> {
    for (const member of this.#members.toReversed()) {
      await member.gate?.stop()
      await this.#end(member)
    }
  }

  async stop(): Promise<void> {
    await this.resign()
    await this.options.informers.stop()
  }

  leads(controllerName: string): boolean {
    const member = this.#members.find(({ controller }) => controller.name === controllerName)
    return member?.run !== undefined && (member.fence?.isHeld() ?? true)
  }

  pending(): number {
    return this.#members.reduce((sum, member) => sum + (member.run?.pending ?? 0), 0)
  }

  #launch(member: Member): void {
    const { gate } = this.options
    if (!gate) return this.#begin(member)
    member.gate = gate(member.controller.name, {
      onLead: (fence) => void member.ended.then(() => fence.isHeld() && this.#begin(member, fence)),
      onLost: () => this.#end(member),
    })
  }

  #begin(member: Member, fence?: Fence): void {
    const { name } = member.controller
    this.options.log.debug({ controller: name, ...(fence && { term: fence.term }) }, 'started')
    this.#metrics.leading(name, true)
    member.fence = fence
    member.run = runController(member.controller, {
      ...this.options,
      ...(fence && { mayRun: () => fence.isHeld() }),
    })
  }

  #end(member: Member): Promise<void> {
    const { run } = member
    member.run = undefined
    if (run) {
      this.#metrics.leading(member.controller.name, false)
      member.ended = run.stop()
    }
    return member.ended
  }
}
