/** Records: the journal of observed changes, and the audit log of user actions. */
import { join } from 'node:path'
import {
  type AuditLog,
  claimDirectory,
  type Journal,
  openAuditLog,
  openAuditSink,
  openJournal,
  openJournalFiles,
} from '@/server/bff'
import type { JournalPlace } from '@/server/config/config'
import type { SharedStore } from '@/server/bff/shared/store'
import { createEventRecorder } from '@/server/kube/events'
import type { Logger } from '@/server/runtime/controller'
import type { Composition } from './composition'

/** The journal and its directory, which instances do not share. */
export interface KeptJournal {
  journal: Journal
  /** Absent: the journal is in memory. */
  directory?: string
}

/** Rejects if the configured directory cannot be used. */
export async function openJournalFor(composition: Composition, controlPlane: string): Promise<KeptJournal> {
  const { config, parts, stops } = composition
  const directory = await directoryOf(config.journal, { controlPlane, log: parts.log })
  const journal = await (directory === undefined
    ? openJournal({ clock: parts.clock })
    : openIn(directory, parts, config.journalRetentionMs))
  stops.unshift(() => journal.close())
  return { journal, ...(directory !== undefined && { directory }) }
}

async function openIn(directory: string, { clock, log }: Composition['parts'], ageMs: number): Promise<Journal> {
  const onError = (error: unknown): void => log.error({ err: error, directory }, 'failed to write the journal')
  const onDamage = (lines: number): void => log.warn({ lines, directory }, 'skipped damaged lines of the journal')
  const storage = await openJournalFiles({ directory, clock, retention: { ageMs }, onError })
  return openJournal({ clock, storage, onDamage })
}

async function directoryOf(
  place: JournalPlace,
  { controlPlane, log }: { controlPlane: string; log: Logger },
): Promise<string | undefined> {
  if (place.in === 'memory') return undefined
  const wanted = place.in === 'directory' ? place.path : join(place.below, controlPlane)
  try {
    const { path } = await claimDirectory(wanted, 'journal')
    if (path !== wanted)
      log.info({ directory: path }, 'journal directory is in use by another instance; using a subdirectory')
    return path
  } catch (error) {
    if (place.in === 'directory') throw error
    log.warn(
      { err: error, directory: wanted },
      'cannot use the journal directory; keeping the journal in memory (set --journal-dir to another directory)',
    )
    return undefined
  }
}

/** Rejects if the file cannot be opened, because no action may run without a record. */
export async function openAudit({ config, parts, stops }: Composition, store: SharedStore): Promise<AuditLog> {
  const { client, clock, log, random, metrics } = parts
  const target = config.auditLog
  const onError = (error: unknown): void => {
    metrics.auditFailed('file')
    log.error({ err: error, target }, 'failed to write the audit log')
  }
  // Separate from the recorder of controllers: a flood of their events must not displace events about user actions.
  // Dropped events are counted.
  const events = createEventRecorder({
    client,
    clock,
    random,
    onError: (error) => {
      metrics.auditFailed('event')
      log.error({ err: error }, 'failed to write an Event for an action')
    },
  })
  const sink = await openAuditSink({ target, clock, onError })
  const audit = await openAuditLog({ sink, clock, log, random, events, store })
  stops.unshift(() => audit.close())
  return audit
}
