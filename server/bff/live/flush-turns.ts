/** Runs what is due for many sockets: one timer for all of the same time, in turns that leave room for other work. */
import type { Clock, Stop } from '@/lib/std/clock'

/**
 * After this time the event loop continues. Long enough for a thousand sockets: a topic that changes within the writes of
 * one time needs a delta for each of its revisions, and readers at different revisions need more of them next time.
 */
const TURN_MS = 100

interface Due {
  tasks: Set<() => void>
  stop: Stop
}

export class FlushTurns {
  readonly #clock: Clock
  readonly #onTurn: (lateMs: number) => void
  readonly #due = new Map<number, Due>()
  /** Tasks whose time has come, in order, with that time. */
  readonly #ready = new Map<() => void, number>()
  #isRunning = false

  /** `onTurn` gets how late the last task of each turn was. */
  constructor(clock: Clock, onTurn: (lateMs: number) => void) {
    this.#clock = clock
    this.#onTurn = onTurn
  }

  /** Runs the task at that elapsed time, or as soon as possible when it is past. */
  at(time: number, task: () => void): Stop {
    const due = this.#due.get(time) ?? this.#open(time)
    due.tasks.add(task)
    return () => {
      this.#ready.delete(task)
      if (due.tasks.delete(task) && due.tasks.size === 0) this.#close(time, due)
    }
  }

  #open(time: number): Due {
    const tasks = new Set<() => void>()
    const onTime = (): void => {
      this.#due.delete(time)
      for (const task of tasks) this.#ready.set(task, time)
      tasks.clear()
      if (!this.#isRunning) this.#run()
    }
    const due = { tasks, stop: this.#clock.after(time - this.#clock.elapsed(), onTime) }
    this.#due.set(time, due)
    return due
  }

  #close(time: number, due: Due): void {
    due.stop()
    this.#due.delete(time)
  }

  #run(): void {
    this.#isRunning = true
    try {
      this.#takeTurn()
    } finally {
      this.#isRunning = this.#ready.size > 0
      if (this.#isRunning) this.#clock.after(0, () => this.#run())
    }
  }

  #takeTurn(): void {
    const until = this.#clock.elapsed() + TURN_MS
    for (const [task, time] of this.#ready) {
      this.#ready.delete(task)
      task()
      const now = this.#clock.elapsed()
      if (now < until && this.#ready.size > 0) continue
      return this.#onTurn(now - time)
    }
  }
}
