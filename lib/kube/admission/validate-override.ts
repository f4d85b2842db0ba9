/** The rules of an override policy's spec that the schema cannot express. */
import { type FieldError, invalidField } from '../field-error'
import type { Overriders, OverrideSpec } from '../kinds'
import { validateAnnotations, validateLabels } from '../validation/object-meta'
import { inDeclaredOrder } from './go-json'
import { validateFieldSelector } from './validate-placement'

/** Validates an override policy, rule by rule. */
export function validateOverrideSpec({ overrideRules, overriders, targetCluster }: OverrideSpec): FieldError[] {
  const rules = overrideRules ?? []
  const mixed = rules.length > 0 && (targetCluster !== undefined || !isEmpty(overriders))
  return [
    ...(mixed
      ? [invalid('spec.overrideRules', rules, "overrideRules and (overriders or targetCluster) can't co-exist")]
      : []),
    ...validateFieldSelector(targetCluster?.fieldSelector, 'spec.targetCluster.fieldSelector'),
    ...rules.flatMap((rule, index) => [
      ...validateOverriders(rule.overriders, `spec.overrideRules[${index}].overriders`),
      ...validateFieldSelector(
        rule.targetCluster?.fieldSelector,
        `spec.overrideRules[${index}].targetCluster.fieldSelector`,
      ),
    ]),
  ]
}

function isEmpty(overriders: Overriders | undefined): boolean {
  return Object.values(overriders ?? {}).every((list) => !list?.length)
}

function validateOverriders(
  { annotationsOverrider, labelsOverrider, imageOverrider, fieldOverrider }: Overriders,
  field: string,
): FieldError[] {
  return [
    ...(annotationsOverrider ?? []).flatMap(({ value }, index) =>
      validateAnnotations(value, `${field}.annotationsOverrider[${index}].value`),
    ),
    ...(labelsOverrider ?? []).flatMap(({ value }, index) =>
      validateLabels(value, `${field}.labelsOverrider[${index}].value`),
    ),
    ...(imageOverrider ?? []).flatMap(({ predicate }, index) =>
      predicate ? validatePointer(predicate.path, `${field}.imageOverrider[${index}].predicate.path`) : [],
    ),
    ...(fieldOverrider ?? []).flatMap((overrider, index) =>
      validateFieldOverrider(overrider, `${field}.fieldOverrider[${index}]`),
    ),
  ]
}

type FieldOverrider = NonNullable<Overriders['fieldOverrider']>[number]

function validateFieldOverrider(overrider: FieldOverrider, field: string): FieldError[] {
  const { fieldPath, json = [], yaml = [] } = overrider
  const both = json.length > 0 && yaml.length > 0
  return [
    ...(both ? [invalid(field, overrider, 'FieldOverrider has both YAML and JSON set. Only one is allowed')] : []),
    ...validatePointer(fieldPath, `${field}.fieldPath`),
    ...json.flatMap(({ subPath }, index) => validatePointer(subPath, `${field}.json[${index}].subPath`)),
    ...yaml.flatMap(({ subPath }, index) => validatePointer(subPath, `${field}.yaml[${index}].subPath`)),
  ]
}

/** RFC 6901: empty, or starting with a slash. */
function validatePointer(pointer: string, field: string): FieldError[] {
  if (pointer === '' || pointer.startsWith('/')) return []
  return [invalidField(field, pointer, 'JSON pointer must be empty or start with a "/"')]
}

function invalid(field: string, value: unknown, detail: string): FieldError {
  return invalidField(field, inDeclaredOrder(value), detail)
}
