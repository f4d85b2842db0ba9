import { afterEach, beforeEach, expect, test } from 'vitest'
import { deployment, rebalancePlan, resourceBinding } from '@/lib/kube/kinds'
import { SIM_UNHEALTHY } from '@/lib/kube/simulation'
import { kubeError } from '@/lib/kube/errors'
import { memberSimulation } from '@/server/members'
import { bindingController } from '@/server/reconcilers/binding'
import { bindingStatusController } from '@/server/reconcilers/binding-status'
import { detectorController } from '@/server/reconcilers/detector'
import { executionController } from '@/server/reconcilers/execution'
import { gracefulEvictionController } from '@/server/reconcilers/graceful-eviction'
import { namespaceSyncController } from '@/server/reconcilers/namespace-sync'
import { schedulerController } from '@/server/reconcilers/scheduler'
import { workStatusController } from '@/server/reconcilers/work-status'
import type { Controller } from '@/server/runtime/controller'
import type { InterpreterContext } from '../shared/interpreter'
import { withFaults } from '@/server/testing/faulty-client'
import { type Env, startEnv } from '@/server/testing/start-env'
import { rebalancePlanController } from '.'
import { placedIn, readyOf, refOf, runningFleet } from './testing/running-fleet'

let env: Env
let fleet: ReturnType<typeof runningFleet>

beforeEach(async () => {
  env = await startEnv()
  fleet = runningFleet(env)
  await fleet.start(everythingElse(env.context()))
})
afterEach(() => env.close())

/** Real scheduler, real propagation, simulated members. */
function everythingElse(context: InterpreterContext): Controller[] {
  return [
    detectorController(context),
    schedulerController(context),
    bindingController(context),
    executionController(context),
    workStatusController(context),
    bindingStatusController(context),
    namespaceSyncController(context),
    gracefulEvictionController(context),
    ...memberSimulation(context),
  ]
}

const totalOf = (counts: Record<string, number>): number => Object.values(counts).reduce((sum, count) => sum + count, 0)

test('shows its preview, waits for its approval, and carries it out without ever missing a replica', async () => {
  await fleet.settleIn({ member2: 6 }, 'web')
  await env.run(rebalancePlanController(env.context()))
  await fleet.create('back', ['web'])
  const { status } = await fleet.reaches('back', 'AwaitingApproval')
  expect(status?.workloads?.[0]).toMatchObject({ stage: 'Pending', before: [{ name: 'member2', replicas: 6 }] })
  expect(placedIn(await fleet.read('web'))).toEqual({ member2: 6 })

  const seen: number[] = []
  const stop = env.informers.of(resourceBinding).onChange((change) => {
    if (change.type !== 'deleted') seen.push(totalOf(readyOf(change.object)))
  })
  await fleet.change('back', { base: status!.base! })
  const done = await fleet.reaches('back', 'Completed')
  stop()
  expect(Math.min(...seen)).toBeGreaterThanOrEqual(6)
  expect(done.status).toMatchObject({ progress: '1/1', prediction: { error: 0 } })
  expect(done.status?.workloads?.[0]).toMatchObject({ stage: 'Done', readyFloor: 6, readyLowest: 6 })
  const binding = await fleet.read('web')
  expect(placedIn(binding)).toEqual({ member1: 3, member2: 3 })
  expect([binding.spec.suspension, binding.spec.gracefulEvictionTasks]).toEqual([undefined, undefined])

  const { metadata } = await fleet.readPlan('back')
  await env.advance(60_000)
  expect((await fleet.readPlan('back')).metadata.resourceVersion).toBe(metadata.resourceVersion)
})

test('a regression holds the next wave; undo shows its own preview and restores the previous placement exactly', async () => {
  await fleet.settleIn({ member2: 4 }, 'a', 'b')
  await fleet.annotate('member1', { [SIM_UNHEALTHY]: 'default/a' })
  await env.run(rebalancePlanController(env.context()))
  await fleet.create('waves', ['a', 'b'], { autoApprove: true, waves: { size: 1 }, timeouts: { settleSeconds: 5 } })
  const held = await fleet.reaches('waves', 'Held')
  expect(held.status).toMatchObject({ wave: 1, holds: 1, hold: { reason: 'NotHealthyInTime' } })
  expect(placedIn(await fleet.read('b'))).toEqual({ member2: 4 })
  expect(totalOf(readyOf(await fleet.read('a')))).toBe(4)

  await fleet.change('waves', { stopped: true })
  await fleet.reaches('waves', 'Stopped')
  await env.client.create(rebalancePlan, {
    apiVersion: 'evenkeel.io/v1alpha1',
    kind: 'RebalancePlan',
    metadata: { name: 'undo' },
    spec: { undoOf: 'waves' },
  })
  const { status } = await fleet.reaches('undo', 'AwaitingApproval')
  expect(status?.workloads).toMatchObject([{ workload: { name: 'a' }, predicted: [{ name: 'member2', replicas: 4 }] }])
  await fleet.change('undo', { base: status!.base! })
  await fleet.reaches('undo', 'Completed')
  const binding = await fleet.read('a')
  expect(placedIn(binding)).toEqual({ member2: 4 })
  expect([binding.spec.suspension, binding.spec.gracefulEvictionTasks]).toEqual([undefined, undefined])
})

test('a plan deleted while it runs leaves nothing unfinished: its protection ends when the new replicas are ready', async () => {
  await fleet.settleIn({ member2: 4 }, 'web')
  await fleet.annotate('member1', { [SIM_UNHEALTHY]: 'default/web' })
  await env.run(rebalancePlanController(env.context()))
  await fleet.create('gone', ['web'], { autoApprove: true })
  await env.eventually(async () => expect(placedIn(await fleet.read('web'))).toEqual({ member1: 2, member2: 2 }))
  await env.client.delete(rebalancePlan, { name: 'gone' })
  await env.advance(5_000)
  expect((await fleet.read('web')).spec.suspension?.dispatchingOnClusters?.clusterNames).toEqual(['member2'])
  await fleet.annotate('member1', { [SIM_UNHEALTHY]: null })
  await env.eventually(async () => {
    const binding = await fleet.read('web')
    expect(binding.spec.suspension).toBeUndefined()
    expect(readyOf(binding)).toEqual({ member1: 2, member2: 2 })
  })
})

test.each([409, 429, 500])('temporary errors with code %i neither trigger twice nor lose a workload', async (code) => {
  await fleet.settleIn({ member2: 4 }, 'a', 'b')
  let triggers = 0
  const refuse = (): never => {
    throw kubeError(code, 'Conflict', 'not now')
  }
  const stop = env.informers.of(resourceBinding).onChange((change) => {
    if (change.type === 'updated' && change.old.spec.rescheduleTriggeredAt !== change.object.spec.rescheduleTriggeredAt)
      triggers += 1
  })
  const client = withFaults(
    env.client,
    { verb: 'patch', kind: resourceBinding, times: 3, before: refuse },
    { verb: 'patch', kind: rebalancePlan, times: 3, after: refuse },
  )
  await env.run(rebalancePlanController({ ...env.context(), client }))
  await fleet.create('stubborn', ['a', 'b'], { autoApprove: true, waves: { size: 2 } })
  const { status } = await fleet.reaches('stubborn', 'Completed')
  stop()
  expect(status?.counts).toMatchObject({ done: 2, failed: 0 })
  expect(triggers).toBe(2)
})

test('a plan whose writes are refused says so and why, and continues once they are not', async () => {
  await fleet.settleIn({ member2: 4 }, 'web')
  let refused = true
  let attempts = 0
  const before = (): void => {
    attempts += 1
    if (refused) throw new Error('Internal error occurred: failed calling webhook "resourcebinding.karmada.io"')
  }
  const client = withFaults(env.client, { verb: 'patch', kind: resourceBinding, times: Infinity, before })
  await env.run(rebalancePlanController({ ...env.context(), client }))
  await fleet.create('blocked', ['web'], { autoApprove: true })
  const progress = async () =>
    (await fleet.readPlan('blocked')).status?.conditions?.find(({ type }) => type === 'Progressing')
  const fault = {
    status: 'False',
    reason: 'WriteFailed',
    message:
      '1 binding could not be written, which is tried again: Internal error occurred: failed calling webhook "resourcebinding.karmada.io"',
  }
  await env.eventually(async () => expect(await progress()).toMatchObject(fault))
  const since = (await progress())?.lastTransitionTime
  await env.eventually(() => expect(attempts).toBeGreaterThan(4))
  expect(await progress()).toMatchObject({ ...fault, lastTransitionTime: since })
  refused = false
  env.clock.advance(10_000)
  await fleet.reaches('blocked', 'Completed')
  expect(placedIn(await fleet.read('web'))).toEqual({ member1: 2, member2: 2 })
})

test('a successful write whose response was lost is not repeated', async () => {
  await fleet.settleIn({ member2: 4 }, 'web')
  const lose = (): never => {
    throw new Error('socket hang up')
  }
  const client = withFaults(env.client, { verb: 'patch', kind: resourceBinding, after: lose })
  await env.run(rebalancePlanController({ ...env.context(), client }))
  await fleet.create('lost-answer', ['web'], { autoApprove: true })
  const before = (await fleet.read('web')).spec.rescheduleTriggeredAt
  await fleet.reaches('lost-answer', 'Completed')
  const binding = await fleet.read('web')
  expect(before).toBeUndefined()
  expect(placedIn(binding)).toEqual({ member1: 2, member2: 2 })
})

test.each([
  ['ahead', 3_600_000],
  ['behind', -3_600_000],
])('a clock an hour %s triggers once and ends', async (_name, offset) => {
  await fleet.settleIn({ member2: 4 }, 'web')
  const { clock } = env
  const skewed = { ...clock, now: () => clock.now() + offset }
  await env.run(rebalancePlanController({ ...env.context(), clock: skewed }))
  await fleet.create('skewed', ['web'], { autoApprove: true })
  await fleet.reaches('skewed', 'Completed')
  const { spec, status } = await fleet.read('web')
  expect(placedIn(await fleet.read('web'))).toEqual({ member1: 2, member2: 2 })
  expect(Date.parse(spec.rescheduleTriggeredAt!)).toBeLessThanOrEqual(clock.now())
  expect(Date.parse(status!.lastScheduledTime!)).toBeLessThanOrEqual(clock.now() + 1000)
})

test('pause, resume, unknown workloads, duplicates and a TTL, with nothing but patches of the spec', async () => {
  await fleet.settleIn({ member2: 4 }, 'web')
  await env.run(rebalancePlanController(env.context()))
  await fleet.create('patched', ['web', 'web', 'nobody'], {
    autoApprove: true,
    paused: true,
    ttlSecondsAfterFinished: 30,
  })
  const paused = await fleet.reaches('patched', 'Paused')
  expect(paused.status?.workloads?.map(({ workload, stage, reason }) => [workload.name, stage, reason])).toEqual([
    ['nobody', 'Skipped', 'BindingNotFound'],
    ['web', 'Pending', 'Moves'],
  ])
  await fleet.change('patched', { paused: false })
  await fleet.reaches('patched', 'Completed')
  await env.advance(31_000)
  await env.eventually(async () => expect((await env.client.list(rebalancePlan)).items).toEqual([]))
})

test('an empty plan, an unknown undo and a nonsensical amount are refused with messages', async () => {
  await env.run(rebalancePlanController(env.context()))
  await fleet.create('empty', [])
  await fleet.create('undo-nothing', [], { undoOf: 'nobody' })
  await fleet.create('amount', ['web'], { minReady: 'most of them' })
  const reasons = await Promise.all(
    ['empty', 'undo-nothing', 'amount'].map(async (name) => {
      const { status } = await fleet.reaches(name, 'Invalid')
      return status?.conditions?.find(({ type }) => type === 'Progressing')?.reason
    }),
  )
  expect(reasons).toEqual(['NothingSelected', 'PlanNotFound', 'BadAmount'])
})

test('a wave that is larger than the first pace of the scheduler is triggered in steps, and ends as one wave', async () => {
  const names = Array.from({ length: 12 }, (_, index) => `app-${String(index).padStart(2, '0')}`)
  await fleet.settleIn({ member2: 2 }, ...names)
  const pending: number[] = []
  const stop = env.informers.of(rebalancePlan).onChange((change) => {
    if (change.type === 'deleted') return
    const { workloads = [] } = change.object.status ?? {}
    pending.push(workloads.filter(({ stage }) => stage === 'Triggered').length)
  })
  await env.run(rebalancePlanController(env.context()))
  await fleet.create('large', names, { autoApprove: true, waves: { size: 12 } })
  const { status } = await fleet.reaches('large', 'Completed')
  stop()
  expect(Math.max(...pending)).toBe(8)
  expect(status).toMatchObject({ counts: { done: 12 }, waves: [{ number: 1, workloads: 12 }] })
})

test('a wave of which the first results could not be written stays one wave', async () => {
  const names = Array.from({ length: 12 }, (_, index) => `app-${String(index).padStart(2, '0')}`)
  await fleet.settleIn({ member2: 2 }, ...names)
  let [triggered, lost] = [0, 0]
  const note = (): void => void (triggered += 1)
  const lose = (): void => {
    if (triggered === 0 || lost > 0) return
    lost += 1
    throw kubeError(409, 'Conflict', 'changed meanwhile')
  }
  const client = withFaults(
    env.client,
    { verb: 'patch', kind: resourceBinding, times: Infinity, after: note },
    { verb: 'patch', kind: rebalancePlan, times: Infinity, before: lose },
  )
  await env.run(rebalancePlanController({ ...env.context(), client }))
  await fleet.create('conflicting', names, { autoApprove: true, waves: { size: 12 } })
  const { status } = await fleet.reaches('conflicting', 'Completed')
  expect(lost).toBe(1)
  expect(status).toMatchObject({ counts: { done: 12 }, waves: [{ number: 1, workloads: 12 }] })
  expect(status?.waves).toHaveLength(1)
})

test('a plan whose controller restarts in the middle continues', async () => {
  await fleet.settleIn({ member2: 4 }, 'a', 'b')
  await fleet.annotate('member1', { [SIM_UNHEALTHY]: 'default/a' })
  const other = await startEnvLoop()
  await fleet.create('handed-over', ['a', 'b'], { autoApprove: true, waves: { size: 1 } })
  await env.eventually(async () => expect(placedIn(await fleet.read('a'))).toEqual({ member1: 2, member2: 2 }))
  other.blocked = true
  await env.run(rebalancePlanController(env.context()))
  await fleet.annotate('member1', { [SIM_UNHEALTHY]: null })
  const { status } = await fleet.reaches('handed-over', 'Completed')
  expect(status?.workloads?.map(({ workload, stage, wave }) => [workload.name, stage, wave])).toEqual([
    ['a', 'Done', 1],
    ['b', 'Done', 2],
  ])
})

test('a template change and a restart of the detector in the middle of a plan do not scale down old replicas', async () => {
  await fleet.settleIn({ member2: 4 }, 'web')
  await fleet.annotate('member1', { [SIM_UNHEALTHY]: 'default/web' })
  await env.run(rebalancePlanController(env.context()))
  const seen: number[] = []
  const stop = env.informers.of(resourceBinding).onChange((change) => {
    if (change.type !== 'deleted') seen.push(totalOf(readyOf(change.object)))
  })
  await fleet.create('changed', ['web'], { autoApprove: true })
  const heldIn = async () => (await fleet.read('web')).spec.suspension?.dispatchingOnClusters?.clusterNames
  await env.eventually(async () => expect(await heldIn()).toEqual(['member2']))
  const { metadata } = await env.client.patch(
    deployment,
    { namespace: 'default', name: 'web' },
    { type: 'merge', value: { metadata: { labels: { changed: 'yes' } } } },
  )
  await env.eventually(async () =>
    expect((await fleet.read('web')).spec.resource.resourceVersion).toBe(metadata.resourceVersion),
  )
  expect(await heldIn()).toEqual(['member2'])
  // As after a restart: without memory of its writes.
  await env.run({ ...detectorController(env.context()), name: 'detector-anew' })
  await env.advance(5_000)
  expect(await heldIn()).toEqual(['member2'])
  await fleet.annotate('member1', { [SIM_UNHEALTHY]: null })
  await fleet.reaches('changed', 'Completed')
  stop()
  expect(Math.min(...seen)).toBe(4)
  expect((await env.recordedEvents()).filter(({ reason }) => reason === 'ProtectionLost')).toEqual([])
})

/** A leader that can be disconnected from the control plane. */
async function startEnvLoop(): Promise<{ blocked: boolean }> {
  const leader = { blocked: false }
  const cut = (): void => {
    if (leader.blocked) throw kubeError(503, 'ServiceUnavailable', 'cut off')
  }
  const client = withFaults(
    env.client,
    { verb: 'patch', kind: resourceBinding, times: Infinity, before: cut },
    { verb: 'patch', kind: rebalancePlan, times: Infinity, before: cut },
  )
  await env.run({ ...rebalancePlanController({ ...env.context(), client }), name: 'former-leader' })
  return leader
}

test('a selection by cluster and by label contains the workloads that run there and have the label', async () => {
  await fleet.settleIn({ member2: 2 }, 'web')
  await fleet.settleIn({ member1: 2 }, 'api')
  await env.run(rebalancePlanController(env.context()))
  const choose = async (name: string, selection: object): Promise<string[]> => {
    await fleet.create(name, [], { selection })
    const { status } = await fleet.reaches(name, 'AwaitingApproval')
    return status?.workloads?.map(({ workload }) => workload.name) ?? []
  }
  expect(await choose('by-cluster', { runningOn: ['member2'] })).toEqual(['web'])
  await env.eventually(async () =>
    expect(await choose(`by-label-${env.clock.now()}`, { labelSelector: { matchLabels: { app: 'api' } } })).toEqual([
      'api',
    ]),
  )
  expect(refOf('web').name).toBe('web-deployment')
})
