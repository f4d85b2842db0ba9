/** The rules of what a pod mounts, and of where and for how long it may run. */
import { repeats } from '@/lib/std/repeats'
import {
  duplicateField,
  type FieldError,
  forbiddenField,
  invalidField,
  notFoundField,
  requiredField,
  unsupportedField,
  validateChoice,
} from '../field-error'
import type { Container, PodSpec, Volume } from '../kinds'
import { validateAddress } from './addresses'
import { checkDnsLabel, checkQualifiedName, checkSubdomain } from './formats'
import { validateFiles } from './volume-files'

/** Fields without which a volume of that type leads nowhere. */
const NEEDED: Readonly<Record<string, string>> = {
  hostPath: 'path',
  configMap: 'name',
  secret: 'secretName',
  persistentVolumeClaim: 'claimName',
}

/** Types in the order in which they are read; all others come between. */
const FIRST = ['emptyDir', 'hostPath', 'secret', 'nfs', 'persistentVolumeClaim']
const LAST = ['downwardAPI', 'configMap', 'projected', 'csi', 'ephemeral', 'image']

function orderOf(type: string): number {
  const [first, last] = [FIRST.indexOf(type), LAST.indexOf(type)]
  if (first >= 0) return first
  return last < 0 ? FIRST.length : FIRST.length + 1 + last
}

/** Volumes: each of one type, and named differently. Also gives the names that may be mounted. */
export function validateVolumes(
  volumes: readonly Volume[],
  field: string,
): { findings: FieldError[]; names: Set<string> } {
  const names = new Set<string>()
  const findings = volumes.flatMap((volume, index) => {
    const at = `${field}[${index}]`
    const found = [...validateType(volume, at), ...validateName(volume.name, `${at}.name`, names)]
    // An invalid volume cannot be mounted.
    if (volume.name && found.length === 0) names.add(volume.name)
    return found
  })
  return { findings, names }
}

function validateName(name: string | undefined, field: string, taken: ReadonlySet<string>): FieldError[] {
  if (!name) return [requiredField(field)]
  if (taken.has(name)) return [duplicateField(field, name)]
  return checkDnsLabel(name).map((problem) => invalidField(field, name, problem))
}

function validateType(volume: Volume, field: string): FieldError[] {
  const { name: _name, ...sources } = volume
  const [first, ...others] = Object.keys(sources).toSorted((a, b) => orderOf(a) - orderOf(b))
  const needed = first === undefined ? undefined : NEEDED[first]
  const source = sources[first as keyof typeof sources] as Record<string, unknown> | undefined
  return [
    ...(needed && !source?.[needed] ? [requiredField(`${field}.${first}.${needed}`)] : []),
    ...(first === undefined ? [] : validateFiles({ name: '', [first]: source }, field)),
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
  const missing = volumes.has(name ?? '') ? [] : [notFoundField(field, name ?? '')]
  return name ? missing : [requiredField(field), ...missing]
}

const LONGEST = 2_147_483_647

/** The readiness gates and scheduling gates of a pod. */
export function validateGates({ readinessGates = [], schedulingGates = [] }: PodSpec, field: string): FieldError[] {
  const isRepeated = repeats()
  return [
    ...readinessGates.flatMap(({ conditionType = '' }, index) =>
      checkQualifiedName(conditionType).map((problem) =>
        invalidField(`${field}.readinessGates[${index}].conditionType`, conditionType, problem),
      ),
    ),
    ...schedulingGates.flatMap(({ name = '' }, index) => {
      const at = `${field}.schedulingGates[${index}]`
      const twice = isRepeated(name) ? [duplicateField(at, name)] : []
      return [...checkQualifiedName(name).map((problem) => invalidField(at, name, problem)), ...twice]
    }),
  ]
}

/** The names that a pod runs under or on, and its deadline. */
export function validateNames(spec: PodSpec, field: string): FieldError[] {
  const { activeDeadlineSeconds: deadline, hostname, subdomain, nodeName, serviceAccountName } = spec
  const overdue = deadline !== undefined && (deadline < 1 || deadline > LONGEST)
  return [
    ...named(`${field}.serviceAccountName`, serviceAccountName, checkSubdomain),
    ...named(`${field}.nodeName`, nodeName, checkSubdomain),
    ...(overdue
      ? [invalidField(`${field}.activeDeadlineSeconds`, deadline, `must be between 1 and ${LONGEST}, inclusive`)]
      : []),
    ...named(`${field}.hostname`, hostname, checkDnsLabel),
    ...named(`${field}.subdomain`, subdomain, checkDnsLabel),
  ]
}

function named(field: string, value: string | undefined, check: (value: string) => string[]): FieldError[] {
  return value ? check(value).map((problem) => invalidField(field, value, problem)) : []
}

/** The tolerations, host aliases, classes and preemption policy of a pod. */
export function validateHostFields(spec: PodSpec, field: string): FieldError[] {
  const { hostAliases = [], preemptionPolicy } = spec
  const policies = ['PreemptLowerPriority', 'Never']
  return [
    ...validateTolerations(spec.tolerations ?? [], `${field}.tolerations`),
    ...hostAliases.flatMap(({ ip = '', hostnames = [] }, index) => [
      ...validateAddress(ip, `${field}.hostAliases[${index}].ip`),
      ...hostnames.flatMap((name, at) =>
        checkSubdomain(name).map((problem) =>
          invalidField(`${field}.hostAliases[${index}].hostnames[${at}]`, name, problem),
        ),
      ),
    ]),
    ...named(`${field}.priorityClassName`, spec.priorityClassName, checkSubdomain),
    ...named(`${field}.runtimeClassName`, spec.runtimeClassName, checkSubdomain),
    ...validateChoice(preemptionPolicy, policies, `${field}.preemptionPolicy`),
  ]
}

type Toleration = NonNullable<PodSpec['tolerations']>[number]
const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute']

/** Tolerations: a key that a taint could have, and what its operator and effect allow. */
export function validateTolerations(tolerations: readonly Toleration[], field: string): FieldError[] {
  return tolerations.flatMap((toleration, index) => validateToleration(toleration, `${field}[${index}]`))
}

function validateToleration(
  { key, operator: given, value, effect, tolerationSeconds }: Toleration,
  field: string,
): FieldError[] {
  const operator = given ?? 'Equal'
  const keyless = !key && operator !== 'Exists'
  const keylessRule = 'operator must be Exists when `key` is empty, which means "match all values and all keys"'
  const operators = ['Equal', 'Exists']
  return [
    ...(key ? checkQualifiedName(key).map((problem) => invalidField(`${field}.key`, key, problem)) : []),
    ...(keyless ? [invalidField(`${field}.operator`, given ?? '', keylessRule)] : []),
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
