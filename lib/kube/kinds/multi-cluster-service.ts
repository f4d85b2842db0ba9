import { defineKind, type ObjectOf } from '../kind'
import { array, int32, object, string } from '../schema'
import { condition, qualifiedName } from './condition'
import { atomicList } from './lists'

const clusterByName = object({ name: string() }, { required: ['name'] })

/** A port of a load balancer, with what is wrong with it. */
export const balancerPort = object(
  { error: string({ maxLength: 316, pattern: qualifiedName }), port: int32(), protocol: string() },
  { required: ['error', 'port', 'protocol'] },
)

/** Makes a Service of some clusters reachable from other clusters. */
export const multiClusterService = defineKind({
  group: 'networking.karmada.io',
  version: 'v1alpha1',
  kind: 'MultiClusterService',
  plural: 'multiclusterservices',
  shortNames: ['mcs'],
  categories: ['karmada-io'],
  scope: 'Namespaced',
  origin: 'crd',
  subresources: { status: true },
  fields: object(
    {
      spec: object(
        {
          consumerClusters: array(clusterByName),
          ports: array(object({ name: string(), port: int32() }, { required: ['port'] })),
          providerClusters: array(clusterByName),
          range: object({ clusterNames: array(string()) }),
          serviceConsumptionClusters: array(string()),
          serviceProvisionClusters: array(string()),
          types: array(string()),
        },
        { required: ['types'] },
      ),
      status: object({
        conditions: array(condition, { 'x-kubernetes-list-map-keys': ['type'], 'x-kubernetes-list-type': 'map' }),
        loadBalancer: object({
          ingress: atomicList(
            object({ hostname: string(), ip: string(), ipMode: string(), ports: atomicList(balancerPort) }),
          ),
        }),
      }),
    },
    { required: ['spec'] },
  ),
})

export type MultiClusterService = ObjectOf<typeof multiClusterService>
