/** The workload of a FederatedHPA, and its pods in all clusters. */
import { english } from '@/lib/messages/english'
import type { PodUsage } from '@/lib/domain/scaling'
import { isConditionTrue } from '@/lib/kube/conditions'
import { isNotFound, isUnreachable, KubeError, type Status } from '@/lib/kube/errors'
import { apiVersionOf, type Kind } from '@/lib/kube/kind'
import { cluster as clusterKind, pod as podKind, type Pod, resourceBinding } from '@/lib/kube/kinds'
import type { FederatedHpa } from '@/lib/kube/kinds/federated-hpa'
import { podMetrics, type PodMetrics } from '@/lib/kube/kinds/metrics'
import { bindingNameOf } from '@/lib/kube/names'
import { keyOf, type UnknownObject } from '@/lib/kube/object'
import { quantityMilli, tryParseQuantity } from '@/lib/kube/quantity'
import type { KubeClient } from '@/server/kube/client'
import type { ReconcilerContext } from '@/server/runtime/controller'
import { findTemplateKind } from '../shared/template-kinds'

/** Reports why scaling is impossible, with the reason for conditions and events. */
export class Unscalable extends Error {
  override readonly name = 'Unscalable'
  constructor(
    readonly reason: string,
    message: string,
  ) {
    super(message)
  }
}

export interface Observed {
  kind: Kind<UnknownObject>
  ref: { namespace: string; name: string }
  /** Of the template. */
  current: number
  /** Of all clusters together. */
  inMembers: number
  pods: PodUsage[]
}

interface Scale {
  spec?: { replicas?: number }
  status?: { selector?: string }
}

/** Clusters that do not answer are left out. Throws Unscalable for a target that cannot be read. */
export async function observe(context: ReconcilerContext, { metadata, spec }: FederatedHpa): Promise<Observed> {
  const { client, informers } = context
  const { apiVersion = '', kind: kindName, name } = spec.scaleTargetRef
  const ref = { namespace: metadata.namespace ?? '', name }
  const kind = findTemplateKind(context, apiVersion, kindName)
  if (!kind) {
    // upstream: the text of the REST mapper
    throw new Unscalable('FailedGetScale', `no matches for kind "${kindName}" in version "${apiVersion}"`)
  }
  const template = await scaleOf(client, kind, ref)
  if (!template) {
    throw new Unscalable(
      'FailedGetScaleTargetRef',
      `${kind.plural}${kind.group && `.${kind.group}`} "${name}" not found`,
    )
  }
  const binding = informers
    .of(resourceBinding)
    .get(keyOf({ namespace: ref.namespace, name: bindingNameOf(kindName, name) }))
  if (!binding) throw new Unscalable('FailedGetBindings', english('server.event.FailedGetBindings'))
  const clusters = (binding.spec.clusters ?? [])
    .map(({ name: cluster }) => cluster)
    .filter((cluster) => isConditionTrue(informers.of(clusterKind).get(cluster)?.status?.conditions, 'Ready'))
  const found = await Promise.all(clusters.map((cluster) => inMember(client.member(cluster), kind, ref)))
  return {
    kind,
    ref,
    current: template.spec?.replicas ?? 0,
    inMembers: found.reduce((sum, { replicas }) => sum + replicas, 0),
    pods: found.flatMap(({ pods }) => pods),
  }
}

interface InMember {
  replicas: number
  pods: PodUsage[]
}

const NOTHING: InMember = { replicas: 0, pods: [] }

async function inMember(member: KubeClient, kind: Kind<UnknownObject>, ref: Observed['ref']): Promise<InMember> {
  try {
    const scale = await scaleOf(member, kind, ref)
    if (!scale) return NOTHING
    const labelSelector = scale.status?.selector ?? ''
    const options = { namespace: ref.namespace, labelSelector }
    const [pods, metrics] = await Promise.all([member.list(podKind, options), metricsIn(member, options)])
    const usages = new Map(metrics.map((one) => [one.metadata.name, usageOf(one)]))
    return {
      replicas: scale.spec?.replicas ?? 0,
      pods: pods.items
        .filter(({ metadata }) => !metadata.deletionTimestamp)
        .map((pod) => ({
          ready: isConditionTrue(pod.status?.conditions, 'Ready'),
          requests: requestsOf(pod),
          usage: usages.get(pod.metadata.name),
        })),
    }
  } catch (error) {
    if (isUnreachable(error)) return NOTHING
    throw error
  }
}

/** A member may have no metrics. */
async function metricsIn(
  member: KubeClient,
  options: { namespace: string; labelSelector: string },
): Promise<PodMetrics[]> {
  try {
    return (await member.list(podMetrics, options)).items
  } catch (error) {
    if (isNotFound(error)) return []
    throw error
  }
}

async function scaleOf(
  client: KubeClient,
  kind: Kind<UnknownObject>,
  { namespace, name }: Observed['ref'],
): Promise<Scale | undefined> {
  const root = kind.group === '' ? '/api' : '/apis'
  const path = `${root}/${apiVersionOf(kind)}/namespaces/${namespace}/${kind.plural}/${name}/scale`
  const { status, body } = await client.raw('GET', path)
  if (status === 404) return undefined
  if (status !== 200) throw new KubeError(body as Status)
  return body as Scale
}

function usageOf({ containers = [] }: PodMetrics): Record<string, number> {
  return total(containers.map(({ usage }) => usage))
}

function requestsOf({ spec }: Pod): Record<string, number> {
  return total((spec.containers ?? []).map(({ resources }) => resources?.requests))
}

function total(amounts: readonly (object | undefined)[]): Record<string, number> {
  const sums: Record<string, number> = {}
  for (const [name, amount] of amounts.flatMap((one) => Object.entries((one ?? {}) as Record<string, string>))) {
    const quantity = tryParseQuantity(amount)
    if (quantity) sums[name] = (sums[name] ?? 0) + Number(quantityMilli(quantity))
  }
  return sums
}
