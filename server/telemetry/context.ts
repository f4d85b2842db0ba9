/** The current request or reconcile: fields that are added to every log line below. */
import { AsyncLocalStorage } from 'node:async_hooks'

/** IDs only: all fields are printed with every line. */
export interface LogContext {
  /** Of one HTTP request or one live connection; also answered as `X-Request-Id`. */
  requestId?: string
  /** ID of one reconcile. */
  reconcileId?: string
  /** Of the trace that is recorded, when one is. */
  traceId?: string
}

const storage = new AsyncLocalStorage<LogContext>()

/** Runs `act`, and everything that it starts, with these additional fields. */
export function withContext<T>(fields: LogContext, act: () => T): T {
  return storage.run({ ...storage.getStore(), ...fields }, act)
}

/** The current fields; empty outside of requests and reconciles. */
export function currentContext(): LogContext {
  return storage.getStore() ?? {}
}
