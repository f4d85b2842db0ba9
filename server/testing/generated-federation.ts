/** An export of a federation that never ran: clusters with usage, policies, and workloads as their controllers leave them. */
import { type Binding, buildBinding, withClaim } from '@/lib/domain/propagation'
import { interpretReplicas } from '@/lib/domain/interpreter'
import { appliedPlacementText, scheduleBinding } from '@/lib/domain/placement'
import { EXPORT_API_VERSION, EXPORT_KIND, type TwinExport } from '@/lib/domain/twin'
import {
  type Cluster,
  clusterPropagationPolicy,
  type ClusterPropagationPolicy,
  deployment as deploymentKind,
} from '@/lib/kube/kinds'
import {
  APPLIED_PLACEMENT_ANNOTATION,
  BINDING_ID_LABEL,
  CLUSTER_FINALIZER,
  CLUSTER_POLICY_ID_LABEL,
} from '@/lib/kube/names'
import type { UnknownObject } from '@/lib/kube/object'
import { strategyOf } from '@/lib/kube/strategy'
import { formatTime } from '@/lib/std/clock'
import { seededRng } from '@/lib/std/rng'
import { aCluster, aDeployment, byAvailableReplicas } from '@/lib/testing/builders'
import { sequentialUid } from './start-env'

export interface FederationShape {
  clusters: number
  workloads: number
  seed: number
  now: number
}

const NODES = 20
const NAMESPACES = 50

export function generatedFederation({ clusters: count, workloads, seed, now }: FederationShape): TwinExport {
  const random = seededRng(seed).next
  const uid = sequentialUid()
  const time = formatTime(now)
  const meta = { uid: '', resourceVersion: '1', creationTimestamp: time, generation: 1 }
  const clusters = Array.from({ length: count }, (_, at) => clusterOf(at, random, { ...meta, uid: uid() }))
  const policy = policyOf({ ...meta, uid: uid() })
  const namespaces = Array.from({ length: NAMESPACES }, (_, at) => namespaceOf(at, { ...meta, uid: uid() }))
  const objects: UnknownObject[] = [...namespaces, ...clusters, policy] as unknown as UnknownObject[]
  for (let at = 0; at < workloads; at += 1) {
    const template = templateOf(at, policy, { ...meta, uid: uid() })
    objects.push(template, bindingOf({ template, policy, clusters, now }, { ...meta, uid: uid() }))
  }
  return {
    apiVersion: EXPORT_API_VERSION,
    kind: EXPORT_KIND,
    metadata: { source: 'generated', takenAt: time, anonymised: false, objects: objects.length },
    omissions: [],
    objects,
  }
}

interface Meta {
  uid: string
  resourceVersion: string
  creationTimestamp: string
  generation: number
}

function clusterOf(at: number, random: () => number, meta: Meta): Cluster {
  const used = Math.floor(random() * 300)
  const draft = aCluster(`m${String(at).padStart(3, '0')}`, {
    cpu: String(NODES * 32),
    memory: `${NODES * 128}Gi`,
    pods: String(NODES * 110),
    allocated: { cpu: String(100 + used), memory: `${200 + used}Gi`, pods: String(600 + used) },
    region: `region-${at % 5}`,
  })
  return {
    ...draft,
    metadata: { ...meta, ...draft.metadata, finalizers: [CLUSTER_FINALIZER] },
    status: { ...draft.status, nodeSummary: { totalNum: NODES, readyNum: NODES } },
  } as unknown as Cluster
}

function policyOf(meta: Meta): ClusterPropagationPolicy {
  const draft = {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'ClusterPropagationPolicy',
    metadata: { ...meta, name: 'all', labels: { [CLUSTER_POLICY_ID_LABEL]: 'all-id' } },
    spec: {
      resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment' }],
      placement: {
        ...byAvailableReplicas(),
        clusterTolerations: [],
        spreadConstraints: [{ spreadByField: 'cluster', minGroups: 1, maxGroups: 3 }],
      },
    },
  } as unknown as UnknownObject
  return strategyOf(clusterPropagationPolicy as never).applyDefaults(draft) as unknown as ClusterPropagationPolicy
}

function namespaceOf(at: number, meta: Meta): UnknownObject {
  const metadata = { ...meta, name: `team-${at}` }
  return {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata,
    spec: { finalizers: ['kubernetes'] },
  } as unknown as UnknownObject
}

function templateOf(at: number, policy: ClusterPropagationPolicy, meta: Meta): UnknownObject {
  const draft = aDeployment(`w${String(at).padStart(5, '0')}`, {
    namespace: `team-${at % NAMESPACES}`,
    replicas: 1 + (at % 5),
    cpu: ['50m', '100m', '250m'][at % 3]!,
  })
  const claim = { scope: 'Cluster' as const, id: 'all-id', name: policy.metadata.name }
  const metadata = withClaim({ ...meta, ...draft.metadata }, claim)
  return strategyOf(deploymentKind as never).applyDefaults({ ...draft, metadata } as unknown as UnknownObject)
}

interface Subject {
  template: UnknownObject
  policy: ClusterPropagationPolicy
  clusters: readonly Cluster[]
  now: number
}

/** As detector and scheduler leave it. */
function bindingOf({ template, policy, clusters, now }: Subject, meta: Meta): UnknownObject {
  const replicas = interpretReplicas(template)
  const draft = buildBinding({ template, policy, replicas })
  const { placement = {} } = draft.spec
  const binding = {
    ...draft,
    metadata: {
      ...meta,
      ...draft.metadata,
      labels: { ...draft.metadata.labels, [BINDING_ID_LABEL]: `id-${meta.uid}` },
      annotations: { ...draft.metadata.annotations, [APPLIED_PLACEMENT_ANNOTATION]: appliedPlacementText(placement) },
    },
    status: { schedulerObservedGeneration: meta.generation, lastScheduledTime: formatTime(now) },
  } as unknown as Binding
  const { clusters: targets = [] } = scheduleBinding({ binding, clusters, mode: 'Fresh', now })
  return { ...binding, spec: { ...binding.spec, clusters: targets } } as unknown as UnknownObject
}
