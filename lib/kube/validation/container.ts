/** The rules of one container: what it runs, opens, reads and asks for. */
import { repeats } from '@/lib/std/repeats'
import {
  duplicateField,
  type FieldError,
  invalidField,
  requiredField,
  tooManyItems,
  validateChoice,
} from '../field-error'
import type { Container, PodSpec, Volume } from '../kinds'
import { validateEnv, validateEnvFrom } from './env'
import { checkDnsLabel } from './formats'
import { validateDevices, validateMounts } from './mounts'
import { validatePortName } from './numbers'
import { validateResources } from './resources'
import { validateContainerSecurity } from './security-context'

const MESSAGE_POLICIES = ['File', 'FallbackToLogsOnError']
const PULL_POLICIES = ['Always', 'IfNotPresent', 'Never']

/** What the rules of a container depend on. */
export interface PodContext {
  spec: PodSpec
  isPod: boolean
  /** The volumes that may be mounted, by their names. */
  volumes: ReadonlyMap<string, Volume>
  /** The names of the devices of the pod. */
  claims: ReadonlySet<string>
}

/** What every list of containers holds to. */
export function validateContainer(container: Container, field: string, context: PodContext): FieldError[] {
  const { name, image, terminationMessagePolicy, imagePullPolicy, resources } = container
  return [
    ...(name
      ? checkDnsLabel(name).map((problem) => invalidField(`${field}.name`, name, problem))
      : [requiredField(`${field}.name`)]),
    ...(image ? [] : [requiredField(`${field}.image`)]),
    ...validateChoice(terminationMessagePolicy, MESSAGE_POLICIES, `${field}.terminationMessagePolicy`),
    ...validatePorts(container.ports ?? [], `${field}.ports`),
    ...validateEnv(container.env ?? [], `${field}.env`),
    ...validateEnvFrom(container.envFrom ?? [], `${field}.envFrom`),
    ...validateMounts(container, context.volumes, `${field}.volumeMounts`),
    ...validateDevices(container, context.volumes, `${field}.volumeDevices`),
    ...validateChoice(imagePullPolicy, PULL_POLICIES, `${field}.imagePullPolicy`),
    ...validateResources(resources, `${field}.resources`, context.claims),
    ...validateResizing(container.resizePolicy ?? [], `${field}.resizePolicy`, context),
    ...validateContainerSecurity(
      container.securityContext,
      `${field}.securityContext`,
      context.spec.hostUsers !== false,
    ),
  ]
}

/** The image of a container of a pod is pulled as it is written. That of a template may be a placeholder. */
export function validateImage({ image = '' }: Container, field: string): FieldError[] {
  return image === image.trim()
    ? []
    : [invalidField(`${field}.image`, image, 'must not have leading or trailing whitespace')]
}

type Ports = NonNullable<Container['ports']>
const PROTOCOLS = ['SCTP', 'TCP', 'UDP']

/** Ports: numbers that exist, and names that only one of them has. */
function validatePorts(ports: Ports, field: string): FieldError[] {
  const names = new Set<string>()
  return ports.flatMap(({ name, containerPort, hostPort, protocol }, index) => {
    const at = `${field}[${index}]`
    const twice = name && names.has(name) ? [duplicateField(`${at}.name`, name)] : []
    if (name) names.add(name)
    return [
      ...(name ? validatePortName(name, `${at}.name`) : []),
      ...twice,
      ...(containerPort ? validateRange(containerPort, `${at}.containerPort`) : [requiredField(`${at}.containerPort`)]),
      ...(hostPort ? validateRange(hostPort, `${at}.hostPort`) : []),
      ...validateChoice(protocol, PROTOCOLS, `${at}.protocol`),
    ]
  })
}

function validateRange(port: number, field: string): FieldError[] {
  return port >= 1 && port <= 65_535 ? [] : [invalidField(field, port, 'must be between 1 and 65535, inclusive')]
}

const RESIZED = ['cpu', 'memory']
const RESIZE_POLICIES = ['NotRequired', 'RestartContainer']

/** What happens to a container whose amounts change. */
function validateResizing(policies: NonNullable<Container['resizePolicy']>, field: string, { spec }: PodContext) {
  const isRepeated = repeats()
  const never = spec.restartPolicy === 'Never'
  return policies.flatMap(({ resourceName = '', restartPolicy = '' }, index) => [
    ...(isRepeated(resourceName) ? [duplicateField(`${field}[${index}]`, resourceName)] : []),
    ...validateNeeded(resourceName, RESIZED, field),
    ...validateNeeded(restartPolicy, RESIZE_POLICIES, field),
    ...(never && restartPolicy !== 'NotRequired'
      ? [invalidField(field, restartPolicy, "must be 'NotRequired' when pod `restartPolicy` is 'Never'")]
      : []),
  ])
}

function validateNeeded(value: string, supported: readonly string[], field: string): FieldError[] {
  return value === '' ? [requiredField(field)] : validateChoice(value, supported, field)
}

const RESTARTS = ['Always', 'Never', 'OnFailure']
const ACTIONS = ['Restart', 'RestartAllContainers']
const OPERATORS = ['In', 'NotIn']
const MOST_RULES = 20
const MOST_CODES = 255

/** When a container starts again, apart from its pod. */
export function validateRestarts({ restartPolicy, restartPolicyRules: rules = [] }: Container, field: string) {
  const isRuled = restartPolicy === undefined && rules.length > 0
  const list = `${field}.restartPolicyRules`
  return [
    ...(isRuled
      ? [requiredField(`${field}.restartPolicy`, 'must specify restartPolicy when restart rules are used')]
      : []),
    ...validateChoice(restartPolicy, RESTARTS, `${field}.restartPolicy`),
    ...(rules.length > MOST_RULES ? [tooManyItems(list, rules.length, MOST_RULES)] : []),
    ...rules.flatMap((rule, index) => validateRestartRule(rule, `${list}[${index}]`)),
  ]
}

type RestartRule = NonNullable<Container['restartPolicyRules']>[number]

function validateRestartRule({ action = '', exitCodes }: Partial<RestartRule>, field: string): FieldError[] {
  const { operator = '', values = [] } = exitCodes ?? {}
  return [
    ...validateChoice(action, ACTIONS, `${field}.action`),
    ...(exitCodes
      ? validateChoice(operator, OPERATORS, `${field}.exitCodes.operator`)
      : [requiredField(`${field}.exitCodes`, 'must be specified')]),
    ...(values.length > MOST_CODES ? [tooManyItems(`${field}.exitCodes.values`, values.length, MOST_CODES)] : []),
  ]
}
