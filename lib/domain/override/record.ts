/** Records in a Work which overrides were applied to its manifest. */
import type { Overriders } from '../../kube/kinds/override-spec'
import { APPLIED_CLUSTER_OVERRIDES_ANNOTATION, APPLIED_OVERRIDES_ANNOTATION } from '../../kube/names'
import type { OverrideStep } from './select'

/**
 * Returns the annotations that list the applied rules, byte for byte as upstream writes them: one entry per rule,
 * sorted by policy. No annotation without rules.
 */
export function recordOverrides(steps: readonly OverrideStep[]): Record<string, string> {
  const inCluster = steps.filter(({ policy }) => policy.metadata.namespace === undefined)
  const inNamespace = steps.filter(({ policy }) => policy.metadata.namespace !== undefined)
  return {
    ...(inCluster.length > 0 && { [APPLIED_CLUSTER_OVERRIDES_ANNOTATION]: write(inCluster) }),
    ...(inNamespace.length > 0 && { [APPLIED_OVERRIDES_ANNOTATION]: write(inNamespace) }),
  }
}

function write(steps: readonly OverrideStep[]): string {
  const entries = steps
    .map(({ policy, overriders }) => ({ policyName: policy.metadata.name, overriders: inOrder(overriders) }))
    .toSorted((left, right) => compare(left.policyName, right.policyName))
  return JSON.stringify(entries).replace(ESCAPED, escape)
}

const compare = (left: string, right: string): number => Number(left > right) - Number(left < right)

const ESCAPED = /[<>&\u2028\u2029]/g
const escape = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`

/**
 * Returns the fields in their declared order, without empty ones. Patches always have a value, null if there is none.
 */
function inOrder(overriders: Overriders): object {
  const { plaintext, imageOverrider, commandOverrider, argsOverrider, fieldOverrider } = overriders
  return withoutEmpty({
    plaintext: plaintext?.map(({ path, operator, value = null }) => ({ path, operator, value })),
    imageOverrider: imageOverrider?.map(({ predicate, component, operator, value }) =>
      withoutEmpty({ predicate, component, operator, value }),
    ),
    commandOverrider: commandOverrider?.map(inCommandOrder),
    argsOverrider: argsOverrider?.map(inCommandOrder),
    labelsOverrider: overriders.labelsOverrider?.map(inWordsOrder),
    annotationsOverrider: overriders.annotationsOverrider?.map(inWordsOrder),
    fieldOverrider: fieldOverrider?.map(({ fieldPath, json, yaml }) =>
      withoutEmpty({ fieldPath, json: json?.map(inSubPathOrder), yaml: yaml?.map(inSubPathOrder) }),
    ),
  })
}

type Item<K extends keyof Overriders> = NonNullable<Overriders[K]>[number]
type Operation = NonNullable<Item<'fieldOverrider'>['json']>[number]

const inCommandOrder = ({ containerName, operator, value }: Item<'commandOverrider'>): object =>
  withoutEmpty({ containerName, operator, value })
const inSubPathOrder = ({ subPath, operator, value = null }: Operation): object => ({ subPath, operator, value })

function inWordsOrder({ operator, value }: Item<'labelsOverrider'>): object {
  const sorted = Object.fromEntries(Object.entries(value).toSorted(([left], [right]) => compare(left, right)))
  return Object.keys(sorted).length === 0 ? { operator } : { operator, value: sorted }
}

function withoutEmpty(fields: Record<string, unknown>): object {
  return Object.fromEntries(
    Object.entries(fields).filter(
      ([, value]) => value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0),
    ),
  )
}
