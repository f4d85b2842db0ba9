/** Lines in memory, for a console without a journal directory. They are lost with the process. */
import { parseTime } from '@/lib/std/clock'
import { parseJournalLine } from '@/lib/view/journal'
import type { JournalStorage } from './journal-files'

/** About 25 MB. */
const MAX_LINES = 100_000

/** Keeps the latest lines and drops older ones. */
export function journalInMemory(mostLines: number = MAX_LINES): JournalStorage {
  let lines: string[] = []
  return {
    lastAlive: undefined,
    begunAt: () => {
      const first = lines[0] === undefined ? undefined : parseJournalLine(lines[0])
      return first && parseTime(first.at)
    },
    append: (line) => {
      lines.push(line)
      // Dropped in large steps, because each step copies the remaining lines.
      if (lines.length > 1.25 * mostLines) lines = lines.slice(-mostLines)
    },
    async *read() {
      yield* lines.slice()
    },
    close: () => Promise.resolve(),
  }
}
