/** Lines in memory: for a console that was given no directory. They end with the process. */
import { parseTime } from '@/lib/std/clock'
import { parseJournalLine } from '@/lib/view/journal'
import type { JournalStorage } from './journal-files'

/** About 25 MB. */
const MOST_LINES = 100_000

/** The latest lines; older ones are forgotten. */
export function journalInMemory(mostLines: number = MOST_LINES): JournalStorage {
  let lines: string[] = []
  return {
    lastAlive: undefined,
    begunAt: () => {
      const first = lines[0] === undefined ? undefined : parseJournalLine(lines[0])
      return first && parseTime(first.at)
    },
    append: (line) => {
      lines.push(line)
      // Forgotten in large steps, for each step copies what stays.
      if (lines.length > 1.25 * mostLines) lines = lines.slice(-mostLines)
    },
    async *read() {
      yield* lines.slice()
    },
    close: () => Promise.resolve(),
  }
}
