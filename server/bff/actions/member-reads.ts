/** Reads in member clusters as the user, through the cluster proxy and with a deadline, because a member may hang. */
import type { Kind } from '@/lib/kube/kind'
import { allKinds } from '@/lib/kube/kinds'
import { KubeError } from '@/lib/kube/errors'
import { apiVersionOf } from '@/lib/kube/kind'
import type { KubeObject } from '@/lib/kube/object'
import { message } from '@/lib/messages/message'
import type { Clock } from '@/lib/std/clock'
import { errorOfAnswer } from '@/server/kube/answers'
import type { KubeClient } from '@/server/kube/client'
import { discoverVersion } from '@/server/kube/discovery'
import { queryText, resourcePath } from '@/server/kube/paths'
import type { EndpointCall } from '../http/endpoint'
import { refuse } from '../http/refusal'

/** A member that has not answered by then is reported as unresponsive. Shorter than the timeout of a whole response. */
const MEMBER_MS = 5_000

export interface MemberReader {
  cluster: string
  client: KubeClient
  clock: Clock
}

/** Returns a reader of this cluster with the caller's credentials. */
export const memberReader = (call: Pick<EndpointCall, 'principal'>, clock: Clock, cluster: string): MemberReader => ({
  cluster,
  client: call.principal.client.member(cluster),
  clock,
})

/** Runs a request to a member; throws a 504 refusal when the member does not answer in time. */
export async function inMember<T>(
  { cluster, clock }: MemberReader,
  ask: (signal: AbortSignal) => Promise<T>,
  abort = new AbortController(),
): Promise<T> {
  const late = Promise.withResolvers<never>()
  const stop = clock.after(MEMBER_MS, () => {
    late.reject(refuse(504, 'Timeout', message('api.refused.memberSilent', { cluster, after: { ms: MEMBER_MS } })))
    abort.abort()
  })
  try {
    return await Promise.race([ask(abort.signal), late.promise])
  } catch (error) {
    throw asAnswerOf(cluster, error)
  } finally {
    stop()
  }
}

/** An answer of a member must not look like one of the control plane. */
function asAnswerOf(cluster: string, error: unknown): unknown {
  if (!(error instanceof KubeError) || ![0, 502, 503, 504].includes(error.code)) return error
  return refuse(503, 'Unreachable', message('api.refused.memberUnavailable', { cluster, why: error.message }))
}

/** Returns the body of a GET. Throws the KubeError of a failed request. */
export async function readInMember<T>(reader: MemberReader, path: string): Promise<T> {
  return inMember(reader, async (signal) => {
    const { status, body } = await reader.client.raw('GET', path, undefined, signal)
    if (status >= 400) throw errorOfAnswer(status, body)
    return body as T
  })
}

export interface MemberList<T> {
  items: T[]
  /** Including the objects that were not read. */
  total: number
}

interface ListQuery {
  namespace?: string | undefined
  labelSelector?: string
  fieldSelector?: string
  limit: number
}

/** Returns the first objects of a kind. */
export async function listInMember<T extends KubeObject>(
  reader: MemberReader,
  kind: Kind<T>,
  { namespace, ...query }: ListQuery,
): Promise<MemberList<T>> {
  const path = resourcePath(kind as unknown as Kind, namespace === undefined ? {} : { namespace }) + queryText(query)
  const list = await readInMember<{ items?: T[]; metadata?: { remainingItemCount?: number } }>(reader, path)
  const items = list.items ?? []
  return { items, total: items.length + (list.metadata?.remainingItemCount ?? 0) }
}

interface KindName {
  apiVersion: string
  kind: string
}

/** Returns the kind of that name; a kind that Evenkeel does not define is looked up by discovery, as the user. */
export async function kindOf(client: KubeClient, { apiVersion, kind }: KindName): Promise<Kind> {
  const known = allKinds.find((one) => one.kind === kind && apiVersionOf(one) === apiVersion)
  if (known) return known
  const found = (await discoverVersion(client, apiVersion)).find((one) => one.kind === kind)
  if (!found) throw refuse(404, 'NotFound', message('api.refused.notServed', { kind, apiVersion }))
  return found as unknown as Kind
}
