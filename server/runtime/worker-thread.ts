/** Worker threads for computations that would hold up requests. The build makes a file of each worker beside the server's. */
import { existsSync } from 'node:fs'
import { type MessagePort, Worker } from 'node:worker_threads'

export interface WorkerOptions {
  /** Transferred; the worker finds it in its `workerData`. */
  port: MessagePort
  /** A worker that needs more ends with `ERR_WORKER_OUT_OF_MEMORY`. */
  heapMb: number
}

/** Starts `source`, a TypeScript file beside the caller's, or in a build the file that was made from it. */
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
