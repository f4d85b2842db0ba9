/** The rules of probes, and of what a container does when it starts and ends. */
import { type FieldError, forbiddenField, invalidField, requiredField, validateChoice } from '../field-error'
import type { Container, Probe } from '../kinds'
import { validateCounts, validatePort, validatePortOrName } from './numbers'

type Lifecycle = NonNullable<Container['lifecycle']>
type Handler = Partial<Probe> & Partial<NonNullable<Lifecycle['preStop']>>

const HANDLERS = ['exec', 'httpGet', 'tcpSocket', 'grpc', 'sleep'] as const
const PERIODS = ['initialDelaySeconds', 'timeoutSeconds', 'periodSeconds', 'successThreshold', 'failureThreshold']
const SCHEMES = ['HTTP', 'HTTPS']
const HEADER = /^[-A-Za-z0-9]+$/
const HEADER_RULE =
  "a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for validation is "
  + "'[-A-Za-z0-9]+')"

/** One way to ask or to act; `grace` are the seconds that a pod has to end. */
function validateHandler(handler: Handler, grace: number, field: string): FieldError[] {
  const [first, ...others] = HANDLERS.filter((name) => handler[name] !== undefined)
  return [
    ...(first === undefined
      ? [requiredField(field, 'must specify a handler type')]
      : validateAction(handler, first, grace, `${field}.${first}`)),
    ...others.map((name) => forbiddenField(`${field}.${name}`, 'may not specify more than 1 handler type')),
  ]
}

function validateAction(
  { exec, httpGet, tcpSocket, grpc, sleep }: Handler,
  type: (typeof HANDLERS)[number],
  grace: number,
  field: string,
): FieldError[] {
  switch (type) {
    case 'exec':
      return exec?.command?.length ? [] : [requiredField(`${field}.command`)]
    case 'httpGet':
      return validateHttpGet(httpGet!, field)
    case 'tcpSocket':
      return validatePortOrName(tcpSocket?.port, `${field}.port`)
    case 'grpc':
      return validatePort(grpc?.port, `${field}.port`)
    case 'sleep':
      return validateSleep(sleep?.seconds ?? 0, grace, field)
  }
}

function validateHttpGet(
  { path, port, scheme, httpHeaders = [] }: NonNullable<Handler['httpGet']>,
  field: string,
): FieldError[] {
  return [
    ...(path ? [] : [requiredField(`${field}.path`)]),
    ...validatePortOrName(port, `${field}.port`),
    ...validateChoice(scheme, SCHEMES, `${field}.scheme`),
    ...httpHeaders.flatMap(({ name = '' }) =>
      HEADER.test(name) ? [] : [invalidField(`${field}.httpHeaders`, name, HEADER_RULE)],
    ),
  ]
}

function validateSleep(seconds: number, grace: number, field: string): FieldError[] {
  const rule = `must be non-negative and less than terminationGracePeriodSeconds (${grace})`
  return seconds < 0 || seconds > grace ? [invalidField(field, seconds, rule)] : []
}

/** What a container does besides its process, and the probes that say how it is. */
export function validateLasting(container: Container, grace: number, field: string): FieldError[] {
  const { lifecycle, livenessProbe, readinessProbe, startupProbe } = container
  const period = readinessProbe?.terminationGracePeriodSeconds
  return [
    ...(['postStart', 'preStop'] as const).flatMap((name) =>
      lifecycle?.[name] ? validateHandler(lifecycle[name], grace, `${field}.lifecycle.${name}`) : [],
    ),
    ...validateProbe(livenessProbe, grace, `${field}.livenessProbe`),
    ...validateSingleSuccess(livenessProbe, `${field}.livenessProbe`),
    ...validateProbe(readinessProbe, grace, `${field}.readinessProbe`),
    ...(period === undefined
      ? []
      : [
          invalidField(
            `${field}.readinessProbe.terminationGracePeriodSeconds`,
            period,
            'must not be set for readinessProbes',
          ),
        ]),
    ...validateProbe(startupProbe, grace, `${field}.startupProbe`),
    ...validateSingleSuccess(startupProbe, `${field}.startupProbe`),
  ]
}

/** One way to ask, and times that pass. */
function validateProbe(probe: Probe | undefined, grace: number, field: string): FieldError[] {
  if (!probe) return []
  const period = probe.terminationGracePeriodSeconds
  return [
    ...validateHandler(probe, grace, field),
    ...validateCounts(probe, PERIODS, field),
    ...((period ?? 1) > 0
      ? []
      : [invalidField(`${field}.terminationGracePeriodSeconds`, period, 'must be greater than 0')]),
  ]
}

/** Whether a container lives is known at the first good answer. */
function validateSingleSuccess(probe: Probe | undefined, field: string): FieldError[] {
  const { successThreshold = 1 } = probe ?? {}
  return successThreshold === 1 ? [] : [invalidField(`${field}.successThreshold`, successThreshold, 'must be 1')]
}
