/** Scripts during the propagation of a template and the collection of its status. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  configMap as configMapKind,
  propagationPolicy as policyKind,
  resourceBinding as bindingKind,
  resourceInterpreterCustomization as customizationKind,
  work as workKind,
} from '@/lib/kube/kinds'
import { type Env, startEnv } from '@/server/testing/start-env'
import { bindingController } from '../../binding'
import { bindingStatusController } from '../../binding-status'
import { detectorController } from '../../detector'
import { executionController } from '../../execution'
import { schedulerController } from '../../scheduler'
import { workStatusController } from '../../work-status'

let env: Env
beforeEach(async () => {
  env = await startEnv()
  await env.createCluster('m1', { annotations: { 'sim.evenkeel.io/nodes': '1' } })
  await env.createNamespace('karmada-es-m1')
  await env.run(
    detectorController(env.context()),
    schedulerController(env.context()),
    bindingController(env.context()),
    executionController(env.context()),
    workStatusController(env.context()),
    bindingStatusController(env.context()),
  )
})
afterEach(() => env.close())

const REF = { namespace: 'default', name: 'flock' }
const BINDING = { namespace: 'default', name: 'flock-configmap' }
const healthIs = (word: string) => `function InterpretHealth(o) return o.data.mood == "${word}" end`

async function teach(health: string): Promise<void> {
  await env.create(customizationKind, {
    apiVersion: 'config.karmada.io/v1alpha1',
    kind: 'ResourceInterpreterCustomization',
    metadata: { name: 'flocks' },
    spec: {
      target: { apiVersion: 'v1', kind: 'ConfigMap' },
      customizations: {
        healthInterpretation: { luaScript: health },
        replicaResource: { luaScript: 'function GetReplicas(o) return tonumber(o.data.size) end' },
        replicaRevision: { luaScript: 'function ReviseReplica(o, n) o.data.share = tostring(n) return o end' },
        statusReflection: { luaScript: 'function ReflectStatus(o) return { mood = o.data.mood } end' },
        retention: {
          luaScript: 'function Retain(desired, observed) desired.data.nest = observed.data.nest return desired end',
        },
      },
    },
  })
}

async function propagate(): Promise<void> {
  await env.create(policyKind, {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'PropagationPolicy',
    metadata: REF,
    spec: {
      resourceSelectors: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'flock' }],
      placement: { replicaScheduling: { replicaSchedulingType: 'Duplicated' } },
    },
  })
  await env.create(configMapKind, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: REF,
    data: { size: '4', mood: 'calm' },
  })
}

const inMember = () => env.client.member('m1').get(configMapKind, REF)
const reported = async () => (await env.client.get(bindingKind, BINDING)).status?.aggregatedStatus?.[0]

test('replicas, share, status and health are those of the scripts, and fields of the member stay', async () => {
  await teach(healthIs('calm'))
  await propagate()
  await env.eventually(async () =>
    expect(await reported()).toMatchObject({
      clusterName: 'm1',
      applied: true,
      health: 'Healthy',
      status: { mood: 'calm' },
    }),
  )
  expect((await env.client.get(bindingKind, BINDING)).spec.replicas).toBe(4)
  expect((await inMember()).data).toMatchObject({ size: '4', share: '4' })
  await env.client.member('m1').patch(configMapKind, REF, { type: 'merge', value: { data: { nest: 'oak' } } })
  await env.client.patch(configMapKind, REF, { type: 'merge', value: { data: { size: '5' } } })
  await env.eventually(async () =>
    expect((await inMember()).data).toMatchObject({ size: '5', share: '5', nest: 'oak' }),
  )
})

test('a corrected script is applied at once to existing objects', async () => {
  await teach('function InterpretHealth(o) return o.nothing.there end')
  await propagate()
  await env.eventually(async () => expect(await reported()).toMatchObject({ applied: true, health: 'Unknown' }))
  await env.eventually(async () =>
    expect((await env.recordedEvents()).map(({ reason }) => reason)).toContain('InterpretHealthFailed'),
  )
  const value = { spec: { customizations: { healthInterpretation: { luaScript: healthIs('calm') } } } }
  await env.client.patch(customizationKind, { name: 'flocks' }, { type: 'merge', value })
  await env.eventually(async () => expect(await reported()).toMatchObject({ health: 'Healthy' }))
  expect((await env.client.list(workKind)).items).toHaveLength(1)
})
