/** Which control plane the console shows, and which parts of it are readable. */
import { clusterFailoverOf, type FailoverSettings } from '@/lib/domain/failover'
import { resourceName } from '@/lib/kube/kind'
import { type Message, message } from '@/lib/messages/message'
import type { AboutView } from '@/lib/view/model'
import type { KubeClient } from '@/server/kube/client'
import type { Scope } from '../access/access'
import { BINDINGS, CLUSTERS, resourceOf } from '../access/resources'
import { KINDS_READ } from '../cache/control-plane-cache'
import { describeKinds } from '../cache/served-kinds'

/** Facts about the control plane from the composition root. */
export interface AboutFacts {
  mode: AboutView['mode']
  server: string
  user?: string
  kubeconfig?: AboutView['kubeconfig']
  reconcilers: () => AboutView['reconcilers']
  /** The loops of this process that fail or skip objects. */
  troubled?: () => AboutView['troubled']
  /** Present when the control plane is a twin. */
  twin?: AboutView['twin']
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

/** Limit of the namespaces for which a page may request permissions one by one. */
const MAX_NAMESPACES = 100

/** Reads the served and readable kinds of the control plane. Never throws: the result names unreadable ones. */
export async function describeControlPlane(
  client: KubeClient,
  facts: AboutFacts,
  settings?: FailoverSettings,
): Promise<AboutView> {
  const { reconcilers, troubled = () => [], ...rest } = facts
  const [version, user, kinds] = await Promise.all([
    readVersion(client),
    rest.user ?? readUser(client),
    describeKinds(client, KINDS_READ),
  ])
  return {
    ...rest,
    version,
    user,
    kinds,
    reconcilers: reconcilers(),
    troubled: troubled(),
    missing: missingIn(kinds),
    failover: clusterFailoverOf(settings),
  }
}

/**
 * Returns the view for a user with these permissions: kinds that the user may list only in some namespaces are read
 * there and count as complete; kinds that the user may not list are reported as refused only.
 */
export function asSeenIn(view: AboutView, scope: Scope): AboutView {
  const kinds = view.kinds.map((each) =>
    grantOf(each, scope) === 'some' ? { ...each, readable: true, note: message('controlPlane.someNamespaces') } : each,
  )
  const missing = kinds
    .filter(isMissing)
    .map((each) =>
      each.served && grantOf(each, scope) === 'none'
        ? message('controlPlane.noPermission', { kind: each.kind, resource: each.resource })
        : lossOf(each, kinds),
    )
  // A cause, and the report of a twin, may name objects of any namespace and any cluster.
  const seesAll = [BINDINGS, CLUSTERS].every((resource) => scope.seesAll(resource))
  return {
    ...view,
    kinds,
    missing,
    troubled: seesAll ? view.troubled : [],
    ...(view.twin && !seesAll && { twin: { ...view.twin, omissions: [], proof: { ...view.twin.proof, moved: [] } } }),
    namespaces: scope.namespaces().slice(0, MAX_NAMESPACES),
  }
}

/**
 * How much of a kind that exists but cannot be listed everywhere the user may list. `all`: the refusal has nothing to
 * do with the rights of the user.
 */
function grantOf({ resource, served, readable }: AboutView['kinds'][number], scope: Scope): 'all' | 'some' | 'none' {
  const kind = KINDS_READ.find((each) => resourceName(each) === resource)
  if (kind === undefined || readable || !served || scope.seesAll(resourceOf(kind))) return 'all'
  return scope.seesAny(resourceOf(kind)) ? 'some' : 'none'
}

async function readVersion(client: KubeClient): Promise<string | undefined> {
  const answer = await client.raw('GET', '/version').catch(() => undefined)
  const version = answer?.status === 200 ? (answer.body as { gitVersion?: unknown }).gitVersion : undefined
  return typeof version === 'string' ? version : undefined
}

/** Returns our user name at the API server; undefined if it is not reported. */
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

function missingIn(kinds: AboutView['kinds']): AboutView['missing'] {
  return kinds.filter(isMissing).map((each) => lossOf(each, kinds))
}

/** While the API server does not answer, the pages show what they had before. */
const isMissing = ({ readable, unknown }: AboutView['kinds'][number]): boolean => !readable && unknown !== true

function lossOf(
  { kind, note = message('controlPlane.unreadable') }: AboutView['kinds'][number],
  kinds: AboutView['kinds'],
): Message {
  // Without rebalancers the scheduler knows no requests either, with or without plans.
  const rebalances = kinds.find((each) => each.kind === 'WorkloadRebalancer')
  const isWithoutAny = kind === 'RebalancePlan' && rebalances?.served === false && !rebalances.unknown
  const loss = LOSSES[isWithoutAny ? 'WorkloadRebalancer' : kind]
  return loss ? message('controlPlane.lost', { kind, note, loss }) : message('controlPlane.lostKind', { kind, note })
}
