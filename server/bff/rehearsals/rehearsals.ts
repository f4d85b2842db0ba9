/** The rehearsals of this instance: one running, a few pending, and the latest results. See README.md. */
import type { Scenario } from '@/lib/domain/rehearsal/scenario'
import { message, type Message } from '@/lib/messages/message'
import { type Clock, type EpochMs, isoTime } from '@/lib/std/clock'
import type {
  RehearsalDetailView,
  RehearsalRecordingView,
  RehearsalResultView,
  RehearsalView,
} from '@/lib/view/rehearsal-model'
import type { KubeClient } from '@/server/kube/client'
import type { Logger } from '@/server/runtime/controller'

type Progress = NonNullable<RehearsalView['progress']>

export interface RehearsalOrder {
  scenario: Scenario
  /** Reads as the user: objects that the user may not read are not copied. */
  client: KubeClient
  /** Where namespaced kinds are read when they may not be listed in all namespaces. */
  namespaces: readonly string[]
  /** Aborts the run. */
  signal: AbortSignal
  onProgress(progress: Omit<Progress, 'stepsDone'>): void
}

/** `worst` is part of the summary of a run, so that lists can show it. */
export type RehearsalOutcome =
  | { result: RehearsalResultView; recording: RehearsalRecordingView; worst: RehearsalView['worst'] }
  | { problems: readonly Message[] }

/**
 * Copies what the client may read and runs the scenario on the copy, outside this thread. Rejects only for defects.
 */
export type RunRehearsal = (order: RehearsalOrder) => Promise<RehearsalOutcome>

/** Limits by the memory of a rehearsal. */
export interface RehearsalLimits {
  workloads: number
  replicas: number
}

/** Limit of finished rehearsals; beyond it the oldest are deleted. */
export const MAX_KEPT = 20
export const MAX_WAITING = 3
/** Limit for one user, running and pending. */
export const MAX_OF_USER = 2
export const WALL_LIMIT_MS = 10 * 60_000

/** The objects that the user may read. A run is shown while these still include all its inputs. */
export interface ReadableScope {
  everything: boolean
  namespaces: readonly string[]
}

export interface NewRehearsal {
  scenario: Scenario
  text: string
  owner: string
  reach: ReadableScope
  client: KubeClient
}

interface Run extends NewRehearsal {
  id: string
  createdAt: EpochMs
  startedAt?: EpochMs
  finishedAt?: EpochMs
  state: RehearsalView['state']
  progress?: Progress
  outcome?: RehearsalOutcome
  stop: AbortController
}

interface RehearsalsDeps {
  run: RunRehearsal
  clock: Clock
  /** Uniform in [0, 1). */
  random: () => number
  log: Logger
}

/** Why a rehearsal was not accepted. */
export type Refused = 'full' | 'tooManyOfUser'

export class Rehearsals {
  /** Oldest first. */
  readonly #runs: Run[] = []
  #isClosed = false

  constructor(private readonly deps: RehearsalsDeps) {}

  start(given: NewRehearsal): RehearsalView | Refused {
    const open = this.#runs.filter(isOpen)
    if (open.filter(({ owner }) => owner === given.owner).length >= MAX_OF_USER) return 'tooManyOfUser'
    if (open.length > MAX_WAITING) return 'full'
    const { clock, random } = this.deps
    const run: Run = {
      ...given,
      id: `${clock.now().toString(36)}${Math.floor(random() * 36 ** 6).toString(36)}`,
      createdAt: clock.now(),
      state: 'waiting',
      stop: new AbortController(),
    }
    this.#runs.push(run)
    this.#next()
    return this.#view(run)
  }

  /** Returns the runs, newest first; `mayRead` decides by what the user may read now. */
  list(owner: string, mayRead: (reach: ReadableScope) => boolean): RehearsalView[] {
    return this.#of(owner, mayRead)
      .map((run) => this.#view(run))
      .toReversed()
  }

  detail(id: string, owner: string, mayRead: (reach: ReadableScope) => boolean): RehearsalDetailView | undefined {
    const run = this.#of(owner, mayRead).find((one) => one.id === id)
    if (!run) return undefined
    const { outcome } = run
    return {
      run: this.#view(run),
      scenario: run.text,
      ...(outcome && 'result' in outcome && { result: outcome.result }),
    }
  }

  /** Returns the incidents and plans of a completed rehearsal. */
  recording(id: string, owner: string, mayRead: (reach: ReadableScope) => boolean): RehearsalRecordingView | undefined {
    const outcome = this.#of(owner, mayRead).find((one) => one.id === id)?.outcome
    return outcome && 'result' in outcome ? outcome.recording : undefined
  }

  /** Cancels an open run, or deletes a finished one. Returns false if the user has no such run. */
  remove(id: string, owner: string): boolean {
    const run = this.#runs.find((one) => one.id === id && one.owner === owner)
    if (!run) return false
    if (isOpen(run)) this.#end(run, 'cancelled')
    else this.#runs.splice(this.#runs.indexOf(run), 1)
    return true
  }

  close(): void {
    this.#isClosed = true
    for (const run of this.#runs.filter(isOpen)) this.#end(run, 'cancelled')
  }

  #of(owner: string, mayRead: (reach: ReadableScope) => boolean): Run[] {
    return this.#runs.filter((run) => run.owner === owner && mayRead(run.reach))
  }

  #view(run: Run): RehearsalView {
    const { id, scenario, state, createdAt, startedAt, finishedAt, progress, outcome } = run
    const { name, description, durationMs, steps, assertions } = scenario
    const open = this.#runs.filter(isOpen)
    return {
      id,
      name,
      ...(description !== undefined && { description }),
      state,
      createdAt: isoTime(createdAt),
      ...(startedAt !== undefined && { startedAt: isoTime(startedAt) }),
      ...(finishedAt !== undefined && { finishedAt: isoTime(finishedAt) }),
      ...(state === 'waiting' && { ahead: open.indexOf(run) }),
      durationMs,
      steps: steps.length,
      assertions: assertions.length,
      ...(state === 'running' && progress && { progress }),
      ...(outcome && 'result' in outcome && summaryOf(outcome)),
      problems: outcome && 'problems' in outcome ? [...outcome.problems] : [],
    }
  }

  #next(): void {
    if (this.#isClosed || this.#runs.some(({ state }) => state === 'running')) return
    const run = this.#runs.find(({ state }) => state === 'waiting')
    if (run) void this.#perform(run)
  }

  async #perform(run: Run): Promise<void> {
    const { clock, log } = this.deps
    run.state = 'running'
    run.startedAt = clock.now()
    const { scenario, client, reach, stop } = run
    const limit = clock.after(WALL_LIMIT_MS, () =>
      this.#end(run, 'ended', { problems: [message('rehearsals.problem.tooSlow', { time: { ms: WALL_LIMIT_MS } })] }),
    )
    try {
      const outcome = await this.deps.run({
        scenario,
        client,
        namespaces: reach.everything ? [] : reach.namespaces,
        signal: stop.signal,
        onProgress: (progress) => note(run, progress),
      })
      this.#end(run, 'result' in outcome ? 'done' : 'ended', outcome)
    } catch (error) {
      if (!stop.signal.aborted) log.error({ err: error, scenario: scenario.name }, 'failed to run a rehearsal')
      this.#end(run, 'ended', { problems: [message('rehearsals.problem.failed')] })
    } finally {
      limit()
    }
  }

  /** Ends a run. Only the first call counts. */
  #end(run: Run, state: Run['state'], outcome?: RehearsalOutcome): void {
    if (!isOpen(run)) return
    run.state = state
    run.finishedAt = this.deps.clock.now()
    if (outcome) run.outcome = outcome
    run.stop.abort()
    const finished = this.#runs.filter((one) => !isOpen(one))
    for (const old of finished.slice(0, Math.max(0, finished.length - MAX_KEPT))) {
      this.#runs.splice(this.#runs.indexOf(old), 1)
    }
    this.#next()
  }
}

const isOpen = ({ state }: Run): boolean => state === 'waiting' || state === 'running'

function note(run: Run, progress: Omit<Progress, 'stepsDone'>): void {
  const { steps } = run.scenario
  const stepsDone = progress.phase === 'running' ? steps.filter(({ atMs }) => atMs < progress.atMs).length : 0
  run.progress = { ...progress, stepsDone }
}

function summaryOf({ result: { assertions }, worst }: Extract<RehearsalOutcome, { result: unknown }>) {
  const failing = assertions.filter(({ passed }) => !passed).length
  const unchecked = assertions.filter(({ passed, judged }) => passed && judged === 0).length
  const holding = assertions.length - failing - unchecked
  return { verdict: { passed: failing === 0, holding, failing, unchecked }, ...(worst && { worst }) }
}

/** What the endpoints require. */
export interface RehearsalParts {
  runs: Rehearsals
  limits: RehearsalLimits
}
