/**
 * Runs rehearsals for the console: copies the part of the federation that the user may read, and runs the scenario in a
 * thread.
 */
import { totalmem } from 'node:os'
import { setImmediate as pause } from 'node:timers/promises'
import { MessageChannel, type MessagePort } from 'node:worker_threads'
import type { Scenario } from '@/lib/domain/rehearsal/scenario'
import type { TwinExport } from '@/lib/domain/twin'
import { message } from '@/lib/messages/message'
import type { EpochMs } from '@/lib/std/clock'
import type { RehearsalLimits, RunRehearsal } from '@/server/bff'
import { clientTransport } from '@/server/kube/client-transport'
import { startWorker } from '@/server/runtime/worker-thread'
import { readFederation, TwinError } from '@/server/twin'
import type { RehearsalAnswer, RehearsalTask } from './rehearsal-worker'
import type { RehearsalSettings } from './rehearse'
import { resultView } from './rehearsal-view'

export interface RehearsalsOptions {
  /** Name of the control plane in results. */
  source: string
  settings: RehearsalSettings
  now: () => EpochMs
  /** Default: derived from the memory of this process. */
  heapMb?: number
}

const MIN_HEAP_MB = 128
const MAX_HEAP_MB = 2048
/** Memory that this process needs besides a rehearsal. */
const OWN_MB = 640
const MIB = 2 ** 20
/** Objects in one message. Serializing a message blocks requests for some milliseconds. */
const OBJECTS_AT_ONCE = 250

/** Returns the heap size in MB, within the memory limit of the container if there is one. */
export function heapFor(constrainedBytes: number, totalBytes: number): number {
  const limit = constrainedBytes > 0 && constrainedBytes < totalBytes ? constrainedBytes : totalBytes
  return Math.round(Math.min(MAX_HEAP_MB, Math.max(MIN_HEAP_MB, limit / MIB - OWN_MB)))
}

/**
 * Half of the measured capacity when every workload moves: 2,000 workloads with 6,000 replicas in 20 clusters need 512
 * MB. A larger federation is rejected with a problem instead of crashing the process.
 */
const WORKLOADS_PER_MB = 2
const REPLICAS_PER_MB = 10

const limitsFor = (heapMb: number): RehearsalLimits => ({
  workloads: Math.round(heapMb * WORKLOADS_PER_MB),
  replicas: Math.round(heapMb * REPLICAS_PER_MB),
})

/** Returns the rehearsal options for `createBff`. */
export function rehearsals(options: RehearsalsOptions): { run: RunRehearsal; limits: RehearsalLimits } {
  const { heapMb = heapFor(process.constrainedMemory(), totalmem()) } = options
  const run: RunRehearsal = async ({ scenario, client, namespaces, signal, onProgress }) => {
    onProgress({ phase: 'copying', atMs: 0 })
    const { source, settings, now } = options
    try {
      const transport = clientTransport(client, signal)
      const { export: federation } = await readFederation(transport, { source, now: now(), namespaces })
      signal.throwIfAborted()
      const answer = await rehearseInThread({ scenario, settings, federation }, { heapMb, signal, onProgress })
      if ('problems' in answer) return answer
      if ('failure' in answer) throw new Error(answer.failure)
      const { metadata } = federation
      const { rehearsal, recording } = answer
      return { result: resultView(rehearsal, recording, metadata), recording, worst: rehearsal.worst }
    } catch (error) {
      if (error instanceof TwinError) return { problems: [error.detail] }
      if (isOutOfMemory(error))
        return { problems: [message('rehearsals.problem.memory', { limit: { bytes: heapMb * MIB } })] }
      throw error
    }
  }
  return { run, limits: limitsFor(heapMb) }
}

const isOutOfMemory = (error: unknown): boolean =>
  (error as NodeJS.ErrnoException | undefined)?.code === 'ERR_WORKER_OUT_OF_MEMORY'

interface Order {
  scenario: Scenario
  settings: RehearsalSettings
  federation: TwinExport
}

interface ThreadOptions {
  heapMb: number
  signal: AbortSignal
  onProgress: Parameters<RunRehearsal>[0]['onProgress']
}

type Ended = Exclude<RehearsalAnswer, { progress: unknown }>

/** Rejects if the thread ends without an answer or is aborted. The thread has ended when the promise settles. */
async function rehearseInThread({ federation, ...order }: Order, options: ThreadOptions): Promise<Ended> {
  const { signal, heapMb, onProgress } = options
  const { port1, port2 } = new MessageChannel()
  const worker = startWorker(new URL('./rehearsal-worker.ts', import.meta.url), { port: port2, heapMb })
  const ended = new Promise<Ended>((resolve, reject) => {
    port1.on('message', (answer: RehearsalAnswer) => {
      if ('progress' in answer) onProgress(answer.progress)
      else resolve(answer)
    })
    worker.once('error', reject)
    // log: the text of an error
    worker.once('exit', () => reject(new Error('the thread of the rehearsal ended')))
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })
  try {
    await Promise.race([ended, send(port1, { federation, ...order }, signal)])
    return await ended
  } finally {
    port1.close()
    await worker.terminate()
  }
}

async function send(port: MessagePort, { federation, ...order }: Order, signal: AbortSignal): Promise<void> {
  const { objects, ...head } = federation
  const notify = (task: RehearsalTask): void => port.postMessage(task)
  for (let at = 0; at < objects.length && !signal.aborted; at += OBJECTS_AT_ONCE) {
    notify({ objects: objects.slice(at, at + OBJECTS_AT_ONCE) })
    await pause()
  }
  notify({ ...order, head })
}
