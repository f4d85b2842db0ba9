/** The defaults of what leads traffic to pods and keeps it away. */
import type { Endpoints, EndpointSlice, Ingress, IngressBackend, NetworkPolicy } from '../kinds'
import { withGroup } from './references'

/** An Ingress as an API server completes it. */
export function defaultIngress(object: Ingress): Ingress {
  const { defaultBackend, rules, ...spec } = object.spec ?? {}
  return {
    ...object,
    spec: {
      ...spec,
      ...(defaultBackend && { defaultBackend: shownBackend(defaultBackend) }),
      ...(rules && { rules: rules.map(shownRule) }),
    },
    status: { loadBalancer: {}, ...object.status },
  }
}

type IngressRule = NonNullable<Ingress['spec']['rules']>[number]

function shownRule(rule: IngressRule): IngressRule {
  const paths = rule.http?.paths
  if (!paths) return rule
  const shown = paths.map(({ backend, ...path }) => ({ ...path, ...(backend && { backend: shownBackend(backend) }) }))
  return { ...rule, http: { ...rule.http, paths: shown as typeof paths } }
}

function shownBackend(backend: IngressBackend): IngressBackend {
  return backend.resource ? { ...backend, resource: withGroup(backend.resource) } : backend
}

type PolicyPorts = NonNullable<NonNullable<NetworkPolicy['spec']['ingress']>[number]['ports']>

/** A NetworkPolicy as an API server completes it: Ingress always, Egress if it has egress rules. */
export function defaultNetworkPolicy(object: NetworkPolicy): NetworkPolicy {
  const spec = object.spec ?? {}
  const withProtocols = <R extends { ports?: PolicyPorts }>(rules: readonly R[]): R[] =>
    rules.map((rule) => (rule.ports ? { ...rule, ports: withProtocol(rule.ports) } : rule))
  return {
    ...object,
    spec: {
      ...spec,
      podSelector: spec.podSelector ?? {},
      ...(spec.ingress && { ingress: withProtocols(spec.ingress) }),
      ...(spec.egress && { egress: withProtocols(spec.egress) }),
      policyTypes: spec.policyTypes ?? (spec.egress ? ['Ingress', 'Egress'] : ['Ingress']),
    },
  }
}

function withProtocol<P extends { protocol?: string }>(ports: readonly P[]): P[] {
  return ports.map((port) => ({ ...port, protocol: port.protocol ?? 'TCP' }))
}

/** Endpoints as an API server completes them. */
export function defaultEndpoints(object: Endpoints): Endpoints {
  if (!object.subsets) return object
  const subsets = object.subsets.map((subset) =>
    subset.ports ? { ...subset, ports: withProtocol(subset.ports) } : subset,
  )
  return { ...object, subsets }
}

type SliceEndpoint = EndpointSlice['endpoints'][number]

/** Its conditions are always shown, and so are the names of those that it is meant for. */
function shownEndpoint({ hints, conditions = {}, ...endpoint }: SliceEndpoint): SliceEndpoint {
  const named = (list: readonly { name?: string }[]): { name: string }[] => list.map(({ name = '' }) => ({ name }))
  return {
    ...endpoint,
    conditions,
    ...(hints && {
      hints: {
        ...(hints.forZones && { forZones: named(hints.forZones) }),
        ...(hints.forNodes && { forNodes: named(hints.forNodes) }),
      },
    }),
  }
}

/** An EndpointSlice as an API server completes it. Lists that are missing or empty are shown as null. */
export function defaultEndpointSlice(object: EndpointSlice): EndpointSlice {
  const { ports } = object
  const endpoints = object.endpoints?.length ? object.endpoints : null
  const named = ports?.map((port) => ({ ...port, name: port.name ?? '', protocol: port.protocol ?? 'TCP' })) ?? null
  const shown = endpoints?.map(shownEndpoint) ?? null
  return { ...object, endpoints: shown, ports: named } as EndpointSlice
}
