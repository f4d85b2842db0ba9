/** Log lines: JSON for machines, short sentences for a person at a terminal. Secrets are in neither. */
import { Writable } from 'node:stream'
import { type LoggerOptions as PinoOptions, pino } from 'pino'
import type { Logger } from '@/server/runtime/controller'
import { currentContext } from './context'
import { REDACTED, secretPaths, withoutSecrets } from './redaction'

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent'

export interface LoggerOptions {
  /** Default: `info` as JSON, `warn` at a terminal, where the console itself is what people look at. */
  level?: LogLevel
  /** Sentences instead of JSON. Default: whether `destination` is a terminal. */
  pretty?: boolean
  /** Default: standard error, so that standard output stays for what the user asked for. */
  destination?: NodeJS.WritableStream & { isTTY?: boolean }
}

/**
 * A logger for the whole process; parts of it take `child`ren. Lines carry the ids of the request or reconcile that
 * they belong to.
 */
export function createLogger(options: LoggerOptions = {}): Logger {
  const destination = options.destination ?? process.stderr
  const pretty = options.pretty ?? destination.isTTY === true
  const level = options.level ?? (pretty ? 'warn' : 'info')
  const settings: PinoOptions = {
    level,
    base: null,
    formatters: { level: (label) => ({ level: label }) },
    mixin: () => ({ ...currentContext() }),
    redact: { paths: [...secretPaths], censor: REDACTED },
    hooks: { streamWrite: withoutSecrets },
  }
  return pino(settings, pretty ? sentences(destination) : destination)
}

/** Turns pino's JSON lines into `12:00:01 WARN  message key=value`. */
function sentences(destination: NodeJS.WritableStream): Writable {
  return new Writable({
    write(chunk: Buffer, _encoding, callback) {
      const { level, time, msg, err, ...fields } = JSON.parse(chunk.toString()) as LogLine
      const shown = (value: unknown): string => oneLine(typeof value === 'string' ? value : JSON.stringify(value))
      const details = Object.entries(fields).map(([name, value]) => ` ${name}=${shown(value)}`)
      const cause = err?.message ? `: ${oneLine(err.message)}` : ''
      const clock = new Date(time).toISOString().slice(11, 19)
      destination.write(`${clock} ${level.toUpperCase().padEnd(5)} ${oneLine(msg ?? '')}${cause}${details.join('')}\n`)
      callback()
    },
  })
}

/** What others say in a line must not begin one of its own, move the cursor, or turn the text around. */
const oneLine = (text: string): string => text.replace(
  /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
)

interface LogLine {
  level: string
  time: number
  msg?: string
  err?: { message?: string }
  [field: string]: unknown
}
