/** Every request has an id: in its answer, in the log, in the audit log and in problems. */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

const PLAIN = /^[\w.:-]{8,128}$/

/** The id that the sender chose, where it cannot break a header or a log line; else a new one. */
export function requestIdOf({ headers }: IncomingMessage): string {
  const given = headers['x-request-id']
  return typeof given === 'string' && PLAIN.test(given) ? given : randomUUID()
}
