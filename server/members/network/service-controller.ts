/** Publishes the pods of a Service in EndpointSlices, and assigns addresses of load balancers. */
import { isAlreadyExists } from '@/lib/kube/errors'
import {
  endpointSlice as sliceKind,
  pod as podKind,
  service as serviceKind,
  type EndpointSlice,
  type Service,
} from '@/lib/kube/kinds'
import { objectKey, type ObjectKey } from '@/lib/kube/object'
import { fnv1a32 } from '@/lib/std/fnv'
import { deepEqual } from '@/lib/std/equal'
import { type Controller, watch } from '@/server/runtime/controller'
import { GATHER_MS, type MemberContext } from '../member-context'
import { indexByController, ownedBy, ownedObjects } from '../ownership'
import { balancerAddress } from './balancer'
import { endpointsOf, hasSelector, portsOf, selects } from './endpoints'

const SERVICE_NAME = 'kubernetes.io/service-name'
const MANAGED_BY = 'endpointslice.kubernetes.io/managed-by'

export function serviceController(member: MemberContext): Controller {
  const [pods, services] = [member.informers.of(podKind), member.informers.of(serviceKind)]
  indexByController(member.informers.of(sliceKind))
  return {
    name: 'service',
    concurrency: 2,
    watches: [watch({ kind: serviceKind })],
    reads: [podKind, sliceKind],
    start: (queue) =>
      pods.onChange((change) => {
        const states = [
          change.type === 'added' ? undefined : change.old,
          change.type === 'deleted' ? undefined : change.object,
        ]
        const namespace = states.find((pod) => pod !== undefined)?.metadata.namespace ?? ''
        for (const service of services.listNamespace(namespace)) {
          if (states.some((pod) => pod && selects(service, pod))) queue.addAfter(objectKey(service), GATHER_MS)
        }
      }),
    reconcile: (key) => reconcile(member, key),
  }
}

async function reconcile(member: MemberContext, key: ObjectKey): Promise<void> {
  const service = member.informers.of(serviceKind).get(key)
  if (!service || service.metadata.deletionTimestamp) return
  await publish(member, service)
  if (hasSelector(service)) await writeSlice(member, service)
}

/**
 * Publishes the external address of the Service. An address from another load balancer is kept, and a Service with
 * another load balancer class is skipped.
 */
async function publish({ client, name: member }: MemberContext, { metadata, spec, status }: Service): Promise<void> {
  if (spec.loadBalancerClass) return
  const present = status?.loadBalancer?.ingress ?? []
  const wanted =
    spec.type === 'LoadBalancer'
      ? [{ ip: spec.loadBalancerIP ?? balancerAddress(member, metadata.uid), ipMode: 'VIP' }]
      : []
  const isAssigned = wanted.length > 0 && present.length > 0 && !spec.loadBalancerIP
  if (isAssigned || deepEqual(present, wanted)) return
  const { namespace, name } = metadata
  const value = { status: { loadBalancer: { ingress: wanted.length > 0 ? wanted : null } } }
  await client.patch(serviceKind, { namespace, name }, { type: 'merge', value }, { subresource: 'status' })
}

/** Writes one slice for each Service, regardless of the number of its pods. */
async function writeSlice(member: MemberContext, service: Service): Promise<void> {
  const { namespace } = service.metadata
  const pods = member.informers
    .of(podKind)
    .listNamespace(namespace ?? '')
    .filter((pod) => selects(service, pod))
  const wanted = { endpoints: endpointsOf(service, pods), ports: portsOf(service, pods) }
  const present = ownedObjects(member.informers.of(sliceKind), service)[0]
  if (!present) return createSlice(member, service, wanted)
  if (deepEqual({ endpoints: present.endpoints, ports: present.ports ?? [] }, wanted)) return
  await member.client.patch(sliceKind, { namespace, name: present.metadata.name }, { type: 'merge', value: wanted })
}

async function createSlice(
  { client }: MemberContext,
  service: Service,
  content: Pick<EndpointSlice, 'endpoints' | 'ports'>,
): Promise<void> {
  const { namespace, name, uid, labels } = service.metadata
  try {
    await client.create(sliceKind, {
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: {
        name: `${name}-${fnv1a32(uid).toString(36).slice(0, 5)}`,
        namespace,
        labels: { ...labels, [SERVICE_NAME]: name, [MANAGED_BY]: 'endpointslice-controller.k8s.io' },
        ownerReferences: [ownedBy(serviceKind, service)],
      },
      addressType: 'IPv4',
      ...content,
    })
  } catch (error) {
    if (!isAlreadyExists(error)) throw error
  }
}
