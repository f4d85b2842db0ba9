/** Compares the objects of a real control plane for these inputs with those of the embedded one, field by field. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  deployment,
  type Deployment,
  propagationPolicy,
  type PropagationPolicy,
  resourceBinding,
  workloadRebalancer,
} from '@/lib/kube/kinds'
import type { Kind } from '@/lib/kube/kind'
import { work as workKind } from '@/lib/kube/kinds/work'
import type { Draft, KubeObject, UnknownObject } from '@/lib/kube/object'
import { type Env, startEnv } from '@/server/testing/start-env'
import { bindingController } from './binding'
import { bindingStatusController } from './binding-status'
import { detectorController } from './detector'
import { executionController } from './execution'
import { namespaceSyncController } from './namespace-sync'
import { schedulerController } from './scheduler'
import { karmadaProfile } from './shared/compatibility'
import {
  appliedDraft,
  comparable,
  favouringLaterNames,
  readObserved,
  readObservedEvents,
} from './testing/observed-objects'
import { workStatusController } from './work-status'
import { workloadRebalancerController } from './workload-rebalancer'

let env: Env

beforeEach(async () => {
  env = await startEnv({ uid: favouringLaterNames(), compatibility: karmadaProfile })
  // Members without controllers, as in the recording.
  for (const name of ['member1', 'member2']) {
    await env.createCluster(name, {
      cpu: '192',
      memory: '768Gi',
      pods: '60k',
      annotations: { 'sim.evenkeel.io/nodes': '3' },
    })
    await env.createNamespace(`karmada-es-${name}`)
  }
  const context = env.context()
  await env.run(
    detectorController(context, karmadaProfile.detector),
    schedulerController(context, karmadaProfile.scheduler),
    bindingController(context, karmadaProfile.binding),
    executionController(context, karmadaProfile.execution),
    workStatusController(context),
    bindingStatusController(context, karmadaProfile.bindingStatus),
    namespaceSyncController(context),
    workloadRebalancerController(context),
  )
})

afterEach(() => env.close())

const apply = <T extends KubeObject>(kind: Kind<T>, object: UnknownObject): Promise<T> =>
  env.client.create(kind, appliedDraft<T>(object) as Draft<T>)

/** Reads each object from the embedded control plane until it equals the recorded one. */
async function becomeAsObserved(kind: Kind, objects: readonly UnknownObject[]): Promise<void> {
  for (const object of objects.filter(({ kind: name }) => name === kind.kind)) {
    await env.eventually(async () => {
      expect(comparable(await env.client.get(kind, object.metadata))).toEqual(comparable(object))
    })
  }
}

const bindingOf = (namespace: string, name: string) => ({ namespace, name: `${name}-deployment` })
const isScheduled = (namespace: string, name: string) =>
  env.eventually(async () => {
    const { status, metadata } = await env.client.get(resourceBinding, bindingOf(namespace, name))
    expect(status?.conditions?.some(({ type }) => type === 'Scheduled')).toBe(true)
    if (status?.lastScheduledTime) expect(status.schedulerObservedGeneration).toBe(metadata.generation)
    return metadata.generation
  })

test('templates, policies, bindings, Works, a rebalance and the words of the events', async () => {
  const demo = readObserved('demo')
  await env.createNamespace('demo')
  for (const object of demo.filter(({ kind }) => kind === 'Deployment')) await apply<Deployment>(deployment, object)
  for (const object of demo.filter(({ kind }) => kind === 'PropagationPolicy')) {
    await apply<PropagationPolicy>(propagationPolicy, object)
  }
  for (const name of ['affs', 'nginx', 'nofit', 'suspdisp']) await isScheduled('demo', name)
  await env.advance(30_000)
  const [rebalancer] = readObserved('rebalancer') as [UnknownObject]
  await apply(workloadRebalancer as Kind, rebalancer)
  await becomeAsObserved(workloadRebalancer as Kind, [rebalancer])
  await becomeAsObserved(resourceBinding, demo)
  await becomeAsObserved(deployment as Kind, demo)
  await becomeAsObserved(propagationPolicy as Kind, demo)
  await becomeAsObserved(workKind, readObserved('works'))
  const told = new Set(
    (await env.recordedEvents()).map(
      ({ type, reason, involvedObject, source, message }) =>
        `${type} ${reason} ${involvedObject?.kind}/${involvedObject?.name} ${source?.component}: ${message}`,
    ),
  )
  expect(readObservedEvents().filter((words) => !told.has(words))).toEqual([])
})

test('a binding that was paused, rebalanced and scaled while paused, and resumed', async () => {
  const [template, binding] = readObserved('suspended') as [UnknownObject, UnknownObject]
  const pause = (scheduling: true | null) =>
    env.client.patch(resourceBinding, bindingOf('susp', 'susp'), {
      type: 'merge',
      value: { spec: { suspension: scheduling && { scheduling } } },
    })
  await env.createNamespace('susp')
  await apply<Deployment>(deployment, template)
  await env.client.create(propagationPolicy, {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'PropagationPolicy',
    metadata: { namespace: 'susp', name: 'susp' },
    spec: {
      placement: { clusterAffinity: { clusterNames: ['member1', 'member2'] } },
      resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'susp' }],
    },
  })
  // 1: created, 2: its clusters.
  await env.eventually(async () => expect(await isScheduled('susp', 'susp')).toBe(2))
  // 3: suspended, 4: resumed, 5: suspended again, 6: triggered, 7: scaled.
  await pause(true)
  await pause(null)
  await env.eventually(async () => expect(await isScheduled('susp', 'susp')).toBe(4))
  await pause(true)
  await env.client.patch(resourceBinding, bindingOf('susp', 'susp'), {
    type: 'merge',
    value: { spec: { rescheduleTriggeredAt: '2026-01-01T00:01:00Z' } },
  })
  await env.client.patch(
    deployment,
    { namespace: 'susp', name: 'susp' },
    { type: 'merge', value: { spec: { replicas: 4 } } },
  )
  await env.eventually(async () =>
    expect((await env.client.get(resourceBinding, bindingOf('susp', 'susp'))).spec.replicas).toBe(4),
  )
  // 8: resumed, 9: its new clusters.
  await pause(null)
  await becomeAsObserved(resourceBinding, [binding])
  const { metadata, spec } = await env.client.get(deployment, { namespace: 'susp', name: 'susp' })
  expect(comparable({ metadata: { ...metadata }, spec })).toEqual(
    comparable({ metadata: template.metadata, spec: template.spec }),
  )
})
