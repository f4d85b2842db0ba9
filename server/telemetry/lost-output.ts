/**
 * Continues when the reader of standard output or standard error exits, as with `npm start | head` or a restarted log
 * collector. An unhandled error of these streams would end the process, or make the logging handler fail repeatedly.
 */
export function surviveLostOutput(streams: readonly NodeJS.WritableStream[]): void {
  // There is no place left to report it.
  for (const stream of streams) stream.on('error', () => undefined)
}
