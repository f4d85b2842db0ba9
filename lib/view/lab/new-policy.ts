/** A policy that does not exist yet: its initial document, its scope, and its resource selectors as form fields. */
import { apiVersionOf } from '@/lib/kube/kind'
import { clusterPropagationPolicy } from '@/lib/kube/kinds/cluster-propagation-policy'
import { propagationPolicy } from '@/lib/kube/kinds/propagation-policy'
import type { PropagationSpec, ResourceSelector } from '@/lib/kube/kinds/propagation-spec'
import { selectorTexts } from '../project/placement'
import { type PolicyManifest, withField } from './document'
import { readLabelSelector } from './form'

export type { ResourceSelector }

/** Initial selector of a new policy. */
const FIRST_SELECTOR: ResourceSelector = { apiVersion: 'apps/v1', kind: 'Deployment' }

/** Returns a ClusterPropagationPolicy if there is no namespace. */
export function newPolicy(namespace: string | undefined): PolicyManifest {
  const spec = {
    resourceSelectors: [FIRST_SELECTOR],
    placement: { replicaScheduling: { replicaSchedulingType: 'Duplicated' } },
  }
  return {
    ...typeOf(namespace),
    metadata: { name: 'new-policy', ...(namespace !== undefined && { namespace }) },
    spec: spec as PropagationSpec,
  }
}

function typeOf(namespace: string | undefined): { apiVersion: string; kind: string } {
  const kind = namespace === undefined ? clusterPropagationPolicy : propagationPolicy
  return { apiVersion: apiVersionOf(kind), kind: kind.kind }
}

/** Returns the document in another namespace, or cluster-scoped. */
export function withScope(text: string, namespace: string | undefined): string {
  return withField(withField(text, ['kind'], typeOf(namespace).kind), ['metadata', 'namespace'], namespace)
}

/** Returns `apps/v1 Deployment`. */
export const kindText = ({ apiVersion, kind }: Pick<ResourceSelector, 'apiVersion' | 'kind'>): string =>
  `${apiVersion} ${kind}`

/** Returns undefined while the text is not an API version and a kind. */
export function readKind(typed: string): Pick<ResourceSelector, 'apiVersion' | 'kind'> | undefined {
  const [, apiVersion, kind] = /^\s*((?:[a-z0-9.-]+\/)?v[a-z0-9]+)\s+([A-Z]\w*)\s*$/.exec(typed) ?? []
  return apiVersion === undefined || kind === undefined ? undefined : { apiVersion, kind }
}

export const selectedLabels = ({ labelSelector }: ResourceSelector): string => selectorTexts(labelSelector).join(', ')

/** A field of a selector in the form. */
export type SelectorField = 'kind' | 'name' | 'namespace' | 'labels'

/** Returns the selector with one field changed; undefined while the text is invalid. */
export function editSelector(
  selector: ResourceSelector,
  field: SelectorField,
  typed: string,
): ResourceSelector | undefined {
  if (field === 'kind') {
    const kind = readKind(typed)
    return kind && { ...selector, ...kind }
  }
  if (field === 'labels') {
    const { labelSelector: _labels, ...rest } = selector
    const labels = readLabelSelector(typed)
    return labels && { ...rest, ...(labels.value && { labelSelector: labels.value }) }
  }
  const { [field]: _value, ...rest } = selector
  const value = typed.trim()
  return value === '' ? rest : { ...rest, [field]: value }
}

export const withSelector = (
  selectors: readonly ResourceSelector[],
  at: number,
  selector: ResourceSelector,
): ResourceSelector[] => selectors.map((each, index) => (index === at ? selector : each))

export const withoutSelector = (selectors: readonly ResourceSelector[], at: number): ResourceSelector[] =>
  selectors.filter((_, index) => index !== at)

export const withNewSelector = (selectors: readonly ResourceSelector[]): ResourceSelector[] => [
  ...selectors,
  FIRST_SELECTOR,
]
