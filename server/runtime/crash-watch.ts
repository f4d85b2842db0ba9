/**
 * Collects evidence that the process broke by itself. Without it, a crash may have any reason (kill -9, power loss) and
 * says nothing about the object that was being reconciled. Active only while suspects are being reconciled.
 */
import { existsSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { CrashWatchData } from './crash-watch-worker'
import { workerFile } from '@/server/files/worker-file'

export interface CrashWatchOptions {
  folder: string
  /** Marks that an uncaught exception ends the process, or that it did not. Synchronous. */
  markException: (ends: boolean) => void
  /** What the worker thread needs to mark that the process is blocked or nearly out of memory. */
  marking: Pick<CrashWatchData, 'path' | 'mark'>
  /** Memory that the kernel grants to the process, in bytes; 0 if unknown. */
  memoryLimit: number
}

const BEAT_MS = 500
/** A thread is not started anew for each of several suspects. */
const IDLE_BEATS = 10
/** A share of the granted memory; the kernel may kill the process from there on. */
const ENDANGERED = 0.9
/** Written by Node itself when V8 gives up, for instance when the heap is exhausted. */
const FATAL_REPORT = 'fatal-error.json'

/** Returns whether V8 ended the previous process, and forgets it. */
export function takeFatalReport(folder: string): boolean {
  const path = join(folder, FATAL_REPORT)
  const isThere = existsSync(path)
  rmSync(path, { force: true })
  return isThere
}

export class CrashWatch {
  #suspects = 0
  #stop: (() => void) | undefined

  constructor(private readonly options: CrashWatchOptions) {}

  /** Call the returned function when the suspect was reconciled. */
  begin(): () => void {
    this.#suspects += 1
    this.#stop ??= this.#start()
    return () => void (this.#suspects -= 1)
  }

  stop(): void {
    this.#stop?.()
    this.#stop = undefined
  }

  #start(): () => void {
    const { marking, memoryLimit } = this.options
    const beats = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
    const workerData: CrashWatchData = { ...marking, beats, memoryLimit: memoryLimit * ENDANGERED || Infinity }
    const worker = new Worker(workerFile(new URL('./crash-watch-worker.ts', import.meta.url)), {
      workerData,
      execArgv: [],
      env: {},
    })
    worker.on('error', (error: Error) => process.emitWarning(error)).unref()
    let idleBeats = 0
    const beat = (): void => {
      Atomics.add(beats, 0, 1)
      Atomics.notify(beats, 0)
      idleBeats = this.#suspects === 0 ? idleBeats + 1 : 0
      if (idleBeats === IDLE_BEATS) this.stop()
    }
    const timer = setInterval(beat, BEAT_MS).unref()
    process.on('uncaughtExceptionMonitor', this.#onException)
    const stopReports = reportFatalErrors(this.options.folder)
    return () => {
      stopReports()
      process.off('uncaughtExceptionMonitor', this.#onException)
      clearInterval(timer)
      void worker.terminate()
    }
  }

  /** Another handler may catch the exception: then the process continues, and the mark is removed. */
  readonly #onException = (): void => {
    this.options.markException(true)
    setImmediate(() => {
      if (this.#stop) this.options.markException(false)
    })
  }
}

/**
 * A report of a fatal error contains the environment, and thus secrets, unless Node was started with
 * `--report-exclude-env`: the property that can be set later has no effect on it. So no report without that flag.
 */
function reportFatalErrors(folder: string): () => void {
  const { report } = process as { report?: NodeJS.ProcessReport & { excludeEnv?: boolean } }
  if (!report?.excludeEnv) return () => undefined
  const { directory, filename, reportOnFatalError } = report
  Object.assign(report, { directory: resolve(folder), filename: FATAL_REPORT, reportOnFatalError: true })
  return () => void Object.assign(report, { directory, filename, reportOnFatalError })
}
