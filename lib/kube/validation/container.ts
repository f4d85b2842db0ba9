/** The rules of one container: what it runs, opens, reads and answers. */
import {
  duplicateField,
  type FieldError,
  forbiddenField,
  invalidField,
  requiredField,
  validateChoice,
} from '../field-error'
import type { Container, EnvVar, Probe } from '../kinds'
import { validateAmountRef, validateFieldRef, VARIABLE_FIELDS } from './field-refs'
import { checkDnsLabel, checkSubdomain } from './formats'
import { validateCounts, validatePortName, validatePortOrName } from './numbers'
import { validateMounts } from './pod-parts'
import { validateResources } from './resources'
import { validateContainerSecurity } from './security-context'

const MESSAGE_POLICIES = ['File', 'FallbackToLogsOnError']
const PULL_POLICIES = ['Always', 'IfNotPresent', 'Never']

/** What every list of containers holds to. `volumes` may be mounted. */
export function validateContainer(container: Container, field: string, volumes: ReadonlySet<string>): FieldError[] {
  const { name, image, terminationMessagePolicy, imagePullPolicy, resources } = container
  return [
    ...(name
      ? checkDnsLabel(name).map((problem) => invalidField(`${field}.name`, name, problem))
      : [requiredField(`${field}.name`)]),
    ...validateImage(image, `${field}.image`),
    ...validateChoice(terminationMessagePolicy, MESSAGE_POLICIES, `${field}.terminationMessagePolicy`),
    ...validatePorts(container.ports ?? [], `${field}.ports`),
    ...validateEnv(container.env ?? [], `${field}.env`),
    ...validateEnvFrom(container.envFrom ?? [], `${field}.envFrom`),
    ...validateMounts(container.volumeMounts ?? [], `${field}.volumeMounts`, volumes),
    ...validateChoice(imagePullPolicy, PULL_POLICIES, `${field}.imagePullPolicy`),
    ...validateResources(resources, `${field}.resources`),
    ...validateContainerSecurity(container.securityContext, `${field}.securityContext`),
  ]
}

function validateImage(image: string | undefined, field: string): FieldError[] {
  if (!image) return [requiredField(field)]
  return image === image.trim() ? [] : [invalidField(field, image, 'must not have leading or trailing whitespace')]
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

const VARIABLE_RULE = "a valid environment variable name must consist only of printable ASCII characters other than '='"

function validateVariableName(name: string, field: string): FieldError[] {
  return /^[ -<>-~]*$/.test(name) ? [] : [invalidField(field, name, VARIABLE_RULE)]
}

/** Variables: named, and with a value from one place. */
function validateEnv(env: readonly EnvVar[], field: string): FieldError[] {
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
  return [
    ...(valueFrom.fieldRef ? validateFieldRef(valueFrom.fieldRef, `${field}.fieldRef`, VARIABLE_FIELDS) : []),
    ...(valueFrom.resourceFieldRef ? validateAmountRef(valueFrom.resourceFieldRef, `${field}.resourceFieldRef`) : []),
    ...(['configMapKeyRef', 'secretKeyRef'] as const).flatMap((name) =>
      valueFrom[name] ? validateKeyRef(valueFrom[name], `${field}.${name}`) : [],
    ),
    ...(count === 0 ? [invalidField(field, '', rule)] : []),
    ...(value && count > 0 ? [invalidField(field, '', 'may not be specified when `value` is not empty')] : several),
  ]
}

function validateKeyRef({ name = '', key }: { name?: string; key?: string }, field: string): FieldError[] {
  return [
    ...checkSubdomain(name).map((problem) => invalidField(`${field}.name`, name, problem)),
    ...(key ? [] : [requiredField(`${field}.key`)]),
  ]
}

/** Everything of one ConfigMap or Secret. */
function validateEnvFrom(sources: NonNullable<Container['envFrom']>, field: string): FieldError[] {
  return sources.flatMap(({ prefix, configMapRef, secretRef }, index) => {
    const at = `${field}[${index}]`
    const ofRef = (ref: { name?: string } | undefined, name: string): FieldError[] =>
      ref
        ? checkSubdomain(ref.name ?? '').map((problem) => invalidField(`${at}.${name}.name`, ref.name ?? '', problem))
        : []
    return [
      ...(prefix ? validateVariableName(prefix, `${at}.prefix`) : []),
      ...ofRef(configMapRef, 'configMapRef'),
      ...ofRef(secretRef, 'secretRef'),
      ...((configMapRef ?? secretRef)
        ? []
        : [invalidField(field, '', 'must specify one of: `configMapRef` or `secretRef`')]),
      ...(configMapRef && secretRef
        ? [invalidField(field, '', 'may not have more than one field specified at a time')]
        : []),
    ]
  })
}

const HANDLERS = ['exec', 'httpGet', 'tcpSocket', 'grpc'] as const
const PERIODS = ['initialDelaySeconds', 'timeoutSeconds', 'periodSeconds', 'successThreshold', 'failureThreshold']

/** Probes: one way to ask, and times that pass. */
export function validateProbes(container: Container, field: string): FieldError[] {
  const { livenessProbe, readinessProbe, startupProbe } = container
  return [
    ...validateProbe(livenessProbe, `${field}.livenessProbe`),
    ...validateSingleSuccess(livenessProbe, `${field}.livenessProbe`),
    ...validateProbe(readinessProbe, `${field}.readinessProbe`),
    ...validateProbe(startupProbe, `${field}.startupProbe`),
    ...validateSingleSuccess(startupProbe, `${field}.startupProbe`),
  ]
}

function validateProbe(probe: Probe | undefined, field: string): FieldError[] {
  if (!probe) return []
  const [first, ...others] = HANDLERS.filter((name) => probe[name] !== undefined)
  return [
    ...(first ? [] : [requiredField(field, 'must specify a handler type')]),
    ...others.map((name) => forbiddenField(`${field}.${name}`, 'may not specify more than 1 handler type')),
    ...(first === 'exec' && !probe.exec?.command?.length ? [requiredField(`${field}.exec.command`)] : []),
    ...(probe.httpGet ? validatePortOrName(probe.httpGet.port, `${field}.httpGet.port`) : []),
    ...(probe.tcpSocket ? validatePortOrName(probe.tcpSocket.port, `${field}.tcpSocket.port`) : []),
    ...validateCounts(probe, PERIODS, field),
    ...((probe.terminationGracePeriodSeconds ?? 1) > 0
      ? []
      : [
          invalidField(
            `${field}.terminationGracePeriodSeconds`,
            probe.terminationGracePeriodSeconds,
            'must be greater than 0',
          ),
        ]),
  ]
}

/** Whether a container lives is known at the first good answer. */
function validateSingleSuccess(probe: Probe | undefined, field: string): FieldError[] {
  const { successThreshold = 1 } = probe ?? {}
  return successThreshold === 1 ? [] : [invalidField(`${field}.successThreshold`, successThreshold, 'must be 1')]
}
