/** The rules of what leads traffic to pods and keeps it away. */
import { type FieldError, forbiddenField, invalidField, requiredField, validateChoice } from '../field-error'
import { emptyOrNull } from '../go-encoding'
import type { Ingress, IngressBackend, NetworkPolicy } from '../kinds'
import type { UnknownObject } from '../object'
import { blockContains, parseBlock } from '../cel/address'
import { isAddress, validateBlock, validateLoadBalancer } from './addresses'
import { checkDnsLabel, checkPathSegment, checkSubdomain, checkWildcard } from './formats'
import { validateLabelSelector } from './label-selector'
import { validatePort, validatePortName } from './numbers'

/** Ingress: rules or a backend for everything, each of them complete. */
export function validateIngress(object: UnknownObject): FieldError[] {
  const { spec } = object as unknown as Ingress
  const aimless = !spec.rules?.length && !spec.defaultBackend
  return [
    ...(aimless
      ? [
          invalidField(
            'spec',
            spec.rules ?? emptyOrNull(spec, 'rules'),
            'either `defaultBackend` or `rules` must be specified',
          ),
        ]
      : []),
    ...(spec.defaultBackend ? validateBackend(spec.defaultBackend, 'spec.defaultBackend') : []),
    ...(spec.rules ?? []).flatMap((rule, index) => validateIngressRule(rule, `spec.rules[${index}]`)),
    ...(spec.tls ?? []).flatMap(({ hosts = [], secretName = '' }, index) => [
      ...hosts.flatMap((host, position) => validateDomain(host, `spec.tls[${index}].hosts[${position}]`)),
      ...(secretName === '' ? [] : checkSubdomain(secretName)).map((problem) =>
        invalidField(`spec.tls[${index}].secretName`, secretName, problem),
      ),
    ]),
    ...(spec.ingressClassName === undefined
      ? []
      : checkSubdomain(spec.ingressClassName).map((problem) =>
          invalidField('spec.ingressClassName', spec.ingressClassName, problem),
        )),
  ]
}

/** The addresses at which an Ingress is reached. */
export function validateIngressStatus(next: UnknownObject, old: UnknownObject): FieldError[] {
  const [{ status }, before] = [next as unknown as Ingress, old as unknown as Ingress]
  return validateLoadBalancer(status?.loadBalancer, before.status?.loadBalancer)
}

type IngressRule = NonNullable<Ingress['spec']['rules']>[number]

function validateIngressRule({ host, http }: IngressRule, field: string): FieldError[] {
  const findings = host ? validateHost(host, `${field}.host`) : []
  if (!http) return findings
  if (!http.paths?.length) return [...findings, requiredField(`${field}.http.paths`)]
  return [
    ...findings,
    ...http.paths.flatMap((path, index) => validateIngressPath(path, `${field}.http.paths[${index}]`)),
  ]
}

function validateHost(host: string, field: string): FieldError[] {
  if (isAddress(host)) {
    return [invalidField(field, host, 'must be a DNS name, not an IP address')]
  }
  return validateDomain(host, field)
}

/** A name, or a wildcard and a name. */
function validateDomain(host: string, field: string): FieldError[] {
  const check = host.includes('*') ? checkWildcard : checkSubdomain
  return check(host).map((problem) => invalidField(field, host, problem))
}

type IngressPath = NonNullable<IngressRule['http']>['paths'][number]
const NOT_IN_PATHS = ['//', '/./', '/../', '%2f', '%2F']
const NOT_AT_END = ['/..', '/.']

function validateIngressPath({ path = '', pathType, backend }: IngressPath, field: string): FieldError[] {
  if (pathType === undefined) return [requiredField(`${field}.pathType`, 'pathType must be specified')]
  const findings: FieldError[] = []
  if ((pathType === 'Exact' || pathType === 'Prefix') && !path.startsWith('/')) {
    findings.push(invalidField(`${field}.path`, path, 'must be an absolute path'))
  } else if (pathType === 'Exact' || pathType === 'Prefix') {
    for (const part of NOT_IN_PATHS.filter((one) => path.includes(one))) {
      findings.push(invalidField(`${field}.path`, path, `must not contain '${part}'`))
    }
    for (const end of NOT_AT_END.filter((one) => path.endsWith(one))) {
      findings.push(invalidField(`${field}.path`, path, `cannot end with '${end}'`))
    }
  } else if (pathType === 'ImplementationSpecific' && path !== '' && !path.startsWith('/')) {
    findings.push(invalidField(`${field}.path`, path, 'must be an absolute path'))
  }
  return [...findings, ...validateBackend(backend ?? {}, `${field}.backend`)]
}

function validateBackend({ service, resource }: IngressBackend, field: string): FieldError[] {
  if (service && resource) return [invalidField(field, '', 'cannot set both resource and service backends')]
  if (resource) return validateResource(resource, `${field}.resource`)
  if (!service) return [invalidField(field, '', 'resource or service backend is required')]
  const { name, number } = service.port ?? {}
  const findings = service.name
    ? checkDnsLabel(service.name).map((problem) => invalidField(`${field}.service.name`, service.name, problem))
    : [requiredField(`${field}.service.name`)]
  if (name && number) return [...findings, invalidField(field, '', 'cannot set both port name & port number')]
  if (name) return [...findings, ...validatePortName(name, `${field}.service.port.name`)]
  if (number) return [...findings, ...validatePort(number, `${field}.service.port.number`)]
  return [...findings, requiredField(field, 'port name or number is required')]
}

/** An object of any kind behind a path. */
function validateResource(
  { apiGroup, kind, name }: NonNullable<IngressBackend['resource']>,
  field: string,
): FieldError[] {
  const named = (value: string | undefined, at: string): FieldError[] =>
    value ? checkPathSegment(value).map((problem) => invalidField(at, value, problem)) : [requiredField(at)]
  // A group that is not there is null.
  const group = apiGroup ?? undefined
  return [
    ...(group === undefined ? [] : checkSubdomain(group)).map((problem) =>
      invalidField(`${field}.apiGroup`, group, problem),
    ),
    ...named(kind, `${field}.kind`),
    ...named(name, `${field}.name`),
  ]
}

const PROTOCOLS = ['TCP', 'UDP', 'SCTP']
const POLICY_TYPES = ['Ingress', 'Egress']

function validatePolicyTypes(types: readonly string[]): FieldError[] {
  const field = 'spec.policyTypes'
  if (types.length > POLICY_TYPES.length)
    return [invalidField(field, types, 'may not specify more than two policyTypes')]
  return types.flatMap((type, index) => validateChoice(type, POLICY_TYPES, `${field}[${index}]`))
}

/** NetworkPolicy: selectors, ports and peers that can be understood. */
export function validateNetworkPolicy(object: UnknownObject): FieldError[] {
  const { spec } = object as unknown as NetworkPolicy
  return [
    ...validateLabelSelector(spec.podSelector, 'spec.podSelector'),
    ...validatePolicyTypes(spec.policyTypes ?? []),
    ...(spec.ingress ?? []).flatMap(({ ports = [], from = [] }, index) => [
      ...validatePolicyPorts(ports, `spec.ingress[${index}].ports`),
      ...validatePeers(from, `spec.ingress[${index}].from`),
    ]),
    ...(spec.egress ?? []).flatMap(({ ports = [], to = [] }, index) => [
      ...validatePolicyPorts(ports, `spec.egress[${index}].ports`),
      ...validatePeers(to, `spec.egress[${index}].to`),
    ]),
  ]
}

type PolicyRule = NonNullable<NetworkPolicy['spec']['ingress']>[number]

function validatePolicyPorts(ports: NonNullable<PolicyRule['ports']>, list: string): FieldError[] {
  return ports.flatMap(({ port, endPort, protocol }, index) => {
    const field = `${list}[${index}]`
    // The text about two numbers names the first of them.
    const end = (text: string): FieldError =>
      invalidField(`${field}.endPort`, typeof port === 'number' ? port : endPort, text)
    return [
      ...validateChoice(protocol, PROTOCOLS, `${field}.protocol`),
      ...(typeof port === 'number' ? validatePort(port, `${field}.port`) : []),
      ...(typeof port === 'string' ? validatePortName(port, `${field}.port`) : []),
      ...(endPort === undefined ? [] : endPortProblems(port, endPort).map(end)),
      ...(endPort !== undefined && typeof port === 'number' ? validatePort(endPort, `${field}.endPort`) : []),
    ]
  })
}

function endPortProblems(port: number | string | undefined, endPort: number): string[] {
  if (port === undefined) return ['may not be specified when `port` is not specified']
  if (typeof port === 'string') return ['may not be specified when `port` is non-numeric']
  return endPort < port ? ['must be greater than or equal to `port`'] : []
}

function validatePeers(peers: NonNullable<PolicyRule['from']>, list: string): FieldError[] {
  return peers.flatMap(({ podSelector, namespaceSelector, ipBlock }, index) => {
    const field = `${list}[${index}]`
    if (!podSelector && !namespaceSelector && !ipBlock) return [requiredField(field, 'must specify a peer')]
    return [
      ...validateLabelSelector(podSelector, `${field}.podSelector`),
      ...validateLabelSelector(namespaceSelector, `${field}.namespaceSelector`),
      ...(ipBlock ? validatePeerBlock(ipBlock, `${field}.ipBlock`) : []),
      ...(ipBlock && (podSelector ?? namespaceSelector)
        ? [forbiddenField(field, 'may not specify both ipBlock and another peer')]
        : []),
    ]
  })
}

function validatePeerBlock({ cidr, except = [] }: { cidr?: string; except?: readonly string[] }, field: string) {
  if (!cidr) return [requiredField(`${field}.cidr`)]
  const outer = parseBlock(cidr)
  const wrong = validateBlock(cidr, `${field}.cidr`)
  if (!outer) return wrong
  return [
    ...wrong,
    ...except.flatMap((text, index) => {
      const at = `${field}.except[${index}]`
      const inner = parseBlock(text)
      const isInside = inner && blockContains(outer, inner.address) && inner.length > outer.length
      const outside = inner && !isInside ? [invalidField(at, text, 'must be a strict subset of `cidr`')] : []
      return [...validateBlock(text, at), ...outside]
    }),
  ]
}
