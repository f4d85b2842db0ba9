/**
 * How often rows and pages with many targets are sent: each message is written, compressed, read and shown as a whole.
 * Undefined: as often as other topics.
 */

/** A page has about half a kilobyte of each target. */
const MS_PER_TARGET = 0.1
/** A row has its ID, and the move of one that is in progress: less than half of that. But all targets are summed up for it. */
const MS_PER_TARGET_OF_ROW = 0.05
/** Up to here the default interval of the stream is long enough. */
const SMALL_MS = 50

/** Returns the minimum time between two messages with a page of that many targets. */
export const pageIntervalMs = (targets: number): number | undefined => longInterval(MS_PER_TARGET * targets)

/** Returns the same for a row. */
export const rowIntervalMs = (targets: number): number | undefined => longInterval(MS_PER_TARGET_OF_ROW * targets)

const longInterval = (ms: number): number | undefined => (ms > SMALL_MS ? ms : undefined)
