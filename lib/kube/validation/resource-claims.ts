/** The rules of the devices that a pod claims, and that its containers use. */
import { repeats } from '@/lib/std/repeats'
import { duplicateField, type FieldError, invalidField, requiredField } from '../field-error'
import type { Container, PodSpec } from '../kinds'
import { checkDnsLabel, checkSubdomain } from './formats'
import { dumped } from './pod-dump'

type PodClaim = NonNullable<PodSpec['resourceClaims']>[number]

/** Claims: named differently, each of an object or of a template for one. */
export function validatePodClaims(claims: readonly PodClaim[], field: string): FieldError[] {
  const isRepeated = repeats()
  return claims.flatMap((claim, index) => {
    const { name, resourceClaimName, resourceClaimTemplateName } = claim
    const at = `${field}[${index}]`
    const wrong = (rule: string): FieldError => invalidField(at, dumped('PodResourceClaim', claim), rule)
    const count = [resourceClaimName, resourceClaimTemplateName].filter((one) => one !== undefined).length
    return [
      ...(name ? validateName(name, `${at}.name`, isRepeated(name)) : [requiredField(`${at}.name`)]),
      ...(count === 2
        ? [wrong('at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified')]
        : []),
      ...(count === 0 ? [wrong('must specify one of: `resourceClaimName`, `resourceClaimTemplateName`')] : []),
      ...validateObjectName(resourceClaimName, `${at}.resourceClaimName`),
      ...validateObjectName(resourceClaimTemplateName, `${at}.resourceClaimTemplateName`),
    ]
  })
}

function validateName(name: string, field: string, isTaken: boolean): FieldError[] {
  if (isTaken) return [duplicateField(field, name)]
  return checkDnsLabel(name).map((problem) => invalidField(field, name, problem))
}

function validateObjectName(name: string | undefined, field: string): FieldError[] {
  return name === undefined ? [] : checkSubdomain(name).map((problem) => invalidField(field, name, problem))
}

type UsedClaim = NonNullable<NonNullable<Container['resources']>['claims']>[number]

/** Uses of claims that the pod has: of all that a claim holds, or of single requests. */
export function validateUsedClaims(
  used: readonly UsedClaim[],
  claims: ReadonlySet<string>,
  field: string,
): FieldError[] {
  const seen = new Set<string>()
  return used.flatMap(({ name = '', request }, index) => {
    const at = `${field}[${index}]`
    if (!name) return [requiredField(at)]
    const twice = repeatedKey(seen, name, request)
    if (!seen.has(name)) seen.add(request ? `${name}/${request}` : name)
    const malformed = request && twice !== name ? checkDnsLabel(request) : []
    const list = claims.size === 0 ? ' which is empty' : `: ${[...claims].toSorted().join(', ')}`
    return [
      ...malformed.map((problem) => invalidField(`${at}.request`, request, problem)),
      ...(twice === undefined ? [] : [duplicateField(at, twice)]),
      ...(claims.has(name)
        ? []
        : [unknownClaim(at, name, `must be one of the names in pod.spec.resourceClaims${list}`)]),
    ]
  })
}

/** What an earlier use holds of the same. */
function repeatedKey(seen: ReadonlySet<string>, name: string, request: string | undefined): string | undefined {
  if (seen.has(name)) return name
  if (request) return seen.has(`${name}/${request}`) ? `${name}/${request}` : undefined
  return [...seen].some((key) => key.startsWith(`${name}/`)) ? name : undefined
}

function unknownClaim(field: string, name: string, detail: string): FieldError {
  return { reason: 'FieldValueNotFound', field, message: `Not found: ${JSON.stringify(name)}: ${detail}` }
}
