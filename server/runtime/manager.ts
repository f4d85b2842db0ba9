/** Runs several controllers over one set of informers, each with leader election if configured. */
import type { Clock } from '@/lib/std/clock'
import type { Informers } from '@/server/kube/informer'
import type { EventRecorder } from '@/server/kube/events'
import type { Fence, LeadershipCallbacks } from '@/server/kube/leases'
import type { Spans } from '@/server/telemetry/spans'
import type { Controller, Logger } from './controller'
import { noMetrics, type RuntimeMetrics } from './metrics-hooks'
import type { FailureTracker } from './failure-tracker'
import type { Turns } from './turns'
import { runController, type RunningController } from './run-controller'

/** Lets one of several processes run a controller, for instance by `startElection`. */
export type StartElection = (controllerName: string, callbacks: LeadershipCallbacks) => { stop(): Promise<void> }

export interface ManagerOptions {
  informers: Informers
  clock: Clock
  log: Logger
  metrics?: RuntimeMetrics
  spans?: Spans
  failureTracker?: FailureTracker
  /** Records events on objects whose reconcile fails. */
  events?: EventRecorder
  turns?: Turns
  /** Absent: every controller runs in this process. */
  startElection?: StartElection
}

export interface Manager {
  /** Registers a controller; after `start` it starts immediately. Names must be unique. */
  add(controller: Controller): void
  /** Resolves when every informer has synced and every permitted controller has started. */
  start(): Promise<void>
  /**
   * Stops the controllers in reverse order, waits for running reconciles, and releases leases. Informers keep running.
   */
  stopControllers(): Promise<void>
  /** Releases leadership, then stops the informers. */
  stop(): Promise<void>
  /**
   * Returns true while this process may write for that controller: it runs here, and no other process can be the
   * leader.
   */
  leads(controllerName: string): boolean
  /** Keys queued or being reconciled, over all controllers. */
  pending(): number
}

export function createManager(options: ManagerOptions): Manager {
  return new ControllerManager(options)
}

interface Member {
  controller: Controller
  run: RunningController | undefined
  /**
   * Resolves when the controller has stopped. Runs are chained, so that a controller never runs twice in one process.
   */
  ended: Promise<void>
  election: { stop(): Promise<void> } | undefined
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
    const member: Member = {
      controller,
      run: undefined,
      ended: Promise.resolve(),
      election: undefined,
      fence: undefined,
    }
    this.#members.push(member)
    if (this.#started) this.#launch(member)
  }

  async start(): Promise<void> {
    this.#started = true
    const { informers } = this.options
    // Requested before the first controller starts, so that all caches sync concurrently.
    for (const { controller } of this.#members) {
      const kinds = [...controller.watches.map((spec) => spec.kind), ...(controller.reads ?? [])]
      for (const kind of kinds) informers.of(kind)
    }
    for (const member of this.#members) this.#launch(member)
    await informers.whenSynced()
    await Promise.all(this.#members.map((member) => member.run?.started))
  }

  async stopControllers(): Promise<void> {
    for (const member of this.#members.toReversed()) {
      await member.election?.stop()
      await this.#end(member)
    }
  }

  async stop(): Promise<void> {
    await this.stopControllers()
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
    const { startElection } = this.options
    if (!startElection) return this.#begin(member)
    member.election = startElection(member.controller.name, {
      onLead: (fence) => void member.ended.then(() => fence.isHeld() && this.#begin(member, fence)),
      onLost: () => this.#end(member),
    })
  }

  #begin(member: Member, fence?: Fence): void {
    const { name } = member.controller
    this.options.log.debug({ controller: name, ...(fence && { term: fence.term }) }, 'started')
    this.#metrics.leading(name, true)
    member.fence = fence
    member.run = runController(member.controller, { ...this.options, ...(fence && { mayRun: () => fence.isHeld() }) })
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
