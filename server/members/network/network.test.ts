/** Services and Ingresses in a whole member. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  deployment as deploymentKind,
  endpointSlice as sliceKind,
  ingress as ingressKind,
  service as serviceKind,
  type Service,
} from '@/lib/kube/kinds'
import { SIM_UNHEALTHY } from '@/lib/kube/simulation'
import { aDeployment } from '@/lib/testing/builders'
import { startTestMember, type TestMember } from '../testing/start-member'

let member: TestMember
beforeEach(async () => {
  member = await startTestMember()
})
afterEach(() => member.env.close())

const createService = (spec: Service['spec']) =>
  member.client.create(serviceKind, {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'web', namespace: 'default' },
    spec,
  })
const read = () => member.client.get(serviceKind, { namespace: 'default', name: 'web' })

test('a Service gets an address and tells which of its pods serve', async () => {
  await createService({ selector: { app: 'web' }, ports: [{ port: 80, targetPort: 8080 }] })
  await member.client.create(deploymentKind, aDeployment('web', { replicas: 2 }))
  const ready = async () =>
    (await member.client.list(sliceKind)).items
      .filter(({ metadata }) => metadata.labels?.['kubernetes.io/service-name'] === 'web')
      .flatMap(({ endpoints }) => endpoints ?? [])
      .map(({ conditions }) => conditions?.ready)
  await member.env.eventually(async () => {
    expect((await read()).spec.clusterIP).toMatch(/^10\.(9[6-9]|10\d|11[01])\./)
    expect(await ready()).toEqual([true, true])
  })
  expect(
    (await member.client.list(sliceKind)).items.find(
      ({ metadata }) => metadata.labels?.['kubernetes.io/service-name'] === 'web',
    )?.ports,
  ).toEqual([{ name: '', port: 8080, protocol: 'TCP' }])
  await member.annotate({ [SIM_UNHEALTHY]: 'default/web' })
  await member.env.eventually(async () => expect(await ready()).toEqual([false, false]))
})

test('a load balancer gets its address, and is deleted when no longer needed', async () => {
  await createService({ type: 'LoadBalancer', selector: { app: 'web' }, ports: [{ port: 80 }] })
  await member.env.eventually(async () =>
    expect((await read()).status?.loadBalancer?.ingress).toEqual([
      { ip: expect.stringMatching(/^172\.18\./), ipMode: 'VIP' },
    ]),
  )
  await member.client.patch(
    serviceKind,
    { namespace: 'default', name: 'web' },
    {
      type: 'merge',
      value: { spec: { type: 'ClusterIP', externalTrafficPolicy: null, allocateLoadBalancerNodePorts: null } },
    },
  )
  await member.env.eventually(async () => expect((await read()).status?.loadBalancer?.ingress ?? []).toEqual([]))
})

test('an address that another load balancer wrote is kept', async () => {
  await createService({ type: 'LoadBalancer', selector: { app: 'web' }, ports: [{ port: 80 }] })
  await member.env.eventually(async () => expect((await read()).status?.loadBalancer?.ingress).toHaveLength(1))
  const ingress = [{ ip: '172.19.1.6' }, { hostname: 'web.example' }]
  const value = { status: { loadBalancer: { ingress } } }
  const ref = { namespace: 'default', name: 'web' }
  await member.client.patch(serviceKind, ref, { type: 'merge', value }, { subresource: 'status' })
  // Reconciles are ordered, so the next one comes after this one.
  await member.client.patch(serviceKind, ref, { type: 'merge', value: { spec: { selector: { app: 'other' } } } })
  await member.client.create(deploymentKind, aDeployment('other', { replicas: 1 }))
  await member.env.eventually(async () => {
    const slices = (await member.client.list(sliceKind)).items
    expect(slices.flatMap(({ endpoints }) => endpoints ?? []).map(({ conditions }) => conditions?.ready)).toEqual([
      true,
    ])
  })
  expect((await read()).status?.loadBalancer?.ingress).toMatchObject(ingress)
})

test('a name outside gets no address', async () => {
  await createService({ type: 'ExternalName', externalName: 'example.org' })
  await member.client.create(ingressKind, {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { name: 'web', namespace: 'default' },
    spec: { defaultBackend: { service: { name: 'web', port: { number: 80 } } } },
  })
  await member.env.eventually(async () => {
    const { status } = await member.client.get(ingressKind, { namespace: 'default', name: 'web' })
    expect(status?.loadBalancer?.ingress).toEqual([{ ip: expect.stringMatching(/^172\.18\./) }])
  })
  expect((await read()).spec.clusterIP).toBeUndefined()
})
