/** Log lines: JSON, or short readable lines at a terminal, both without secrets. */
import { Writable } from 'node:stream'
import { type LoggerOptions as PinoOptions, pino } from 'pino'
import type { Logger } from '@/server/runtime/controller'
import { currentContext } from './context'
import { REDACTED, secretPaths, withoutSecrets } from './redaction'

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent'

export interface LoggerOptions {
  /** Default: `info` as JSON, `warn` at a terminal. */
  level?: LogLevel
  /** Readable lines instead of JSON. Default: whether `destination` is a terminal. */
  pretty?: boolean
  /** Default: standard error; standard output is for the result of a command. */
  destination?: NodeJS.WritableStream & { isTTY?: boolean }
}

/** The logger of the process; its parts use `child` loggers. Lines have the IDs of their request or reconcile. */
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

/** Foreign text in a line must not start a new line, move the cursor, or reverse the text. */
const oneLine = (text: string): string =>
  text.replace(
    /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

interface LogLine {
  level: string
  time: number
  msg?: string
  err?: { message?: string }
  [field: string]: unknown
}
