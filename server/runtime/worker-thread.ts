/**
 * Starts worker threads for computations that would block requests. The build writes each worker to a separate file
 * beside the server's.
 */
import { existsSync } from 'node:fs'
import { type MessagePort, Worker } from 'node:worker_threads'

export interface WorkerOptions {
  /** Transferred to the worker, which reads it from `workerData`. */
  port: MessagePort
  /** A worker that exceeds this limit ends with `ERR_WORKER_OUT_OF_MEMORY`. */
  heapMb: number
}

/** Returns `source`, a TypeScript file beside the caller's, or the JavaScript file that a build made of it. */
export function workerFile(source: URL): URL {
  return existsSync(source) ? source : new URL(source.href.replace(/\.ts$/, '.js'))
}

/** Starts the worker of a source; see `workerFile`. Sources may import others of the project. */
export function startWorker(source: URL, { port, heapMb }: WorkerOptions): Worker {
  const file = workerFile(source)
  return new Worker(file, {
    workerData: { port },
    transferList: [port],
    execArgv: file === source ? ['--import', 'tsx'] : [],
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: heapMb },
  })
}
