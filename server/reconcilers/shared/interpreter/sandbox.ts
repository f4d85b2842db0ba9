/** Runs users' Lua scripts safely: in a separate thread, which is terminated if they take too long. */
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads'
import { InterpretError, ScriptUnavailable } from '@/lib/domain/interpreter'
import { workerFile } from '@/server/files/worker-file'

export interface SandboxOptions {
  /** Time limit of one call, including loading the script. Default 1 s. */
  timeoutMs?: number
  /** Memory limit of one call in Lua. Default 16 MiB. */
  memoryBytes?: number
  /** How long a script that exceeded its time limit is not run again. Default 30 s. */
  restMs?: number
  /**
   * Time that the scripts of one owner may use per minute. Default 10 s; beyond it, only this owner's scripts are
   * rejected.
   */
  budgetMs?: number
  /** Helpers that scripts may call, by name; arguments and results are JSON. */
  helpers?: Readonly<Record<string, (...args: never[]) => unknown>>
}

/** One call of a function of a script. */
export interface ScriptCall {
  source: string
  entry: string
  /** Owner of the time budget: the customization. Default: the script itself. */
  owner?: string
  /** Absent: the script is only loaded, to check it. */
  args?: readonly unknown[]
}

export interface Sandbox {
  /** Returns the results of the function. Rejects with an InterpretError that describes the problem of the script. */
  run(call: ScriptCall): Promise<unknown[]>
  /** Ends the thread; pending calls are rejected. */
  close(): Promise<void>
}

/**
 * Creates a sandbox. The thread starts at the first call. Calls run one after the other, each in a separate Lua state.
 */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  return new ThreadSandbox(options)
}

interface Thread {
  worker: Worker
  port: MessagePort
  signal: Int32Array
}

type Message = { ready: true } | { values: unknown[] } | { error: string } | { helper: string; given: unknown[] }

const BUDGET_WINDOW_MS = 60_000

class ThreadSandbox implements Sandbox {
  readonly #timeoutMs: number
  readonly #memoryBytes: number
  readonly #restMs: number
  readonly #budgetMs: number
  readonly #helpers: NonNullable<SandboxOptions['helpers']>
  #thread: Promise<Thread> | undefined
  #last: Promise<unknown> = Promise.resolve()
  #closed = false
  /** Time used by the scripts of each owner, and the start of the window. */
  readonly #spent = new Map<string, { since: number; ms: number }>()
  /** Scripts that exceeded the time limit, and until when they are not run. */
  readonly #resting = new Map<string, number>()

  constructor({
    timeoutMs = 1000,
    memoryBytes = 16 * 1024 * 1024,
    restMs = 30_000,
    budgetMs = 10_000,
    helpers = {},
  }: SandboxOptions) {
    this.#timeoutMs = timeoutMs
    this.#memoryBytes = memoryBytes
    this.#restMs = restMs
    this.#budgetMs = budgetMs
    this.#helpers = helpers
  }

  run(call: ScriptCall): Promise<unknown[]> {
    const result = this.#last.then(() => this.#call(call))
    this.#last = result.catch(() => undefined)
    return result
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#end()
  }

  async #call(call: ScriptCall): Promise<unknown[]> {
    if (this.#closed) throw new ScriptUnavailable('the interpreter was stopped')
    if ((this.#resting.get(call.source) ?? 0) > performance.now()) throw new ScriptUnavailable(this.#tooSlow)
    const budget = this.#budgetOf(call)
    const begun = performance.now()
    try {
      return await this.#ask(call)
    } finally {
      budget.ms += performance.now() - begun
    }
  }

  /** Returns the time that the owner has used in this window. Rejects if the budget is used up. */
  #budgetOf({ owner, source }: ScriptCall): { ms: number } {
    const key = owner ?? source
    const now = performance.now()
    for (const [known, { since }] of this.#spent) if (now - since > BUDGET_WINDOW_MS) this.#spent.delete(known)
    const budget = this.#spent.get(key) ?? { since: now, ms: 0 }
    this.#spent.set(key, budget)
    if (budget.ms < this.#budgetMs) return budget
    throw new ScriptUnavailable(
      `its scripts took ${Math.round(budget.ms / 1000)} s within a minute; they are asked again later`,
    )
  }

  async #ask(call: ScriptCall): Promise<unknown[]> {
    this.#thread ??= this.#start()
    const { port, signal } = await this.#thread
    const settled = Promise.withResolvers<unknown[]>()
    const timer = setTimeout(() => this.#giveUp(call, settled.reject), this.#timeoutMs)
    const hear = (message: Message): void => {
      if ('values' in message) settled.resolve(message.values)
      else if ('error' in message) settled.reject(new InterpretError(message.error))
      else if ('helper' in message) this.#help({ port, signal }, message)
    }
    port.on('message', hear)
    try {
      port.postMessage({ ...call, ...(call.args && { args: call.args.map(withoutNulls) }) })
      return await settled.promise
    } catch (error) {
      // After a fault the state of the runtime is unknown; the next script, possibly of another owner, gets a new one.
      await this.#end()
      throw error
    } finally {
      clearTimeout(timer)
      port.off('message', hear)
    }
  }

  get #tooSlow(): string {
    // log: the text of an error
    return `the script did not end within ${this.#timeoutMs} ms`
  }

  /** Terminating the thread ends the script in any state. */
  #giveUp({ source }: ScriptCall, reject: (error: Error) => void): void {
    this.#resting.set(source, performance.now() + this.#restMs)
    void this.#end().then(() => reject(new ScriptUnavailable(this.#tooSlow)), reject)
  }

  #help(
    { port, signal }: Pick<Thread, 'port' | 'signal'>,
    { helper, given }: { helper: string; given: unknown[] },
  ): void {
    try {
      const answer = this.#helpers[helper]?.(...(given as never[]))
      port.postMessage({ answer: withoutNulls(answer ?? undefined) })
    } catch (error) {
      port.postMessage({ failure: error instanceof Error ? error.message : String(error) })
    }
    Atomics.store(signal, 0, 1)
    Atomics.notify(signal, 0)
  }

  async #start(): Promise<Thread> {
    const { port1: port, port2 } = new MessageChannel()
    const signal = new Int32Array(new SharedArrayBuffer(4))
    const worker = new Worker(workerFile(new URL('./sandbox-worker.ts', import.meta.url)), {
      workerData: { port: port2, signal, memoryBytes: this.#memoryBytes },
      transferList: [port2],
      execArgv: [],
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: 128 },
    })
    worker.unref()
    await new Promise<void>((resolve, reject) => {
      worker.once('error', reject)
      port.once('message', () => resolve())
    })
    port.unref()
    // A thread that ends unexpectedly is replaced at the next call.
    worker.on('error', () => {
      this.#thread = undefined
    })
    return { worker, port, signal }
  }

  async #end(): Promise<void> {
    const thread = this.#thread
    this.#thread = undefined
    await (await thread)?.worker.terminate()
  }
}

/** Removes nulls, because a null field is absent in Lua. */
function withoutNulls(value: unknown): unknown {
  return value === undefined
    ? undefined
    : (JSON.parse(JSON.stringify(value), (_, child: unknown) => child ?? undefined) as unknown)
}
