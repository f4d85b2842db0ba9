/** How a Service that a ServiceExport offers reaches the clusters of its ServiceImport. */
import { apiVersionOf } from '../../kube/kind'
import { endpointSlice, type EndpointSlice, service, type Service } from '../../kube/kinds'
import type { ServiceImport } from '../../kube/kinds/service-import'
import { derivedServiceNameOf, endpointSliceNameOf, SLICE_SOURCE_ANNOTATION } from '../../kube/names'
import type { Draft, KubeObject } from '../../kube/object'
import { SERVICE_NAME, SLICE_MANAGED_BY } from './labels'

const COLLECTOR = 'endpointslice-controller.karmada.io'
const DERIVED = derivedServiceNameOf('')

/** Reports whether a slice was brought to where it is by the control plane; such slices are not exported. */
export const isBrought = ({ metadata: { labels } }: KubeObject): boolean =>
  labels?.[SLICE_MANAGED_BY]?.endsWith('.karmada.io') === true

/** The Service whose export a slice of the control plane belongs to, and the cluster that it came from. */
export interface Collected {
  service: string
  cluster: string
}

/** Returns undefined for a slice that was not collected from a cluster. */
export function collectedFrom({ metadata: { labels, annotations } }: KubeObject): Collected | undefined {
  const derived = labels?.[SERVICE_NAME]
  const cluster = annotations?.[SLICE_SOURCE_ANNOTATION]
  if (labels?.[SLICE_MANAGED_BY] !== COLLECTOR || cluster === undefined || !derived?.startsWith(DERIVED)) {
    return undefined
  }
  return { service: derived.slice(DERIVED.length), cluster }
}

/** The slice of a cluster as it is kept in the control plane, for the Service that the ServiceImport stands for. */
export function collectedSlice(cluster: string, serviceName: string, slice: EndpointSlice): Draft<EndpointSlice> {
  const { addressType, endpoints, ports, metadata } = slice
  return {
    apiVersion: apiVersionOf(endpointSlice),
    kind: endpointSlice.kind,
    metadata: {
      name: endpointSliceNameOf(cluster, metadata.name),
      namespace: metadata.namespace,
      labels: { [SERVICE_NAME]: derivedServiceNameOf(serviceName), [SLICE_MANAGED_BY]: COLLECTOR },
      annotations: { [SLICE_SOURCE_ANNOTATION]: cluster },
    },
    addressType,
    endpoints,
    ...(ports && { ports }),
  }
}

/** The Service that a ServiceImport stands for. What else is set in an existing one is kept. */
export function derivedService({ metadata, spec }: ServiceImport, existing: Service | undefined): Draft<Service> {
  const { namespace, name } = metadata
  return {
    ...existing,
    apiVersion: apiVersionOf(service),
    kind: service.kind,
    metadata: existing?.metadata ?? { namespace, name: derivedServiceNameOf(name) },
    spec: { ...existing?.spec, type: 'ClusterIP', ports: portsOf(spec?.ports ?? [], existing?.spec.ports) },
  }
}

type ImportedPort = NonNullable<ServiceImport['spec']>['ports'][number]
type Ports = NonNullable<Service['spec']['ports']>

/** A port that is there already keeps its defaults. */
function portsOf(imported: readonly ImportedPort[], present: Ports = []): Ports {
  return imported.map(({ appProtocol, name, port, protocol }) => ({
    ...present.find((one) => one.port === port && one.protocol === (protocol ?? 'TCP')),
    ...(name !== undefined && { name }),
    ...(protocol !== undefined && { protocol: protocol as Ports[number]['protocol'] }),
    ...(appProtocol !== undefined && { appProtocol }),
    port,
  }))
}
