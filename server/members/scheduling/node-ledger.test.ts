import { afterEach, beforeEach, expect, test } from 'vitest'
import { node as nodeKind, pod as podKind, type Pod } from '@/lib/kube/kinds'
import { objectKey } from '@/lib/kube/object'
import { type Env, startEnv } from '@/server/testing/start-env'
import { type Applicant, applicantOf, NodeLedger } from './node-ledger'

let env: Env
let ledger: NodeLedger
beforeEach(async () => {
  env = await startEnv()
  ledger = new NodeLedger(env.informers, () => undefined)
  await env.run()
})
afterEach(async () => {
  ledger.stop()
  await env.close()
})

const spec = { containers: [{ name: 'main', image: 'web', resources: { requests: { cpu: '1' } } }] }
const ofOneCore: Applicant = { namespace: 'default', labels: {}, spec }

/** The only node, with room for as many pods of one core. */
async function addNode(cores: number): Promise<void> {
  await env.create(nodeKind, {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: 'n1' },
    spec: {},
    status: { allocatable: { cpu: String(cores), pods: '10' } },
  })
  await env.eventually(() => expect(ledger.hasCapacity(ofOneCore)).toBe(true))
}

const addPod = (name: string): Promise<Pod> =>
  env.client.create(podKind, { apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace: 'default' }, spec })

async function bind({ metadata: { name, uid } }: Pod): Promise<void> {
  const target = { apiVersion: 'v1', kind: 'Node', name: 'n1' }
  const binding = { apiVersion: 'v1', kind: 'Binding', metadata: { namespace: 'default', name, uid }, target }
  await env.client.raw('POST', `/api/v1/namespaces/default/pods/${name}/binding`, binding)
}

test('a pod that is seen on its node before its reservation is settled counts once', async () => {
  await addNode(2)
  const [first, second] = [await addPod('first'), await addPod('second')]
  const { settle } = ledger.reserve(applicantOf(first))
  await bind(first)
  await env.eventually(() => expect(env.informers.of(podKind).get(objectKey(first))?.spec.nodeName).toBe('n1'))
  expect(ledger.reserve(applicantOf(second)).choice).toEqual({ node: 'n1' })
  settle(objectKey(first))
  expect(ledger.hasCapacity(ofOneCore)).toBe(false)
})

test('an expired reservation releases its capacity', async () => {
  await addNode(1)
  const { settle } = ledger.reserve(applicantOf(await addPod('first')))
  expect(ledger.hasCapacity(ofOneCore)).toBe(false)
  settle(undefined)
  expect(ledger.hasCapacity(ofOneCore)).toBe(true)
})

test('a place that is kept for a pod is its own when it looks for one', async () => {
  await addNode(1)
  ledger.reserveForTicket({ ...ofOneCore, ticket: 'mine' })
  expect(ledger.reserve(ofOneCore).choice).toHaveProperty('message')
  expect(ledger.reserve({ ...ofOneCore, ticket: 'mine' }).choice).toEqual({ node: 'n1' })
})
