/** The input of the placement lab: the objects that a policy selects, their bindings, and the clusters. */
import type { z } from 'zod'
import { interpretReplicas, InterpretError, type Replicas } from '@/lib/domain/interpreter'
import { buildBinding, isPropagatable, type Policy } from '@/lib/domain/propagation'
import { KubeError } from '@/lib/kube/errors'
import { apiVersionOf, type Kind } from '@/lib/kube/kind'
import { allKinds } from '@/lib/kube/kinds'
import type { ResourceSelector } from '@/lib/kube/kinds/propagation-spec'
import type { KubeObject, UnknownObject } from '@/lib/kube/object'
import { message, type Message } from '@/lib/messages/message'
import { apisOf, labBinding, labCluster } from '@/lib/view/lab/inputs'
import { labOutcome, resultOf } from '@/lib/view/lab/outcome'
import { ownershipOf } from '@/lib/view/lab/selection'
import { type LabView, type PlacementPreviewView, policyId } from '@/lib/view/policy-model'
import type { AnyBinding } from '@/lib/view/project/binding-facts'
import { projectOverrides } from '@/lib/view/project/overrides'
import { selectorTexts } from '@/lib/view/project/placement'
import type { labBody, placementPreviewBody } from '@/lib/view/schemas/lab'
import { workloadId } from '@/lib/view/workload-id'
import type { KubeClient } from '@/server/kube/client'
import type { ReadModel } from '../read-model/read-model'
import type { ApiDeps } from './api-deps'
import { refuseUnlessCurrent } from './plan-rebalance'

type LabBody = z.infer<typeof labBody>
type PreviewBody = z.infer<typeof placementPreviewBody>

/** Limit of the selected objects that are evaluated; further ones are only counted. */
const MAX_SELECTED = 500

interface Asked {
  client: KubeClient
  reader: ReadModel
}

/** Returns the visible part of the lab. Templates are listed as the caller. */
export async function openLab({ cache, profile }: ApiDeps, body: LabBody, asked: Asked): Promise<LabView> {
  refuseUnlessCurrent(cache)
  const { reader } = asked
  const { selected, more, unlisted, bindings } = await gather(body, asked)
  const apis = apisOf(bindings)
  return {
    selected,
    more,
    unlisted,
    bindings: bindings.map((binding) => ({ ...labBinding(binding) })),
    ...(reader.seesClusters && { clusters: reader.clusters().map((cluster) => ({ ...labCluster(cluster, apis) })) }),
    ...(profile && { profile: { ...profile } }),
    overrides: overridesOf(bindings, reader),
  }
}

/** Schedules the same workloads under a placement, with all clusters. */
export async function previewPlacement(
  { cache, profile }: ApiDeps,
  body: PreviewBody,
  asked: Asked,
): Promise<PlacementPreviewView> {
  refuseUnlessCurrent(cache)
  const { bindings } = await gather(body, asked)
  const { workloads } = labOutcome({ bindings, clusters: cache.clusters.list(), profile }, body.placement, body.lazy)
  const known = asked.reader.seesClusters
    ? undefined
    : new Set(bindings.flatMap(({ spec }) => spec.clusters ?? []).map(({ name }) => name))
  const isKnown = ({ cluster }: { cluster: string }): boolean => known?.has(cluster) ?? true
  return {
    workloads: workloads.map(({ id, tried, failure }) => {
      const { saved, rebalanced } = resultOf(tried)
      const hidden = rebalanced.filter((one) => !isKnown(one))
      return {
        id,
        saved: saved.filter(isKnown),
        rebalanced: rebalanced.filter(isKnown),
        hidden: hidden.reduce((sum, { replicas }) => sum + replicas, 0),
        // The reason may name clusters.
        ...(failure !== undefined && { failure: known ? message('policies.lab.noPlace') : failure }),
      }
    }),
  }
}

interface Gathered extends Pick<LabView, 'selected' | 'more' | 'unlisted'> {
  /** The bindings that the policy has claimed or would claim. */
  bindings: AnyBinding[]
}

async function gather(body: LabBody, { client, reader }: Asked): Promise<Gathered> {
  const policy = draftOf(body, reader)
  const lists = await Promise.all(
    policy.spec.resourceSelectors.map((selector) => listSelected(selector, policy, client)),
  )
  const unlisted = lists.flatMap(({ refused }) => refused ?? [])
  const templates = new Map(
    lists.flatMap(({ templates: found }) => found.map((each) => [workloadId(refOf(each)), each])),
  )
  const policies = reader.policies()
  const shown = [...templates]
    .slice(0, MAX_SELECTED)
    .map(([id, template]) => ({ id, template, ownership: ownershipOf(template, { policy, policies }) }))
  return {
    selected: shown.map(({ id, template, ownership }) => ({ ref: refOf(template), id, ...ownership })),
    more: Math.max(0, templates.size - MAX_SELECTED),
    unlisted,
    bindings: shown
      .filter(({ ownership }) => ownership.state !== 'other')
      .flatMap(({ id, template, ownership }) => {
        if (!reader.seesWorkload(id)) return []
        return reader.binding(id) ?? (ownership.state === 'claims' ? newBinding(template, policy) : [])
      }),
  }
}

/** Returns the current policy with the fields of the draft applied. */
function draftOf({ policy: ref, resourceSelectors, priority, preemption }: LabBody, reader: ReadModel): Policy {
  const existing = reader.policy(policyId(ref))
  return {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: ref.namespace === undefined ? 'ClusterPropagationPolicy' : 'PropagationPolicy',
    metadata: existing?.metadata ?? { ...ref, uid: '', resourceVersion: '', creationTimestamp: '' },
    spec: {
      ...existing?.spec,
      resourceSelectors: resourceSelectors as ResourceSelector[],
      ...(priority !== undefined && { priority }),
      ...(preemption !== undefined && { preemption: preemption === 'Always' ? 'Always' : 'Never' }),
    },
  } as Policy
}

async function listSelected(
  selector: ResourceSelector,
  policy: Policy,
  client: KubeClient,
): Promise<{ templates: KubeObject[]; refused?: Message }> {
  const { apiVersion, kind: kindName, name, labelSelector } = selector
  const kind = allKinds.find((each) => each.kind === kindName && apiVersionOf(each) === apiVersion) as Kind | undefined
  if (!kind) return { templates: [], refused: message('policies.lab.unknownKind', { kind: kindName, apiVersion }) }
  const namespace = kind.scope === 'Namespaced' ? (policy.metadata.namespace ?? selector.namespace) : undefined
  if (policy.metadata.namespace !== undefined && kind.scope === 'Cluster') return { templates: [] }
  if (selector.namespace && namespace !== selector.namespace && kind.scope === 'Namespaced') return { templates: [] }
  const labels = name || !labelSelector ? '' : selectorTexts(labelSelector).join(',')
  try {
    const { items } = await client.list(kind, {
      ...(namespace !== undefined && { namespace }),
      ...(labels !== '' && { labelSelector: labels }),
      ...(name && { fieldSelector: `metadata.name=${name}` }),
    })
    // The items of a list lack apiVersion and kind.
    const typed = items.map((item) => ({ ...item, apiVersion, kind: kindName }))
    return { templates: typed.filter((item) => isPropagatable(item) && !item.metadata.deletionTimestamp) }
  } catch (error) {
    if (!(error instanceof KubeError)) throw error
    return { templates: [], refused: message('policies.lab.unlisted', { kind: kindName, reason: error.message }) }
  }
}

const refOf = ({ apiVersion, kind, metadata: { namespace, name } }: KubeObject) => ({
  apiVersion,
  kind,
  ...(namespace !== undefined && { namespace }),
  name,
})

/** Builds the binding that the detector would create. */
function newBinding(template: KubeObject, policy: Policy): AnyBinding {
  return buildBinding({ template, policy, replicas: replicasOf(template) }) as AnyBinding
}

function replicasOf(template: KubeObject): Replicas | undefined {
  try {
    return interpretReplicas(template as UnknownObject)
  } catch (error) {
    if (error instanceof InterpretError) return undefined
    throw error
  }
}

/** Returns the override policies that changed copies of these workloads. */
function overridesOf(bindings: readonly AnyBinding[], reader: ReadModel): LabView['overrides'] {
  const found = new Map<string, { kind: string; name: string; workloads: Set<AnyBinding>; clusters: Set<string> }>()
  for (const binding of bindings) {
    for (const { policy, cluster } of projectOverrides(reader.works(binding) ?? [])) {
      const key = `${policy.kind}/${policy.name}`
      const entry = found.get(key) ?? { ...policy, workloads: new Set(), clusters: new Set() }
      found.set(key, entry)
      entry.workloads.add(binding)
      entry.clusters.add(cluster)
    }
  }
  return [...found.values()].map(({ kind, name, workloads, clusters }) => ({
    kind,
    name,
    workloads: workloads.size,
    clusters: clusters.size,
  }))
}
