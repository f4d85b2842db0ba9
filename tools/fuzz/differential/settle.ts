/** Waits for the garbage collector of a server and for what it learns from writes, so that both servers hold the same objects for the next step. */
import type { Bindings } from '@/tools/conformance/sessions/placeholders'
import type { RecordedStep } from '@/tools/conformance/sessions/recorded-case'
import { type Received, send, type Target } from '@/tools/conformance/sessions/requests'

interface Metadata {
  name?: string
  deletionTimestamp?: string
  finalizers?: string[] | null
  ownerReferences?: unknown
}

const COLLECTED = new Set(['orphan', 'foregroundDeletion'])
const PATIENCE_MS = 3000
const PAUSE_MS = 40
/** What a kube-apiserver learns from a watch of its own: rights and kinds. */
const LEARNED = /^\/apis\/(rbac\.authorization|apiextensions)\.k8s\.io\//
const LEARNING_MS = 250

/**
 * Reports whether what a write left to the garbage collector is done; false after some seconds, as for a kind that it does not
 * know yet. Owners never exist in sequences.
 */
export async function collected(
  target: Target,
  { request, op }: RecordedStep,
  { received, bindings }: { received: Received; bindings: Bindings },
): Promise<boolean> {
  if (op !== undefined || !request || request.method === 'GET' || request.method === 'HEAD') return true
  if (received.status >= 300) return true
  if (LEARNED.test(request.path)) await pause(LEARNING_MS)
  const written = metadataOf(received)
  if (request.method !== 'DELETE' && !written.some(isWaiting)) return true
  const path = request.method === 'POST' ? `${request.path}/${written[0]?.name ?? ''}` : objectPath(request.path)
  const deadline = Date.now() + PATIENCE_MS
  while (Date.now() < deadline) {
    const now = await send(target, { method: 'GET', path }, bindings)
    if (now.status !== 200 || !metadataOf(now).some(isWaiting)) return true
    await pause(PAUSE_MS)
  }
  return false
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** The metadata of an object, or of the items of a list. */
function metadataOf({ body }: Received): Metadata[] {
  const { metadata, items } = (body ?? {}) as { metadata?: Metadata; items?: { metadata?: Metadata }[] }
  const all = Array.isArray(items) ? items.map((item) => item.metadata) : [metadata]
  return all.filter((one) => one !== undefined)
}

function isWaiting({ deletionTimestamp, finalizers, ownerReferences }: Metadata): boolean {
  if (deletionTimestamp !== undefined) return (finalizers ?? []).some((name) => COLLECTED.has(name))
  return Array.isArray(ownerReferences) && ownerReferences.length > 0
}

/** The path of the object whose subresource is written. */
function objectPath(path: string): string {
  return path.replace(/\/(status|scale)$/, '')
}
