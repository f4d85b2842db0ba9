/**
 * Tracks the writes of an action, so that an error also states whether it changed nothing, a part, or an unknown
 * amount.
 */
import { KubeError } from '@/lib/kube/errors'
import type { Kind } from '@/lib/kube/kind'
import { apiVersionOf } from '@/lib/kube/kind'
import type { KubeObject } from '@/lib/kube/object'
import { message } from '@/lib/messages/message'
import type { Outcome } from '@/lib/view/problems'
import type { KubeClient } from '@/server/kube/client'
import type { Audited } from './endpoint'
import { refuse } from './refusal'

export class WriteWatch {
  /** The objects that were written, in order. */
  readonly written: Audited['object'][] = []
  /** A client that acts as the user and tracks writes. */
  readonly client: KubeClient
  #ended = false
  #open = 0
  #unknown = 0

  constructor(client: KubeClient) {
    this.client = this.#watched(client)
  }

  /** Returns what a failure at this moment would leave behind. */
  get outcome(): Outcome {
    if (this.#open > 0 || this.#unknown > 0) return 'unknown'
    return this.written.length > 0 ? 'part' : 'nothing'
  }

  /** Stops further writes: the caller has received the outcome, which must stay correct. */
  end(): void {
    this.#ended = true
  }

  #watched(client: KubeClient): KubeClient {
    return {
      get: (kind, ref) => client.get(kind, ref),
      list: (kind, options) => client.list(kind, options),
      watch: (kind, options, signal) => client.watch(kind, options, signal),
      create: (kind, object, options) =>
        this.#write(options?.dryRun, () => client.create(kind, object, options), objectOf),
      update: (kind, object, options) =>
        this.#write(options?.dryRun, () => client.update(kind, object, options), objectOf),
      patch: (kind, ref, patch, options) =>
        this.#write(options?.dryRun, () => client.patch(kind, ref, patch, options), objectOf),
      delete: (kind, ref, options) =>
        this.#write(
          options?.dryRun,
          () => client.delete(kind, ref, options),
          () => named(kind as unknown as Kind, ref),
        ),
      raw: (method, path, body, signal) => client.raw(method, path, body, signal),
      stream: (path, signal) => client.stream(path, signal),
      member: (name) => this.#watched(client.member(name)),
      as: (identity) => this.#watched(client.as(identity)),
    }
  }

  async #write<T>(
    dryRun: boolean | undefined,
    write: () => Promise<T>,
    object: (answer: T) => Audited['object'],
  ): Promise<T> {
    if (dryRun) return write()
    if (this.#ended) throw refuse(504, 'Timeout', message('api.refused.tooLate'))
    this.#open += 1
    try {
      const answer = await write()
      this.written.push(object(answer))
      return answer
    } catch (error) {
      if (mayHaveHappened(error)) this.#unknown += 1
      throw error
    } finally {
      this.#open -= 1
    }
  }
}

/** Reports whether the write may have happened: a refusal is certain, a missing answer or a server error is not. */
function mayHaveHappened(error: unknown): boolean {
  if (!(error instanceof KubeError)) return true
  return (error.code === 0 && !isRefusedConnection(error.cause)) || error.code >= 500
}

const NEVER_SENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH', 'UND_ERR_CONNECT_TIMEOUT'])

/** Without a connection nothing was sent. */
function isRefusedConnection(cause: unknown): boolean {
  if (cause instanceof AggregateError) return cause.errors.every(isRefusedConnection)
  return NEVER_SENT.has(String((cause as NodeJS.ErrnoException | undefined)?.code))
}

function objectOf({ apiVersion, kind, metadata: { namespace, name, uid } }: KubeObject): Audited['object'] {
  return { apiVersion, kind, ...(namespace && { namespace }), name, uid }
}

function named(kind: Kind, { namespace, name }: { namespace?: string; name: string }): Audited['object'] {
  return { apiVersion: apiVersionOf(kind), kind: kind.kind, ...(namespace && { namespace }), name }
}
