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

/** Starts `source`, a TypeScript file beside the caller's, or the JavaScript file that a build made of it. */
export function startWorker(source: URL, { port, heapMb }: WorkerOptions): Worker {
  const isSource = existsSync(source)
  return new Worker(isSource ? source : new URL(source.href.replace(/\.ts$/, '.js')), {
    workerData: { port },
    transferList: [port],
    execArgv: isSource ? ['--import', 'tsx'] : [],
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: heapMb },
  })
}
