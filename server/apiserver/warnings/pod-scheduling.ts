/** Warnings about where pods are to run: labels of nodes that have other names now, and selectors that match nothing. */
import type { PodSpec } from '@/lib/kube/kinds'
import { checkLabelValue } from '@/lib/kube/validation/formats'
import { ownField } from '@/lib/std/fields'

const OLD_LABELS: Readonly<Record<string, string>> = {
  'beta.kubernetes.io/arch': 'deprecated since v1.14; use "kubernetes.io/arch" instead',
  'beta.kubernetes.io/os': 'deprecated since v1.14; use "kubernetes.io/os" instead',
  'failure-domain.beta.kubernetes.io/region': 'deprecated since v1.17; use "topology.kubernetes.io/region" instead',
  'failure-domain.beta.kubernetes.io/zone': 'deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
  'beta.kubernetes.io/instance-type': 'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead',
  'app.kubernetes.io/created-by': 'deprecated since v1.9',
  'scheduler.alpha.kubernetes.io/preferAvoidPods': 'deprecated since v1.22; use Taints and Tolerations instead',
  'node-role.kubernetes.io/master': 'use "node-role.kubernetes.io/control-plane" instead',
}

/** What is said of a label of nodes that has another name now. */
export const adviceOnLabel = (key: string): string | undefined => ownField(OLD_LABELS, key)

interface Requirement {
  key: string
  values?: readonly string[]
}

/** Of a term that selects nodes. `withValues` also judges the values. */
export function termWarnings(
  { matchExpressions = [] }: { matchExpressions?: readonly Requirement[] },
  path: string,
  withValues = false,
): string[] {
  return matchExpressions.flatMap(({ key, values = [] }, index) => {
    const at = `${path}.matchExpressions[${index}]`
    const advice = adviceOnLabel(key)
    return [
      ...(advice === undefined ? [] : [`${at}.key: ${key} is ${advice}`]),
      ...(withValues ? values : []).flatMap((value, place) =>
        checkLabelValue(value).map((problem) => `${at}.values[${place}]: ${value} is invalid, ${problem}`),
      ),
    ]
  })
}

const NULL_SELECTOR = 'a null labelSelector results in matching no pod'

export function schedulingWarnings(spec: PodSpec, path: string): string[] {
  const { nodeSelector = {}, affinity, topologySpreadConstraints = [] } = spec
  const { requiredDuringSchedulingIgnoredDuringExecution: required, preferredDuringSchedulingIgnoredDuringExecution } =
    affinity?.nodeAffinity ?? {}
  const ofNodes = `${path}.affinity.nodeAffinity`
  return [
    ...Object.keys(nodeSelector).flatMap((key) => {
      const advice = adviceOnLabel(key)
      return advice === undefined ? [] : [`${path}.nodeSelector[${key}]: ${advice}`]
    }),
    ...(required?.nodeSelectorTerms ?? []).flatMap((term, index) =>
      termWarnings(term, `${ofNodes}.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[${index}]`),
    ),
    ...(preferredDuringSchedulingIgnoredDuringExecution ?? []).flatMap(({ preference = {} }, index) =>
      termWarnings(preference, `${ofNodes}.preferredDuringSchedulingIgnoredDuringExecution[${index}].preference`, true),
    ),
    ...topologySpreadConstraints.flatMap(({ topologyKey, labelSelector }, index) => {
      const at = `${path}.topologySpreadConstraints[${index}]`
      const advice = adviceOnLabel(topologyKey)
      return [
        ...(advice === undefined ? [] : [`${at}.topologyKey: ${topologyKey} is ${advice}`]),
        ...(labelSelector ? [] : [`${at}.labelSelector: ${NULL_SELECTOR}`]),
      ]
    }),
  ]
}

/** Of pods that are to run beside others, or not. */
export function affinityWarnings({ affinity }: PodSpec, path: string): string[] {
  return (['podAffinity', 'podAntiAffinity'] as const).flatMap((name) => {
    const {
      requiredDuringSchedulingIgnoredDuringExecution: required = [],
      preferredDuringSchedulingIgnoredDuringExecution: preferred = [],
    } = affinity?.[name] ?? {}
    const at = `${path}.affinity.${name}`
    return [
      ...required.flatMap(({ labelSelector }, index) =>
        labelSelector
          ? []
          : [`${at}.requiredDuringSchedulingIgnoredDuringExecution[${index}].labelSelector: ${NULL_SELECTOR}`],
      ),
      ...preferred.flatMap(({ podAffinityTerm: { labelSelector } = { topologyKey: '' } }, index) =>
        labelSelector
          ? []
          : [
              `${at}.preferredDuringSchedulingIgnoredDuringExecution[${index}].podAffinityTerm.labelSelector: `
                + NULL_SELECTOR,
            ],
      ),
    ]
  })
}
