/** Selects the pods and ports behind a Service. */
import type { EndpointSlice, Pod, Service } from '@/lib/kube/kinds'
import { isReady } from '../pod-state'

/** True if the Service selects pods by labels. */
export function hasSelector({ spec }: Service): boolean {
  return spec.type !== 'ExternalName' && Object.keys(spec.selector ?? {}).length > 0
}

/** True if the pod has the labels of the Service's selector. Both are in one namespace. */
export function selects(service: Service, { metadata }: Pod): boolean {
  return (
    hasSelector(service)
    && Object.entries(service.spec.selector ?? {}).every(([key, value]) => metadata.labels?.[key] === value)
  )
}

type Endpoint = NonNullable<EndpointSlice['endpoints']>[number]

/** Maximum endpoints of one slice, as in `v1.Endpoints`; a larger slice would exceed the size of an object. */
const MAX_ENDPOINTS = 1000

/** Running pods with an address, by name. Pods that are not ready are marked. */
export function endpointsOf({ spec }: Service, pods: readonly Pod[]): Endpoint[] {
  return pods
    .filter(({ status }) => status?.podIP && status.phase !== 'Succeeded' && status.phase !== 'Failed')
    .toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1))
    .slice(0, MAX_ENDPOINTS)
    .map((pod) => {
      const { namespace, name, uid, deletionTimestamp } = pod.metadata
      const serving = isReady(pod)
      const terminating = deletionTimestamp !== undefined
      return {
        addresses: [pod.status?.podIP ?? ''],
        conditions: { ready: spec.publishNotReadyAddresses ?? (serving && !terminating), serving, terminating },
        ...(pod.spec.nodeName && { nodeName: pod.spec.nodeName }),
        targetRef: { kind: 'Pod', namespace, name, uid },
      }
    })
}

/** The ports of the pods behind those of the Service; a name is looked up in the first pod that has it. */
export function portsOf({ spec }: Service, pods: readonly Pod[]): NonNullable<EndpointSlice['ports']> {
  return (spec.ports ?? []).flatMap(({ name = '', port, protocol = 'TCP', targetPort = port }) => {
    const number = typeof targetPort === 'number' ? targetPort : namedPort(pods, targetPort)
    return number === undefined ? [] : [{ name, port: number, protocol }]
  })
}

function namedPort(pods: readonly Pod[], name: string): number | undefined {
  const containers = pods.flatMap(({ spec }) => spec.containers ?? [])
  return containers.flatMap(({ ports = [] }) => ports).find((port) => port.name === name)?.containerPort
}
