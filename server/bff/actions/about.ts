/** Which control plane the console looks at, and what of it can be read. */
import { isUnreachable, kubeError } from '@/lib/kube/errors'
import { apiVersionOf, type Kind, resourceName } from '@/lib/kube/kind'
import { english } from '@/lib/messages/english'
import { type Message, message } from '@/lib/messages/message'
import type { AboutView } from '@/lib/view/model'
import type { KubeClient } from '@/server/kube/client'
import type { Scope } from '../access/access'
import { BINDINGS, CLUSTERS, resourceOf } from '../access/resources'
import { KINDS_READ } from '../cache/control-plane-cache'

/** What the composition root knows of the control plane. */
export interface AboutFacts {
  mode: AboutView['mode']
  server: string
  user?: string
  kubeconfig?: AboutView['kubeconfig']
  reconcilers: () => AboutView['reconcilers']
  /** What loops of this process fail on or skip. */
  troubled?: () => AboutView['troubled']
}

/** What is lost while a kind cannot be read. */
const LOSSES: Readonly<Record<string, Message>> = {
  Cluster: message('controlPlane.loss.Cluster'),
  ResourceBinding: message('controlPlane.loss.ResourceBinding'),
  ClusterResourceBinding: message('controlPlane.loss.ClusterResourceBinding'),
  Work: message('controlPlane.loss.Work'),
  WorkloadRebalancer: message('controlPlane.loss.WorkloadRebalancer'),
  PropagationPolicy: message('controlPlane.loss.PropagationPolicy'),
  ClusterPropagationPolicy: message('controlPlane.loss.PropagationPolicy'),
  RebalancePlan: message('controlPlane.loss.RebalancePlan'),
  WorkloadSpread: message('controlPlane.loss.WorkloadSpread'),
  Event: message('controlPlane.loss.Event'),
}

/** Asks the control plane what it serves and what may be read. Never throws: what cannot be found out is said. */
export async function describeControlPlane(client: KubeClient, facts: AboutFacts): Promise<AboutView> {
  const { reconcilers, troubled = () => [], ...rest } = facts
  const [version, user, kinds] = await Promise.all([
    readVersion(client),
    rest.user ?? readUser(client),
    describeKinds(client),
  ])
  return { ...rest, version, user, kinds, reconcilers: reconcilers(), troubled: troubled(), missing: missingIn(kinds) }
}

/**
 * The same for a user of these permissions: what they may list in some namespaces is read there, and nothing of it is
 * missing; of what is refused to them, only that is said.
 */
export function asSeenIn(view: AboutView, scope: Scope): AboutView {
  const kinds = view.kinds.map((each) =>
    grantOf(each, scope) === 'some' ? { ...each, readable: true, note: message('controlPlane.someNamespaces') } : each,
  )
  const missing = kinds
    .filter(({ readable }) => !readable)
    .map((each) =>
      each.served && grantOf(each, scope) === 'none'
        ? message('controlPlane.noPermission', { kind: each.kind, resource: each.resource })
        : lossOf(each),
    )
  // A cause may name objects of any namespace and any cluster.
  const seesAll = [BINDINGS, CLUSTERS].every((resource) => scope.seesAll(resource))
  return { ...view, kinds, missing, troubled: seesAll ? view.troubled : [] }
}

/**
 * How far a kind that exists and cannot be listed everywhere is open to them; `all`: the refusal is not about their
 * rights.
 */
function grantOf({ resource, served, readable }: AboutView['kinds'][number], scope: Scope): 'all' | 'some' | 'none' {
  const kind = KINDS_READ.find((each) => resourceName(each) === resource)
  if (kind === undefined || readable || !served || scope.seesAll(resourceOf(kind))) return 'all'
  return scope.seesAny(resourceOf(kind)) ? 'some' : 'none'
}

/**
 * Which of the kinds that the console reads, and of `more`, can be listed here. Ask before the caches are made. Rejects
 * when the API server does not answer, for then nothing is known.
 */
export async function discoverServed(client: KubeClient, more: readonly Kind[] = []): Promise<(kind: Kind) => boolean> {
  const kinds = await describeKinds(client, [...KINDS_READ, ...more])
  const silent = kinds.find(({ note }) => note === UNREACHABLE)
  if (silent) throw kubeError(0, 'Unreachable', english.of(UNREACHABLE))
  const readable = new Set(kinds.filter((kind) => kind.readable).map(({ resource }) => resource))
  return (kind) => readable.has(resourceName(kind))
}

const UNREACHABLE = message('controlPlane.noAnswer')

async function readVersion(client: KubeClient): Promise<string | undefined> {
  const answer = await client.raw('GET', '/version').catch(() => undefined)
  const version = answer?.status === 200 ? (answer.body as { gitVersion?: unknown }).gitVersion : undefined
  return typeof version === 'string' ? version : undefined
}

function describeKinds(client: KubeClient, kinds = KINDS_READ): Promise<AboutView['kinds']> {
  return Promise.all(kinds.map((kind) => describeKind(client, kind)))
}

/** Whom the API server takes us for; undefined where it does not tell. */
async function readUser(client: KubeClient): Promise<string | undefined> {
  const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' }
  const answer = await client
    .raw('POST', '/apis/authentication.k8s.io/v1/selfsubjectreviews', review)
    .catch(() => undefined)
  const name =
    answer?.status === 201
      ? (answer.body as { status?: { userInfo?: { username?: unknown } } }).status?.userInfo?.username
      : undefined
  return typeof name === 'string' ? name : undefined
}

async function describeKind(client: KubeClient, kind: Kind): Promise<AboutView['kinds'][number]> {
  const description = { kind: kind.kind, resource: resourceName(kind) }
  const served = await isServed(client, kind)
  if (served !== true) return { ...description, served: false, readable: false, note: served }
  try {
    await client.list(kind, { limit: 1 })
    return { ...description, served: true, readable: true }
  } catch (error) {
    return { ...description, served: true, readable: false, note: noteOf(error) }
  }
}

/** True, or why not. */
async function isServed(client: KubeClient, kind: Kind): Promise<true | Message | string> {
  const path = kind.group ? `/apis/${apiVersionOf(kind)}` : `/api/${kind.version}`
  try {
    const { status, body } = await client.raw('GET', path)
    const resources = status === 200 ? (body as { resources?: { name: string }[] }).resources : undefined
    if (resources?.some(({ name }) => name === kind.plural)) return true
    // Without the right to discover, only trying to list can tell.
    return status === 401 || status === 403
      ? true
      : message('controlPlane.groupNotServed', { apiVersion: apiVersionOf(kind) })
  } catch (error) {
    return noteOf(error)
  }
}

function noteOf(error: unknown): Message | string {
  if (isUnreachable(error)) return UNREACHABLE
  return error instanceof Error ? error.message : String(error)
}

function missingIn(kinds: AboutView['kinds']): AboutView['missing'] {
  return kinds.filter(({ readable }) => !readable).map(lossOf)
}

function lossOf({ kind, note = message('controlPlane.unreadable') }: AboutView['kinds'][number]): Message {
  const loss = LOSSES[kind]
  return loss ? message('controlPlane.lost', { kind, note, loss }) : message('controlPlane.lostKind', { kind, note })
}
