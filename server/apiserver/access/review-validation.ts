/** Validates access reviews. */
import { type FieldError, invalidError, invalidField, requiredField } from '@/lib/kube/field-error'
import type { SubjectAccessReview } from '@/lib/kube/kinds/access-reviews'
import type { UnknownObject } from '@/lib/kube/object'
import { validateLabelKey, validateLabelValues, validateSetOperator } from '@/lib/kube/validation/set-operators'

/** Throws 422. The text names no kind, as in Kubernetes. */
export function refuseBadReview(kind: string, question: UnknownObject): void {
  const review = question as unknown as SubjectAccessReview
  const errors = [
    ...(kind === 'SelfSubjectAccessReview' ? [] : checkSubject(review)),
    ...checkAttributes(review.spec ?? {}),
    ...checkMetadata(kind, review),
    ...(kind === 'LocalSubjectAccessReview' ? checkLocal(review) : []),
  ]
  if (errors.length > 0) throw invalidReview(errors)
}

function invalidReview(errors: readonly FieldError[]): unknown {
  const error = invalidError({ group: 'authorization.k8s.io', kind: '' }, '', errors)
  delete error.status.details?.kind
  return error
}

function checkSubject({ spec }: SubjectAccessReview): FieldError[] {
  const { user = '', groups = [] } = spec ?? {}
  if (user !== '' || groups.length > 0) return []
  return [invalidField('spec.user', '', 'at least one of user or group must be specified')]
}

function checkAttributes({ resourceAttributes, nonResourceAttributes }: SubjectAccessReview['spec']): FieldError[] {
  if (resourceAttributes && nonResourceAttributes) {
    return [wrongPath(nonResourceAttributes, 'cannot be specified in combination with resourceAttributes')]
  }
  if (resourceAttributes) {
    const { fieldSelector, labelSelector } = resourceAttributes
    const path = 'spec.resourceAttributes'
    return [
      ...checkSelector(fieldSelector, `${path}.fieldSelector`, checkFieldKey),
      ...checkSelector(labelSelector, `${path}.labelSelector`, checkLabel),
    ]
  }
  if (nonResourceAttributes) return []
  const why = 'exactly one of nonResourceAttributes or resourceAttributes must be specified'
  return [invalidField('spec.resourceAttributes', null, why)]
}

type Selector = NonNullable<NonNullable<SubjectAccessReview['spec']['resourceAttributes']>['fieldSelector']>

type Requirement = NonNullable<Selector['requirements']>[number]
type Check = (requirement: Partial<Requirement>, path: string) => FieldError[]

/** A selector is either text or a list of requirements. */
function checkSelector(selector: Selector | undefined, path: string, check: Check): FieldError[] {
  if (!selector) return []
  const { rawSelector = '', requirements = [] } = selector
  const [hasText, hasList] = [rawSelector !== '', requirements.length > 0]
  if (hasText && hasList)
    return [invalidField(`${path}.rawSelector`, rawSelector, 'may not specified at the same time as requirements')]
  if (hasList)
    return requirements.flatMap((requirement, index) => {
      const at = `${path}.requirements[${index}]`
      const { operator = '', values = [] } = requirement
      // Unknown operators are not judged: a newer authorizer may support them.
      const isKnown = KNOWN.has(operator)
      return [...(isKnown ? validateSetOperator(operator, values, at) : []), ...check(requirement, at)]
    })
  if (hasText) return []
  return [requiredField(`${path}.requirements`, `when ${path} is specified, requirements or rawSelector is required`)]
}

const KNOWN = new Set(['In', 'NotIn', 'Exists', 'DoesNotExist'])

const checkFieldKey: Check = ({ key }, path) => (key ? [] : [requiredField(`${path}.key`, 'must be specified')])

const checkLabel: Check = ({ key = '', values = [] }, path) => [
  ...validateLabelKey(key, path),
  ...validateLabelValues(values, path),
]

/** As a server of Go shows its own fields. */
function wrongPath({ path = '', verb = '' }: { path?: string; verb?: string }, why: string): FieldError {
  return invalidField('spec.nonResourceAttributes', { Path: path, Verb: verb }, why)
}

function checkMetadata(kind: string, { metadata }: SubjectAccessReview): FieldError[] {
  const { managedFields: _managed, namespace, ...rest } = metadata
  const local = kind === 'LocalSubjectAccessReview'
  const given = { ...(!local && namespace !== undefined && { namespace }), ...rest }
  if (Object.keys(given).length === 0) return []
  return [invalidField('metadata', given, local ? 'must be empty except for namespace' : 'must be empty')]
}

function checkLocal({ spec, metadata }: SubjectAccessReview): FieldError[] {
  const { resourceAttributes, nonResourceAttributes } = spec ?? {}
  const { namespace = '' } = resourceAttributes ?? {}
  return [
    ...(resourceAttributes && namespace !== metadata.namespace
      ? [invalidField('spec.resourceAttributes.namespace', namespace, 'must match metadata.namespace')]
      : []),
    ...(nonResourceAttributes ? [wrongPath(nonResourceAttributes, 'disallowed on this kind of request')] : []),
  ]
}
