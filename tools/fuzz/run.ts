/** A run of the fuzzer: targets in turn, sequences from the seed, findings with the steps that show them. */
import { seededRng } from '@/lib/std/rng'
import { corpus } from './corpus'
import { type Complaint, type Finding, keyOf, shortened } from './finding'
import type { Measure } from './measure'
import { minimise } from './minimise'
import { seedOf } from './seed'
import { type Limits, play } from './play'
import { Subject } from './subject'
import type { Sequence, Target } from './target'

export interface FuzzOptions {
  targets: readonly Target[]
  seconds: number
  seed: number
  /** Play this sequence only. */
  sequence?: number
  /** Begin with the sequences that found something before. Default true. */
  corpus?: boolean
  limits?: Partial<Limits>
  /** Told of each finding when it is made, and of each target that begins. */
  say?: (line: string) => void
}

export interface TargetFigures {
  sequences: number
  requests: number
  seconds: number
  worstDelayMs: number
  findings: number
}

export interface FuzzReport {
  seed: number
  seconds: number
  sequences: number
  requests: number
  restarts: number
  worst: { delayMs: number; heapMiB: number; residentMiB: number; descriptors: number }
  limits: Limits
  targets: Record<string, TargetFigures>
  findings: Finding[]
  /** Seen once and not again when the same was repeated: what depends on time, on a machine that had other work. */
  unconfirmed: Finding[]
}

/** Findings that may be caused by the machine if they are not reproducible. */
const DEPENDS_ON_TIME = new Set(['resource', 'progress', 'stream', 'answer', 'queue'])

const DEFAULT_LIMITS: Limits = { delayMs: 500, heapMiB: 1024, descriptors: 400 }
/** After this long the process is killed and must start again from its data. */
const RESTART_EVERY_MS = 60_000
const MINIMISE_MS = 90_000
/** After this many findings of a target the rest is skipped, because they would be the same. */
const ENOUGH = 12

/** Runs until the time is over. Rejects when the product cannot be started at all. */
export async function fuzz(options: FuzzOptions): Promise<FuzzReport> {
  const run = new Run(options)
  return run.all()
}

class Run {
  readonly #limits: Limits
  readonly #findings = new Map<string, Finding>()
  readonly #unconfirmed: Finding[] = []
  readonly #figures: Record<string, TargetFigures> = {}
  readonly #worst = { delayMs: 0, heapMiB: 0, residentMiB: 0, descriptors: 0 }
  /** The start of the product is not counted. */
  #began = 0
  #subject!: Subject
  #restarts = 0
  #restartedAt = 0
  /** Names of the sequences since the last start, for what only a restart shows. */
  #since: { target: Target; index: number; sequence: Sequence }[] = []

  constructor(private readonly options: FuzzOptions) {
    this.#limits = { ...DEFAULT_LIMITS, ...options.limits }
  }

  async all(): Promise<FuzzReport> {
    const { targets, seconds, seed } = this.options
    this.#subject = await Subject.start()
    this.#began = this.#restartedAt = performance.now()
    try {
      for (const [index, target] of targets.entries()) {
        const left = seconds * 1000 - (performance.now() - this.#began)
        await this.#target(target, performance.now() + Math.max(0, left) / (targets.length - index))
      }
      await this.#restart()
    } finally {
      await this.#subject.stop()
    }
    const sum = (read: (figures: TargetFigures) => number): number =>
      Object.values(this.#figures).reduce((total, figures) => total + read(figures), 0)
    return {
      seed,
      seconds: Math.round((performance.now() - this.#began) / 1000),
      sequences: sum((each) => each.sequences),
      requests: sum((each) => each.requests),
      restarts: this.#restarts,
      worst: this.#worst,
      limits: this.#limits,
      targets: this.#figures,
      findings: [...this.#findings.values()],
      unconfirmed: this.#unconfirmed,
    }
  }

  async #target(target: Target, until: number): Promise<void> {
    const { seed, sequence: only, say, corpus: withCorpus = true } = this.options
    say?.(`${target.name} begins`)
    const figures: TargetFigures = { sequences: 0, requests: 0, seconds: 0, worstDelayMs: 0, findings: 0 }
    this.#figures[target.name] = figures
    const began = performance.now()
    const known = withCorpus && only === undefined ? corpus.filter((entry) => entry.target === target.name) : []
    for (const [at, entry] of known.entries()) await this.#one(target, -1 - at, entry.make(`fz-${target.name}-c${at}`))
    // One at least, however long the corpus took.
    const first = only ?? 0
    const goesOn = (index: number): boolean =>
      performance.now() < until || (index === first && this.options.seconds > 0)
    for (let index = first; goesOn(index) && figures.findings < ENOUGH; index++) {
      await this.#one(
        target,
        index,
        target.generate(seededRng(seedOf(seed, target.name, index)), `fz-${target.name}-${index}`),
      )
      if (performance.now() - this.#restartedAt > RESTART_EVERY_MS) await this.#restart()
      if (only !== undefined) break
    }
    figures.seconds = Math.round((performance.now() - began) / 1000)
  }

  async #one(target: Target, index: number, sequence: Sequence): Promise<void> {
    const figures = this.#figures[target.name] as TargetFigures
    const requests = this.#subject.requests
    this.#since.push({ target, index, sequence })
    const { complaints, measure, alive } = await play(this.#subject, { target, sequence, limits: this.#limits })
    figures.sequences += 1
    figures.requests += this.#subject.requests - requests
    if (measure) this.#note(figures, measure)
    for (const complaint of complaints) await this.#found({ target, index, sequence, complaint })
    if (!alive) await this.#revive({ target, index, sequence })
  }

  #note(figures: TargetFigures, { delayMs, heapMiB, residentMiB, descriptors }: Measure): void {
    figures.worstDelayMs = Math.max(figures.worstDelayMs, Math.round(delayMs))
    this.#worst.delayMs = Math.max(this.#worst.delayMs, Math.round(delayMs))
    this.#worst.heapMiB = Math.max(this.#worst.heapMiB, heapMiB)
    this.#worst.residentMiB = Math.max(this.#worst.residentMiB, residentMiB)
    this.#worst.descriptors = Math.max(this.#worst.descriptors, descriptors)
  }

  async #found(at: { target: Target; index: number; sequence: Sequence; complaint: Complaint }): Promise<void> {
    const { target, index, complaint } = at
    const key = keyOf(target.name, complaint)
    const known = this.#findings.get(key)
    if (known) {
      known.times += 1
      return
    }
    const figures = this.#figures[target.name] as TargetFigures
    const left = this.options.seconds * 1000 - (performance.now() - this.#began)
    const budgetMs = Math.min(MINIMISE_MS, Math.max(0, left / 4))
    // A product that does not start for the repetition must not cost the run what it found.
    const { confirmed, steps } = await minimise({ ...at, limits: this.#limits, budgetMs }).catch((error: unknown) => {
      this.options.say?.(`not repeated: ${String(error).slice(0, 300)}`)
      return { confirmed: false, steps: at.sequence.steps }
    })
    const finding: Finding = {
      ...complaint,
      target: target.name,
      sequence: index,
      times: 1,
      confirmed,
      command: this.#commandFor(target, index),
      reproduction: steps.map(shortened),
    }
    if (!confirmed && DEPENDS_ON_TIME.has(complaint.oracle)) return void this.#unconfirmed.push(finding)
    figures.findings += 1
    this.#findings.set(key, finding)
    this.options.say?.(`FOUND ${JSON.stringify(finding)}`)
  }

  #commandFor(target: Target, index: number): string {
    const which = index < 0 ? `--corpus-only` : `--sequence ${index}`
    return `npm run fuzz -- ${target.name} --seed ${this.options.seed} ${which}`
  }

  /** After a crash: the same data must be served again. */
  async #revive(at: { target: Target; index: number; sequence: Sequence }): Promise<void> {
    if (!(await this.#restart(at))) return
    this.#since = []
  }

  /** False if the product did not start with its data; it then continues with new data. */
  async #restart(at = this.#since.at(-1)): Promise<boolean> {
    this.#restarts += 1
    this.#restartedAt = performance.now()
    const complaint = await startsAgain(this.#subject)
    if (complaint === undefined) {
      this.#since = []
      return true
    }
    const since = this.#since.map(({ sequence: { name } }) => name).join(', ')
    if (at) {
      const { target, index, sequence } = at
      const what = `${complaint}; sequences since the last start: ${since}`
      const finding: Finding = {
        oracle: 'restart',
        what,
        target: target.name,
        sequence: index,
        times: 1,
        confirmed: true,
        command: this.#commandFor(target, index),
        reproduction: sequence.steps.map(shortened),
      }
      this.#findings.set(`restart ${target.name} ${index}`, finding)
      this.options.say?.(`FOUND ${JSON.stringify(finding)}`)
    }
    await this.#subject.renew()
    this.#since = []
    return false
  }
}

/** Two starts from the same data: one that only takes too long on a busy machine does not fail twice. */
async function startsAgain(subject: Subject): Promise<string | undefined> {
  try {
    await subject.restart().catch(() => subject.restart())
    return undefined
  } catch (error) {
    return `it does not start again: ${String(error).slice(-1500)}`
  }
}
