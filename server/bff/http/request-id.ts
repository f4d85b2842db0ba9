/** Every request has an id, which appears in the answer, the log, the audit log and problems. */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

const PLAIN = /^[\w.:-]{8,128}$/

/** Returns the id that the sender chose if it is safe in headers and log lines; else a new one. */
export function requestIdOf({ headers }: IncomingMessage): string {
  const given = headers['x-request-id']
  return typeof given === 'string' && PLAIN.test(given) ? given : randomUUID()
}
