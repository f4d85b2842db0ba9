/** How the pods of a workload are spread over parts of a cluster, in order: OpenKruise's WorkloadSpread. */
import { isFields } from '@/lib/std/fields'
import { omit } from '@/lib/std/omit'
import { defineKind, type Kind, type ObjectOf } from '../kind'
import type { UnknownObject } from '../object'
import {
  type Infer,
  type Schema,
  array,
  boolean,
  int32,
  int64,
  intOrString,
  map,
  object,
  oneOf,
  string,
  time,
} from '../schema'
import { labelSelector, nodeSelectorTerm, toleration } from './affinity'
import { condition } from './condition'

/** Any JSON value. */
const raw: Schema<Record<string, unknown>> = { 'x-kubernetes-preserve-unknown-fields': true }

const preferredTerms = array(
  object({ preference: nodeSelectorTerm, weight: int32() }, { required: ['preference', 'weight'] }),
)

const subsetFields = { maxReplicas: intOrString(), name: string(), patch: raw, tolerations: array(toleration) }

/** One part of the cluster. Earlier ones are filled first and emptied last; without `maxReplicas` there is no limit. */
export const spreadSubset = object(
  { ...subsetFields, preferredNodeSelector: preferredTerms, requiredNodeSelector: nodeSelectorTerm },
  { required: ['name'] },
)

const firstSubset = object(
  { ...subsetFields, preferredNodeSelectorTerms: preferredTerms, requiredNodeSelectorTerm: nodeSelectorTerm },
  { required: ['name'] },
)

const firstCondition = object(
  { lastTransitionTime: time(), message: string(), reason: string(), status: string(), type: string() },
  { required: ['status', 'type'] },
)

const rowFields = {
  creatingPods: map(time()),
  deletingPods: map(time()),
  missingReplicas: int32(),
  name: string(),
  replicas: int32(),
}
const rowNeeds = ['missingReplicas', 'name', 'replicas'] as const

/** Status of one subset. `missingReplicas` is -1 without a limit. */
export const subsetStatus = object(
  {
    ...rowFields,
    conditions: array(condition, { 'x-kubernetes-list-map-keys': ['type'], 'x-kubernetes-list-type': 'map' }),
  },
  { required: rowNeeds },
)

const firstSubsetStatus = object({ ...rowFields, conditions: array(firstCondition) }, { required: rowNeeds })

const targetReference = object(
  { apiVersion: string(), kind: string(), name: string() },
  { required: ['apiVersion', 'kind', 'name'] },
)

const specWith = <T>(subset: Schema<T>) =>
  object(
    {
      scheduleStrategy: object({
        adaptive: object({ disableSimulationSchedule: boolean(), rescheduleCriticalSeconds: int32() }),
        type: oneOf(['Adaptive', 'Fixed', '']),
      }),
      subsets: array(subset),
      targetFilter: object({ replicasPathList: array(string()), selector: labelSelector }),
      targetRef: targetReference,
    },
    { required: ['subsets', 'targetRef'] },
  )

const statusWith = <T>(row: Schema<T>) =>
  object({ observedGeneration: int64(), subsetStatuses: array(row), versionedSubsetStatuses: map(array(row)) })

const spreadSpec = specWith(spreadSubset)
const spreadStatus = statusWith(subsetStatus)

const identity = {
  group: 'apps.kruise.io',
  kind: 'WorkloadSpread',
  plural: 'workloadspreads',
  shortNames: ['ws'],
  scope: 'Namespaced',
  origin: 'crd',
  subresources: { status: true },
  printerColumns: [
    { name: 'WorkloadName', type: 'string', jsonPath: '.spec.targetRef.name' },
    { name: 'WorkloadKind', type: 'string', jsonPath: '.spec.targetRef.kind' },
    { name: 'Adaptive', type: 'boolean', jsonPath: '.spec.scheduleStrategy.type[?(@ == "Adaptive")]' },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  ],
} as const

/** The version in which spreads are kept. */
export const workloadSpread = defineKind({
  ...identity,
  version: 'v1beta1',
  fields: object({ spec: spreadSpec, status: spreadStatus }),
})

export type WorkloadSpread = ObjectOf<typeof workloadSpread>
export type WorkloadSpreadSpec = Infer<typeof spreadSpec>
export type WorkloadSpreadStatus = Infer<typeof spreadStatus>
export type SpreadSubset = Infer<typeof spreadSubset>
export type SubsetStatus = Infer<typeof subsetStatus>

const first = {
  ...identity,
  version: 'v1alpha1',
  fields: object({ spec: specWith(firstSubset), status: statusWith(firstSubsetStatus) }),
} as const

/** The version in which spreads were first written: two fields of a subset have other names. */
export const workloadSpreadV1alpha1: Kind = {
  ...defineKind(first),
  storedAs: { group: identity.group, version: 'v1beta1', read: workloadSpreadToFirst, write: workloadSpreadFromFirst },
}

const FIRST = 'apps.kruise.io/v1alpha1'
const KEPT = 'apps.kruise.io/v1beta1'
/** Default reason of a condition, because the later version requires one. */
const NO_REASON = 'Unknown'

type Fields = Record<string, unknown>

/** A spread as v1alpha1 shows it. Conditions lose the generation that they were made for. */
export function workloadSpreadToFirst(spread: UnknownObject): UnknownObject {
  if (spread.apiVersion === FIRST) return spread
  return converted(spread, FIRST, {
    subset: (subset) =>
      renamed(
        renamed(subset, 'requiredNodeSelector', 'requiredNodeSelectorTerm'),
        'preferredNodeSelector',
        'preferredNodeSelectorTerms',
      ),
    condition: (kept) => omit(kept, 'observedGeneration'),
  })
}

/** A v1alpha1 spread as it is kept. */
export function workloadSpreadFromFirst(spread: UnknownObject): UnknownObject {
  if (spread.apiVersion === KEPT) return spread
  return converted(spread, KEPT, {
    subset: (subset) =>
      renamed(
        renamed(subset, 'requiredNodeSelectorTerm', 'requiredNodeSelector'),
        'preferredNodeSelectorTerms',
        'preferredNodeSelector',
      ),
    condition: (shown) => ({ message: '', ...shown, reason: shown.reason || NO_REASON }),
  })
}

interface Conversion {
  subset(subset: Fields): Fields
  condition(condition: Fields): Fields
}

function converted(spread: UnknownObject, apiVersion: string, conversion: Conversion): UnknownObject {
  const { spec, status, ...rest } = spread as UnknownObject & { spec?: Fields; status?: Fields }
  const subsets = spec?.subsets
  return {
    ...rest,
    apiVersion,
    ...(spec && { spec: Array.isArray(subsets) ? { ...spec, subsets: mapFields(subsets, conversion.subset) } : spec }),
    ...(status && { status: convertedStatus(status, conversion) }),
  }
}

function convertedStatus(status: Fields, { condition: convert }: Conversion): Fields {
  const row = (one: Fields): Fields =>
    Array.isArray(one.conditions) ? { ...one, conditions: mapFields(one.conditions, convert) } : one
  const rows = (list: unknown): unknown => (Array.isArray(list) ? mapFields(list, row) : list)
  const { subsetStatuses, versionedSubsetStatuses: versioned } = status
  return {
    ...status,
    ...(subsetStatuses !== undefined && { subsetStatuses: rows(subsetStatuses) }),
    ...(isFields(versioned) && {
      versionedSubsetStatuses: Object.fromEntries(Object.entries(versioned).map(([name, list]) => [name, rows(list)])),
    }),
  }
}

const mapFields = (list: readonly unknown[], convert: (one: Fields) => Fields): unknown[] =>
  list.map((one) => (isFields(one) ? convert(one) : one))

function renamed(fields: Fields, from: string, to: string): Fields {
  if (!Object.hasOwn(fields, from)) return fields
  const { [from]: value, ...rest } = fields
  return { ...rest, [to]: value }
}
