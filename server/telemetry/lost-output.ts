/**
 * Goes on when the reader of standard output or standard error is gone, as with `npm start | head` or a log collector that
 * was restarted. An unhandled error of these streams ends the process, or makes the handler that logs it fail again without end.
 */
export function surviveLostOutput(streams: readonly NodeJS.WritableStream[]): void {
  // There is no place left to report it.
  for (const stream of streams) stream.on('error', () => undefined)
}
