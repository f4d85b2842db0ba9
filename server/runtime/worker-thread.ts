/** Starts worker threads for computations that would block requests. */
import { type MessagePort, Worker } from 'node:worker_threads'
import { workerFile } from '@/server/files/worker-file'

export interface WorkerOptions {
  /** Transferred to the worker, which reads it from `workerData`. */
  port: MessagePort
  /** A worker that exceeds this limit ends with `ERR_WORKER_OUT_OF_MEMORY`. */
  heapMb: number
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
