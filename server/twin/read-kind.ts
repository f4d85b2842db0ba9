/** Lists all objects of one kind in pages, at a given revision where the server still has it. */
import { KubeError } from '@/lib/kube/errors'
import type { Kind } from '@/lib/kube/kind'
import { apiVersionOf } from '@/lib/kube/kind'
import type { UnknownObject } from '@/lib/kube/object'
import { message } from '@/lib/messages/message'
import { errorOfAnswer } from '@/server/kube/answers'
import { queryText, resourcePath } from '@/server/kube/paths'
import type { Transport } from '@/server/kube/transport'
import { TwinError } from './twin-error'

export interface KindRead {
  objects: UnknownObject[]
  /** The revision of the list. */
  resourceVersion: string
  /** Not read at the requested revision: the server has compacted it, or does not support the option. */
  later: boolean
}

const PAGE = 500
/** A server forgets revisions after minutes; a list that takes longer begins anew. */
const TRIES = 3
const GONE = 410

interface KindOptions {
  at: string | undefined
  /** Default: all of them. */
  namespace?: string | undefined
  take: (object: UnknownObject) => UnknownObject | undefined
}

/** `take` copies what is needed of an object; undefined drops it, so that no page is kept as a whole. */
export async function readKind(
  transport: Transport,
  kind: Kind,
  { at, namespace, take }: KindOptions,
): Promise<KindRead> {
  let revision = at
  for (let tries = 1; ; tries += 1) {
    try {
      const read = await readPages(transport, kind, { at: revision, namespace, take })
      return { ...read, later: revision !== at }
    } catch (error) {
      if (!isRevisionRefused(error, revision !== undefined)) throw error
      if (tries >= TRIES) throw new TwinError(message('twin.error.keptChanging', { kind: kind.kind, tries }), error)
      revision = undefined
    }
  }
}

/** Compacted, in the future, or an unsupported option. */
function isRevisionRefused(error: unknown, exact: boolean): boolean {
  if (!(error instanceof KubeError)) return false
  return error.code === GONE || (exact && (error.code === 400 || error.code === 504 || error.code === 422))
}

interface Page {
  metadata?: { resourceVersion?: string; continue?: string }
  items?: UnknownObject[] | null
}

async function readPages(
  transport: Transport,
  kind: Kind,
  { at, namespace, take }: KindOptions,
): Promise<Omit<KindRead, 'later'>> {
  const objects: UnknownObject[] = []
  let next: string | undefined
  for (;;) {
    const exact = next === undefined && at !== undefined
    const query = queryText({
      limit: PAGE,
      continue: next,
      ...(exact && { resourceVersion: at, resourceVersionMatch: 'Exact' }),
    })
    const page = await readPage(transport, resourcePath(kind, { namespace }) + query)
    for (const item of page.items ?? []) {
      const taken = take({ ...item, apiVersion: item.apiVersion ?? apiVersionOf(kind), kind: item.kind ?? kind.kind })
      if (taken) objects.push(taken)
    }
    next = page.metadata?.continue || undefined
    if (next === undefined) return { objects, resourceVersion: page.metadata?.resourceVersion ?? '' }
  }
}

const RETRIES = 3
const MAX_PAUSE_MS = 10_000
const PAUSE_MS = 500

/** Requests to a busy or unreachable server are retried. */
async function readPage(transport: Transport, path: string): Promise<Page> {
  for (let tries = 0; ; tries += 1) {
    const answer = await attempt(transport, path)
    if (answer.code > 0 && answer.code < 400 && typeof answer.body === 'object') return answer.body as Page
    const passing = answer.code === 0 || answer.code === 429 || answer.code >= 500
    if (!passing || answer.code === 504 || tries >= RETRIES) {
      throw answer.error ?? errorOfAnswer(answer.code, answer.body)
    }
    await pause(Math.min((answer.retryAfterSeconds ?? 0) * 1000 || PAUSE_MS * 2 ** tries, MAX_PAUSE_MS))
  }
}

interface Attempt {
  code: number
  body?: unknown
  retryAfterSeconds?: number
  error?: unknown
}

async function attempt(transport: Transport, path: string): Promise<Attempt> {
  try {
    return await transport.call({ method: 'GET', path, userAgent: 'evenkeel-twin' })
  } catch (error) {
    return { code: 0, error }
  }
}

const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms)
  })
