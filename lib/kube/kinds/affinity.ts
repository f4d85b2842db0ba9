/** Scheduling rules of pods: node and pod affinity, tolerations, topology spread. */
import { type Infer, int32, int64, map, object, oneOf, string } from '../schema'
import { atomicList, atomicStrings } from './lists'

/** One requirement on a label or field: `key operator values`. */
export const requirement = object(
  { key: string(), operator: string(), values: atomicStrings() },
  { required: ['key', 'operator'] },
)

/** `metav1.LabelSelector`. */
export const labelSelector = object(
  { matchExpressions: atomicList(requirement), matchLabels: map(string()) },
  { 'x-kubernetes-map-type': 'atomic' },
)

/** `v1.NodeSelectorTerm`: all of its requirements must hold. */
export const nodeSelectorTerm = object(
  { matchExpressions: atomicList(requirement), matchFields: atomicList(requirement) },
  { 'x-kubernetes-map-type': 'atomic' },
)

/** `v1.NodeSelector`: one of its terms must hold. */
export const nodeSelector = object(
  { nodeSelectorTerms: atomicList(nodeSelectorTerm) },
  { required: ['nodeSelectorTerms'], 'x-kubernetes-map-type': 'atomic' },
)

const podAffinityTerm = object(
  {
    labelSelector,
    matchLabelKeys: atomicStrings(),
    mismatchLabelKeys: atomicStrings(),
    namespaceSelector: labelSelector,
    namespaces: atomicStrings(),
    topologyKey: string(),
  },
  { required: ['topologyKey'] },
)

const podAffinity = object({
  preferredDuringSchedulingIgnoredDuringExecution: atomicList(
    object({ podAffinityTerm, weight: int32() }, { required: ['podAffinityTerm', 'weight'] }),
  ),
  requiredDuringSchedulingIgnoredDuringExecution: atomicList(podAffinityTerm),
})

/** `v1.Affinity` of a pod. */
export const affinity = object({
  nodeAffinity: object({
    preferredDuringSchedulingIgnoredDuringExecution: atomicList(
      object({ preference: nodeSelectorTerm, weight: int32() }, { required: ['preference', 'weight'] }),
    ),
    requiredDuringSchedulingIgnoredDuringExecution: nodeSelector,
  }),
  podAffinity,
  podAntiAffinity: podAffinity,
})

/** `v1.Toleration`. */
export const toleration = object({
  effect: string(),
  key: string(),
  operator: string(),
  tolerationSeconds: int64(),
  value: string(),
})

/** `v1.TopologySpreadConstraint`. */
export const topologySpreadConstraint = object(
  {
    labelSelector,
    matchLabelKeys: atomicStrings(),
    maxSkew: int32(),
    minDomains: int32(),
    nodeAffinityPolicy: oneOf(['Honor', 'Ignore']),
    nodeTaintsPolicy: oneOf(['Honor', 'Ignore']),
    topologyKey: string(),
    whenUnsatisfiable: oneOf(['DoNotSchedule', 'ScheduleAnyway']),
  },
  { required: ['maxSkew', 'topologyKey', 'whenUnsatisfiable'] },
)

export type LabelSelector = Infer<typeof labelSelector>
export type NodeSelector = Infer<typeof nodeSelector>
export type NodeSelectorTerm = Infer<typeof nodeSelectorTerm>
export type Affinity = Infer<typeof affinity>
export type Toleration = Infer<typeof toleration>
export type TopologySpreadConstraint = Infer<typeof topologySpreadConstraint>
