/** Files of worker threads. The build writes each to a file of its own beside the server's. */
import { existsSync } from 'node:fs'

/** Returns `source`, a TypeScript file beside the caller's, or the JavaScript file that a build made of it. */
export function workerFile(source: URL): URL {
  return existsSync(source) ? source : new URL(source.href.replace(/\.ts$/, '.js'))
}
