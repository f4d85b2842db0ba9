/** A value over time that changes in steps. */
import type { EpochMs } from '@/lib/std/clock'
import { countWhile } from '@/lib/std/search'

/** Times are ascending; a value is valid from its time on. */
export class Steps<T> {
  readonly times: EpochMs[] = []
  readonly values: T[] = []

  /** A later change at the same time replaces the earlier one. */
  push(at: EpochMs, value: T): void {
    const last = this.times.length - 1
    if (last >= 0 && this.times[last] === at) this.values[last] = value
    else if (this.values[last] !== value) {
      this.times.push(at)
      this.values.push(value)
    }
  }

  /** Returns undefined before the first step. */
  at(time: EpochMs): T | undefined {
    return this.values[this.indexAt(time)]
  }

  last(): T | undefined {
    return this.values.at(-1)
  }

  /** Returns the index of the step that is valid at that time; -1 before the first. */
  indexAt(time: EpochMs): number {
    return countWhile(this.times.length, (index) => this.times[index]! <= time) - 1
  }
}
