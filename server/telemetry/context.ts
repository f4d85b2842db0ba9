/** Which request or reconcile the code at hand works for: fields that every log line beneath carries. */
import { AsyncLocalStorage } from 'node:async_hooks'

/** Ids only: whatever is here is printed with every line. */
export interface LogContext {
  /** Of one HTTP request or one live connection; also answered as `X-Request-Id`. */
  requestId?: string
  /** Of one pass of a loop. */
  reconcileId?: string
  /** Of the trace that is recorded, when one is. */
  traceId?: string
}

const storage = new AsyncLocalStorage<LogContext>()

/** Runs `act`, and everything that it starts, with these fields added to those that it runs with already. */
export function withContext<T>(fields: LogContext, act: () => T): T {
  return storage.run({ ...storage.getStore(), ...fields }, act)
}

/** The fields at this place; empty outside of any request and reconcile. */
export function currentContext(): LogContext {
  return storage.getStore() ?? {}
}
