/** The rules of what a container opens, reads and answers. */
import { duplicateField, type FieldError, forbiddenField, invalidField, requiredField } from '../field-error'
import type { Container, EnvVar, Probe } from '../kinds'
import { validateCounts, validatePortName, validatePortOrName } from './numbers'

type Ports = NonNullable<Container['ports']>

/** Ports: numbers that exist, and names that only one of them has. */
export function validatePorts(ports: Ports, field: string): FieldError[] {
  const names = new Set<string>()
  return ports.flatMap(({ name, containerPort, hostPort }, index) => {
    const at = `${field}[${index}]`
    const twice = name && names.has(name) ? [duplicateField(`${at}.name`, name)] : []
    if (name) names.add(name)
    return [
      ...(name ? validatePortName(name, `${at}.name`) : []),
      ...twice,
      ...(containerPort ? validateRange(containerPort, `${at}.containerPort`) : [requiredField(`${at}.containerPort`)]),
      ...(hostPort ? validateRange(hostPort, `${at}.hostPort`) : []),
    ]
  })
}

function validateRange(port: number, field: string): FieldError[] {
  return port >= 1 && port <= 65_535 ? [] : [invalidField(field, port, 'must be between 1 and 65535, inclusive')]
}

/** Variables: named, and with a value from one place. */
export function validateEnv(env: readonly EnvVar[], field: string): FieldError[] {
  return env.flatMap((variable, index) => [
    ...(variable.name ? [] : [requiredField(`${field}[${index}].name`)]),
    ...(variable.valueFrom ? validateSource(variable, `${field}[${index}].valueFrom`) : []),
  ])
}

function validateSource({ value, valueFrom = {} }: EnvVar, field: string): FieldError[] {
  const count = Object.values(valueFrom).filter((source) => source !== undefined).length
  const rule = 'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`'
  return [
    ...(count === 0 ? [invalidField(field, '', rule)] : []),
    ...(value && count > 0 ? [invalidField(field, '', 'may not be specified when `value` is not empty')] : []),
    ...(count > 1 ? [invalidField(field, '', 'may not have more than one field specified at a time')] : []),
    ...(['configMapKeyRef', 'secretKeyRef'] as const).flatMap((name) =>
      valueFrom[name] && !valueFrom[name].key ? [requiredField(`${field}.${name}.key`)] : [],
    ),
  ]
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
  ]
}

/** Whether a container lives is known at the first good answer. */
function validateSingleSuccess(probe: Probe | undefined, field: string): FieldError[] {
  const { successThreshold = 1 } = probe ?? {}
  return successThreshold === 1 ? [] : [invalidField(`${field}.successThreshold`, successThreshold, 'must be 1')]
}
