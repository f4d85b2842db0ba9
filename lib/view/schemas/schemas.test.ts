import { expectTypeOf, test } from 'vitest'
import type { z } from 'zod'
import type { JournalEntry } from '../journal'
import type { journalEntrySchema } from './failover'

test('the schema of journal entries accepts exactly the entries of the journal', () => {
  expectTypeOf<z.infer<typeof journalEntrySchema>>().toExtend<JournalEntry>()
  expectTypeOf<JournalEntry>().toExtend<z.infer<typeof journalEntrySchema>>()
})
