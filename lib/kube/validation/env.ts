/** The rules of the variables of a container. */
import { type FieldError, invalidField, requiredField } from '../field-error'
import type { Container, EnvVar } from '../kinds'
import { validateAmountRef, validateFieldRef, VARIABLE_FIELDS } from './field-refs'
import { checkDnsLabel, checkSubdomain } from './formats'
import { validateKey } from './data'
import { validateBacksteps } from './volume-files'

const VARIABLE_RULE = "a valid environment variable name must consist only of printable ASCII characters other than '='"

function validateVariableName(name: string, field: string): FieldError[] {
  return /^[ -<>-~]*$/.test(name) ? [] : [invalidField(field, name, VARIABLE_RULE)]
}

/** Variables: named, and with a value from one place. */
export function validateEnv(env: readonly EnvVar[], field: string): FieldError[] {
  return env.flatMap((variable, index) => [
    ...(variable.name
      ? validateVariableName(variable.name, `${field}[${index}].name`)
      : [requiredField(`${field}[${index}].name`)]),
    ...(variable.valueFrom ? validateSource(variable, `${field}[${index}].valueFrom`) : []),
  ])
}

function validateSource({ value, valueFrom = {} }: EnvVar, field: string): FieldError[] {
  const count = Object.values(valueFrom).filter((source) => source !== undefined).length
  const rule = 'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`'
  const several = count > 1 ? [invalidField(field, '', 'may not have more than one field specified at a time')] : []
  const { fieldRef, resourceFieldRef, fileKeyRef } = valueFrom
  return [
    ...(fieldRef ? validateFieldRef(fieldRef, `${field}.fieldRef`, VARIABLE_FIELDS) : []),
    ...(resourceFieldRef ? validateAmountRef(resourceFieldRef, `${field}.resourceFieldRef`) : []),
    ...(['configMapKeyRef', 'secretKeyRef'] as const).flatMap((name) =>
      valueFrom[name] ? validateKeyRef(valueFrom[name], `${field}.${name}`) : [],
    ),
    ...(fileKeyRef ? validateFileKey(fileKeyRef, `${field}.fileKeyRef`) : []),
    ...(count === 0 ? [invalidField(field, '', rule)] : []),
    ...(value && count > 0 ? [invalidField(field, '', 'may not be specified when `value` is not empty')] : several),
  ]
}

function validateKeyRef({ name = '', key }: { name?: string; key?: string }, field: string): FieldError[] {
  return [
    ...checkSubdomain(name).map((problem) => invalidField(`${field}.name`, name, problem)),
    ...(key ? validateKey(key, `${field}.key`) : [requiredField(`${field}.key`)]),
  ]
}

/** A variable in a file of a volume. */
function validateFileKey(
  { key, volumeName, path }: { key?: string; volumeName?: string; path?: string },
  field: string,
): FieldError[] {
  return [
    ...(key ? validateVariableName(key, `${field}.key`) : [requiredField(`${field}.key`)]),
    ...(volumeName
      ? checkDnsLabel(volumeName).map((problem) => invalidField(`${field}.volumeName`, volumeName, problem))
      : [requiredField(`${field}.volumeName`)]),
    ...(path ? validateBacksteps(path, `${field}.path`) : [requiredField(`${field}.path`)]),
  ]
}

/** Everything of one ConfigMap or Secret. */
export function validateEnvFrom(sources: NonNullable<Container['envFrom']>, field: string): FieldError[] {
  return sources.flatMap(({ prefix, configMapRef, secretRef }, index) => {
    const at = `${field}[${index}]`
    const ofRef = (ref: { name?: string } | undefined, place: string): FieldError[] => {
      if (!ref) return []
      const { name } = ref
      if (!name) return [requiredField(`${place}.name`)]
      return checkSubdomain(name).map((problem) => invalidField(`${place}.name`, name, problem))
    }
    return [
      ...(prefix ? validateVariableName(prefix, `${at}.prefix`) : []),
      ...ofRef(configMapRef, `${at}.configMapRef`),
      ...ofRef(secretRef, `${at}.secretRef`),
      ...((configMapRef ?? secretRef)
        ? []
        : [invalidField(field, '', 'must specify one of: `configMapRef` or `secretRef`')]),
      ...(configMapRef && secretRef
        ? [invalidField(field, '', 'may not have more than one field specified at a time')]
        : []),
    ]
  })
}
