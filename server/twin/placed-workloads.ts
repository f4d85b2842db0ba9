/** What runs where in a copied federation: one entry for each binding and cluster that has a copy of its template. */
import { overridesFor, type OverridePolicyLike, selectOverridePolicies } from '@/lib/domain/override'
import { type Binding, bindingIdOf, buildWork, targetClusters } from '@/lib/domain/propagation'
import { manifestsOf } from '@/lib/domain/propagation'
import { podRequests, type Whole, wholeList } from '@/lib/domain/twin'
import type { Cluster, Deployment, Work } from '@/lib/kube/kinds'
import { deployment as deploymentKind, work as workKind } from '@/lib/kube/kinds'
import type { TargetCluster } from '@/lib/kube/kinds/binding'
import { executionSpaceOf, workNameOf } from '@/lib/kube/names'
import { keyOf, type UnknownObject } from '@/lib/kube/object'
import { strategyOf } from '@/lib/kube/strategy'
import { boundedReplicas } from '@/server/members/pod-limits'
import type { Federation } from './federation'

/** A copy of a workload in a cluster, or in a cluster that it is leaving. */
export interface PlacedWorkload {
  binding: Binding
  cluster: string
  /** Replicas there, as far as a member simulates them. */
  replicas: number
  /** More were asked for. */
  limited: boolean
  /** Requests of one replica. */
  requests: Whole
  healthy: boolean
  /** It is not healthy yet, and becomes so in the twin. */
  starting: boolean
  /** Work and Deployment, if the pods are created with the twin; otherwise the controllers create all three. */
  direct?: DirectWorkload
}

interface DirectWorkload {
  work: Work
  deployment: Deployment
  /** Of one replica. */
  requests: Whole
}

export interface PlacingContext {
  now: string
  uid: () => string
}

/** The copies of one binding. */
export function placedWorkloads(federation: Federation, binding: Binding, context: PlacingContext): PlacedWorkload[] {
  const { spec, status } = binding
  const template = federation.templateOf(binding)
  const policies = template ? selectOverridePolicies(federation.overrides, template) : []
  const isDirect = template !== undefined && createsPodsDirectly(federation, binding, template)
  return targetsOf(binding).flatMap((target) => {
    const cluster = federation.cluster(target.name)
    if (!cluster) return []
    const asked = target.replicas ?? 0
    const health = status?.aggregatedStatus?.find(({ clusterName }) => clusterName === target.name)?.health
    const direct = isDirect
      ? directly({ binding, template, target, policies, cluster, federation, context })
      : undefined
    return [
      {
        binding,
        cluster: target.name,
        replicas: boundedReplicas(asked),
        limited: asked > boundedReplicas(asked),
        requests: direct?.requests ?? wholeList(spec.replicaRequirements?.resourceRequest ?? {}),
        healthy: health !== 'Unhealthy',
        starting: health === 'Unhealthy' && federation.isStarting(binding),
        ...(direct && { direct }),
      },
    ]
  })
}

/** Scheduled clusters, and those being left whose copies still run. */
function targetsOf({ spec }: Binding): TargetCluster[] {
  const targets = targetClusters(spec)
  const leaving = (spec.gracefulEvictionTasks ?? []).filter(
    ({ fromCluster, purgeMode }) =>
      purgeMode !== 'Directly' && fromCluster !== undefined && !targets.some(({ name }) => name === fromCluster),
  )
  return [
    ...targets,
    ...leaving.map(({ fromCluster, replicas }) => ({
      name: fromCluster,
      ...(replicas === undefined ? spec.replicas !== undefined && { replicas: spec.replicas } : { replicas }),
    })),
  ]
}

/** Scripts, and webhooks that change pods, run in the controllers only. */
function createsPodsDirectly(federation: Federation, binding: Binding, template: UnknownObject): boolean {
  const { apiVersion, kind } = template
  return (
    apiVersion === 'apps/v1'
    && kind === deploymentKind.kind
    && bindingIdOf(binding) !== undefined
    && !federation.isScripted(apiVersion, kind)
    && !federation.changesPods(template)
  )
}

interface DirectRequest {
  binding: Binding
  template: UnknownObject
  target: TargetCluster
  policies: readonly OverridePolicyLike[]
  cluster: Cluster
  federation: Federation
  context: PlacingContext
}

/** Undefined if an override cannot be applied or the template is invalid: the controllers report that. */
function directly(request: DirectRequest): DirectWorkload | undefined {
  try {
    const work = workOf(request)
    const [manifest] = manifestsOf(work)
    if (!manifest) return undefined
    const kind = deploymentKind
    const { object } = strategyOf(kind as never).decode(manifest)
    const deployment = strategyOf(kind as never).applyDefaults(object) as unknown as Deployment
    const metadata = { ...deployment.metadata, uid: request.context.uid() }
    return { work, deployment: { ...deployment, metadata }, requests: podRequests(deployment.spec.template.spec) }
  } catch {
    return undefined
  }
}

/** The Work as the binding controller writes it, with the identity that it has in the source. */
function workOf({ binding, template, target, policies, cluster, federation, context }: DirectRequest): Work {
  const overrides = policies.length > 0 ? overridesFor(policies, cluster) : undefined
  const ref = {
    namespace: executionSpaceOf(target.name),
    name: workNameOf({ kind: template.kind, ...named(template) }),
  }
  const known = federation.work(keyOf(ref))
  const draft = buildWork({ binding, template, target, overrides })
  const labels = { ...known?.metadata.labels, ...draft.metadata.labels }
  const uid = known?.metadata.uid ?? context.uid()
  const whole = { ...draft, metadata: { ...draft.metadata, labels, uid } } as unknown as UnknownObject
  return strategyOf(workKind as never).prepareForCreate(whole, context) as unknown as Work
}

const named = ({ metadata: { namespace, name } }: UnknownObject) => ({
  name,
  ...(namespace !== undefined && { namespace }),
})
