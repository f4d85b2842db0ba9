import type { Target } from '../api'

/** A server that was started for the suite. */
export interface RunningTarget extends Target {
  stop(): Promise<void>
}
