/** The other side of the thread that writes a store's file: one question at a time. */
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads'
import { workerFile } from '@/server/files/worker-file'
import type { LogBatch } from './log'
import type { WorkerAnswer, WorkerData } from './sqlite-worker'

/** The thread has ended; nothing can be written any more. */
export class StoreThreadEnded extends Error {
  override readonly name = 'StoreThreadEnded'
  constructor(file: string, reason: string) {
    super(`the thread that writes the data file ${file} has ended (${reason}): restart the server`)
  }
}

export class SqliteThread {
  readonly #worker: Worker
  readonly #port: MessagePort
  #question: PromiseWithResolvers<WorkerAnswer> | undefined
  #ended: StoreThreadEnded | undefined

  private constructor(data: Omit<WorkerData, 'port'>) {
    const { port1, port2 } = new MessageChannel()
    this.#port = port1
    this.#worker = new Worker(workerFile(new URL('./sqlite-worker.ts', import.meta.url)), {
      workerData: { ...data, port: port2 } satisfies WorkerData,
      transferList: [port2],
      execArgv: [],
      env: {},
    })
    this.#port.on('message', (answer: WorkerAnswer) => this.#settle()?.resolve(answer))
    this.#worker.on('error', (error: Error) => this.#end(data.file, error.message))
    this.#worker.on('exit', (code) => this.#end(data.file, `exit code ${code}`))
    this.#worker.unref()
  }

  /** Opens the file for exclusive use. The thread is of use only if the answer is `open`. */
  static async open(data: Omit<WorkerData, 'port'>): Promise<{ thread: SqliteThread; answer: WorkerAnswer }> {
    const thread = new SqliteThread(data)
    const answer = await thread.#ask(undefined)
    if (answer !== 'open') await thread.#worker.terminate()
    return { thread, answer }
  }

  commit(batch: LogBatch): Promise<WorkerAnswer> {
    return this.#ask(batch)
  }

  async close(): Promise<void> {
    if (!this.#ended) await this.#ask('close')
    await this.#worker.terminate()
  }

  /** The process stays alive until the answer is there. Rejects once the thread has ended. */
  #ask(question: LogBatch | 'close' | undefined): Promise<WorkerAnswer> {
    if (this.#ended) return Promise.reject(this.#ended)
    const port = this.#port
    this.#question = Promise.withResolvers<WorkerAnswer>()
    port.ref()
    if (question !== undefined) port.postMessage(question)
    return this.#question.promise
  }

  #settle(): PromiseWithResolvers<WorkerAnswer> | undefined {
    const question = this.#question
    this.#question = undefined
    this.#port.unref()
    return question
  }

  #end(file: string, reason: string): void {
    this.#ended ??= new StoreThreadEnded(file, reason)
    this.#settle()?.reject(this.#ended)
    this.#port.close()
  }
}
