/** Records: the journal of observed changes, and the audit log of user actions. */
import {
  type AuditLog,
  claimDirectory,
  type Journal,
  openAuditLog,
  openAuditSink,
  openJournal,
  openJournalFiles,
} from '@/server/bff'
import type { SharedStore } from '@/server/bff/shared/store'
import { createEventRecorder } from '@/server/kube/events'
import type { Composition } from './composition'

/** In memory without a directory; instances do not share it. */
export async function openJournalFor({ config, parts: { clock, log }, stops }: Composition): Promise<Journal> {
  const { journalDir, journalRetentionMs: ageMs } = config
  const keep = async (opening: Promise<Journal>): Promise<Journal> => {
    const journal = await opening
    stops.unshift(() => journal.close())
    return journal
  }
  if (journalDir === undefined) return keep(openJournal({ clock }))
  const { path: directory } = await claimDirectory(journalDir, 'journal')
  if (directory !== journalDir) {
    log.info({ directory }, 'another instance keeps its journal in that directory; this one has its own below')
  }
  const onError = (error: unknown): void => log.error({ err: error, directory }, 'could not write the journal')
  const onDamage = (lines: number): void => log.warn({ lines, directory }, 'passed over damaged lines of the journal')
  const storage = await openJournalFiles({ directory, clock, retention: { ageMs }, onError })
  return keep(openJournal({ clock, storage, onDamage }))
}

/** Rejects if the file cannot be opened: no action runs without a record. */
export async function openAudit({ config, parts, stops }: Composition, store: SharedStore): Promise<AuditLog> {
  const { client, clock, log, random, metrics } = parts
  const target = config.auditLog
  const onError = (error: unknown): void => {
    metrics.auditFailed('file')
    log.error({ err: error, target }, 'could not write the audit log')
  }
  // Separate from the events of controllers: a flood of those must not displace user actions. Losses are counted.
  const events = createEventRecorder({
    client,
    clock,
    random,
    onError: (error) => {
      metrics.auditFailed('event')
      log.error({ err: error }, 'could not write an Event about an action')
    },
  })
  const sink = await openAuditSink({ target, clock, onError })
  const audit = await openAuditLog({ sink, clock, log, random, events, store })
  stops.unshift(() => audit.close())
  return audit
}
