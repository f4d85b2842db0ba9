/**
 * YAML of requests and answers. It is read and written so slowly that a long text would hold up every other request: those
 * go to a thread of their own, which is ended when it takes too long.
 */
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads'
import { kubeError } from '@/lib/kube/errors'
import { type readDocument, writeDocument, type YamlText } from '@/lib/kube/yaml-document'
import { checkYamlLength, readYaml, valueOrRefusal } from '@/lib/kube/yaml-text'
import { workerFile } from '@/server/files/worker-file'
import type { YamlTask } from './yaml-worker'

/** Longer texts go to the worker: a shorter text takes some milliseconds, whatever its content. */
const MAX_AT_ONCE_LENGTH = 8 * 1024
const DEADLINE_MS = 5000
const HEAP_MB = 256

/** Reads YAML of a request. Throws what `refuse` makes of the reason for text that is no YAML, and 413 for one that takes too long. */
export async function readYamlBody(text: string, refuse: (detail: string) => unknown): Promise<YamlText> {
  if (text.length <= MAX_AT_ONCE_LENGTH) return readYaml(text, refuse)
  checkYamlLength(text)
  return valueOrRefusal((await thread.run({ read: text })) as ReturnType<typeof readDocument>, refuse)
}

/** Writes an answer that is there as JSON. Throws 413 when it takes too long. */
export async function toYaml(json: string): Promise<string> {
  if (json.length <= MAX_AT_ONCE_LENGTH) return writeDocument(JSON.parse(json))
  return (await thread.run({ writeJson: json })) as string
}

/** Does one task after the other; the deadline of each begins when it begins. */
export class YamlThread {
  #started: { worker: Worker; port: MessagePort } | undefined
  #last: Promise<unknown> = Promise.resolve()

  constructor(private readonly deadlineMs = DEADLINE_MS) {}

  run(task: YamlTask): Promise<unknown> {
    const answer = this.#last.then(() => this.#ask(task))
    this.#last = answer.catch(() => undefined)
    return answer
  }

  async #ask(task: YamlTask): Promise<unknown> {
    const { worker, port } = (this.#started ??= startWorker())
    const answered = Promise.withResolvers<unknown>()
    const giveUp = (): void => answered.reject(takesTooLong())
    const timer = setTimeout(giveUp, this.deadlineMs)
    port.once('message', answered.resolve)
    worker.once('error', giveUp)
    try {
      port.postMessage(task)
      return await answered.promise
    } catch (error) {
      this.#started = undefined
      void worker.terminate()
      throw error
    } finally {
      clearTimeout(timer)
      port.off('message', answered.resolve)
      worker.off('error', giveUp)
    }
  }
}

const thread = new YamlThread()

/** Neither of them keeps the process alive. */
function startWorker(): { worker: Worker; port: MessagePort } {
  const { port1: port, port2 } = new MessageChannel()
  const worker = new Worker(workerFile(new URL('./yaml-worker.ts', import.meta.url)), {
    workerData: { port: port2 },
    transferList: [port2],
    execArgv: [],
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  })
  worker.unref()
  port.on('message', () => undefined).unref()
  // A worker that exits between two tasks is detected by the next task.
  worker.on('error', () => undefined)
  return { worker, port }
}

function takesTooLong(): unknown {
  const why = 'Request entity too large: YAML takes too long, use JSON instead'
  return kubeError(413, 'RequestEntityTooLarge', why)
}
