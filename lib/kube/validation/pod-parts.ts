/** The rules of what a pod mounts, and of where and for how long it may run. */
import {
  duplicateField,
  type FieldError,
  forbiddenField,
  invalidField,
  notFoundField,
  requiredField,
  unsupportedField,
} from '../field-error'
import type { Container, PodSpec, Volume } from '../kinds'
import { checkDnsLabel, checkQualifiedName, checkSubdomain } from './formats'
import { validateLabels } from './object-meta'

/** Fields without which a volume of that type leads nowhere. */
const NEEDED: Readonly<Record<string, string>> = {
  hostPath: 'path',
  configMap: 'name',
  secret: 'secretName',
  persistentVolumeClaim: 'claimName',
}

/** Volumes: named differently, each of one type. Also gives the names that may be mounted. */
export function validateVolumes(
  volumes: readonly Volume[],
  field: string,
): { findings: FieldError[]; names: Set<string> } {
  const names = new Set<string>()
  const findings = volumes.flatMap((volume, index) => {
    const at = `${field}[${index}]`
    const found = [...validateName(volume.name, `${at}.name`, names), ...validateType(volume, at)]
    if (volume.name) names.add(volume.name)
    return found
  })
  return { findings, names }
}

function validateName(name: string | undefined, field: string, taken: ReadonlySet<string>): FieldError[] {
  if (!name) return [requiredField(field)]
  if (taken.has(name)) return [duplicateField(field, name)]
  return checkDnsLabel(name).map((problem) => invalidField(field, name, problem))
}

function validateType({ name: _name, ...sources }: Volume, field: string): FieldError[] {
  const [first, ...others] = Object.keys(sources)
  const needed = first === undefined ? undefined : NEEDED[first]
  const source = sources[first as keyof typeof sources] as Record<string, unknown> | undefined
  return [
    ...(needed && !source?.[needed] ? [requiredField(`${field}.${first}.${needed}`)] : []),
    ...others.map((type) => forbiddenField(`${field}.${type}`, 'may not specify more than 1 volume type')),
  ]
}

type Mounts = NonNullable<Container['volumeMounts']>

/** Mounts: of volumes that are there, each at a place of its own. */
export function validateMounts(mounts: Mounts, field: string, volumes: ReadonlySet<string>): FieldError[] {
  const paths = new Set<string>()
  return mounts.flatMap(({ name, mountPath }, index) => {
    const at = `${field}[${index}]`
    const twice =
      mountPath && paths.has(mountPath) ? [invalidField(`${at}.mountPath`, mountPath, 'must be unique')] : []
    paths.add(mountPath)
    return [
      ...validateReference(name, `${at}.name`, volumes),
      ...(mountPath ? [] : [requiredField(`${at}.mountPath`)]),
      ...twice,
    ]
  })
}

function validateReference(name: string | undefined, field: string, volumes: ReadonlySet<string>): FieldError[] {
  if (!name) return [requiredField(field)]
  return volumes.has(name) ? [] : [notFoundField(field, name)]
}

const LONGEST = 2_147_483_647

/** Where the pod may run, under which names, and for how long. */
export function validateHostFields(spec: PodSpec, field: string): FieldError[] {
  const { activeDeadlineSeconds: deadline, hostname, subdomain, nodeName, serviceAccountName } = spec
  const overdue = deadline !== undefined && (deadline < 1 || deadline > LONGEST)
  const checked = (name: string, value: string | undefined, check: (value: string) => string[]): FieldError[] =>
    value ? check(value).map((problem) => invalidField(`${field}.${name}`, value, problem)) : []
  return [
    ...(overdue
      ? [invalidField(`${field}.activeDeadlineSeconds`, deadline, `must be between 1 and ${LONGEST}, inclusive`)]
      : []),
    ...validateLabels(spec.nodeSelector, `${field}.nodeSelector`),
    ...checked('serviceAccountName', serviceAccountName, checkSubdomain),
    ...checked('nodeName', nodeName, checkSubdomain),
    ...checked('hostname', hostname, checkDnsLabel),
    ...checked('subdomain', subdomain, checkDnsLabel),
    ...validateTolerations(spec.tolerations ?? [], `${field}.tolerations`),
  ]
}

type Toleration = NonNullable<PodSpec['tolerations']>[number]
const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute']

/** Tolerations: a key that a taint could have, and what its operator and effect allow. */
export function validateTolerations(tolerations: readonly Toleration[], field: string): FieldError[] {
  return tolerations.flatMap((toleration, index) => validateToleration(toleration, `${field}[${index}]`))
}

function validateToleration(
  { key, operator = 'Equal', value, effect, tolerationSeconds }: Toleration,
  field: string,
): FieldError[] {
  const keyless = !key && operator !== 'Exists'
  const keylessRule = 'operator must be Exists when `key` is empty, which means "match all values and all keys"'
  const operators = ['Equal', 'Exists']
  return [
    ...(key ? checkQualifiedName(key).map((problem) => invalidField(`${field}.key`, key, problem)) : []),
    ...(keyless ? [invalidField(`${field}.operator`, operator, keylessRule)] : []),
    ...(tolerationSeconds !== undefined && effect !== 'NoExecute'
      ? [invalidField(`${field}.effect`, effect ?? '', "effect must be 'NoExecute' when `tolerationSeconds` is set")]
      : []),
    ...(operator === 'Exists' && value
      ? [invalidField(`${field}.operator`, value, "value must be empty when `operator` is 'Exists'")]
      : []),
    ...(operators.includes(operator) ? [] : [unsupportedField(`${field}.operator`, operator, operators)]),
    ...(effect && !EFFECTS.includes(effect) ? [unsupportedField(`${field}.effect`, effect, EFFECTS)] : []),
  ]
}
