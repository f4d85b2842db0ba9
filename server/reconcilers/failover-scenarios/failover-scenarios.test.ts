/**
 * Failovers as text: workloads and clusters fail in many ways, and the texts beside this file show the workloads,
 * second by second. `UPDATE_GOLDEN=1` writes them again. In addition, one property is checked in every failover: the
 * last running replicas of a workload are never deleted.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findCondition } from '@/lib/kube/conditions'
import {
  cluster as clusterKind,
  type Cluster,
  deployment as deploymentKind,
  propagationPolicy as policyKind,
  type PropagationSpec,
  resourceBinding as bindingKind,
  type ResourceBinding,
  type Work,
  work as workKind,
} from '@/lib/kube/kinds'
import { clusterOfExecutionSpace } from '@/lib/kube/names'
import { SIM_NODES, SIM_READY_AFTER, SIM_STATE, SIM_UNHEALTHY } from '@/lib/kube/simulation'
import { aDeployment, byAvailableReplicas } from '@/lib/testing/builders'
import { memberSimulation } from '@/server/members'
import { type Env, startEnv } from '@/server/testing/start-env'
import { applicationFailoverController } from '../application-failover'
import { bindingController } from '../binding'
import { bindingStatusController } from '../binding-status'
import { clusterController } from '../cluster'
import { clusterStatusController } from '../cluster-status'
import { detectorController } from '../detector'
import { executionController } from '../execution'
import { gracefulEvictionController } from '../graceful-eviction'
import { schedulerController } from '../scheduler'
import { taintManagerController } from '../taint-manager'
import { createTimeline, type Timeline } from '../testing/timeline'
import { workStatusController } from '../work-status'

let env: Env
let timeline: Timeline
/** Replicas that were deleted although no other ones ran. */
let lost: string[]

beforeEach(async () => {
  env = await startEnv()
  lost = []
  timeline = createTimeline(env)
  timeline.follow(clusterKind, clusterFacts)
  timeline.follow(bindingKind, bindingFacts)
  env.informers.of(workKind).onChange((change) => {
    if (change.type !== 'updated' || !change.object.metadata.deletionTimestamp || change.old.metadata.deletionTimestamp)
      return
    if (healthOf(change.old) === 'Healthy' && !othersRun(change.old))
      lost.push(`${change.old.metadata.namespace}/${change.old.metadata.name}`)
  })
  const { context } = timeline
  await env.run(
    ...memberSimulation(context),
    clusterStatusController(context),
    clusterController(context, { noExecuteAfterMs: 30_000 }),
    taintManagerController(context, { resourceEvictionRate: 1 }),
    detectorController(context),
    schedulerController(context),
    bindingController(context),
    executionController(context),
    workStatusController(context),
    bindingStatusController(context),
    applicationFailoverController(context),
    gracefulEvictionController(context, { gracefulEvictionTimeoutMs: 120_000 }),
  )
})
afterEach(() => env.close())

const healthOf = ({ status }: Work): string | undefined => status?.manifestStatuses?.[0]?.health

/** Other replicas of the same workload are healthy, in a cluster that responds. */
function othersRun({ metadata }: Work): boolean {
  return env.informers
    .of(workKind)
    .list()
    .some((other) => {
      const cluster = env.informers.of(clusterKind).get(clusterOfExecutionSpace(other.metadata.namespace ?? '') ?? '')
      return (
        other.metadata.name === metadata.name
        && other.metadata.namespace !== metadata.namespace
        && !other.metadata.deletionTimestamp
        && healthOf(other) === 'Healthy'
        && cluster?.metadata.annotations?.[SIM_STATE] !== 'down'
      )
    })
}

function clusterFacts({ spec, status }: Cluster): string[] {
  const ready = findCondition(status?.conditions, 'Ready')
  return [
    ...(ready ? [`Ready=${ready.status}`] : []),
    `taints: ${(spec.taints ?? []).map(({ key, effect }) => `${key.split('/').at(-1)}:${effect}`).join(', ') || 'none'}`,
  ]
}

function bindingFacts({ spec, status, metadata }: ResourceBinding): string[] {
  const tasks = spec.gracefulEvictionTasks ?? []
  const record = metadata.annotations?.['failover.evenkeel.io/record']
  const health = (status?.aggregatedStatus ?? []).map((item) => `${item.clusterName} ${item.health}`)
  return [
    `runs in ${(spec.clusters ?? []).map(({ name, replicas }) => `${name}:${replicas ?? 0}`).join(', ') || 'no cluster'}`,
    ...(health.length > 0 ? [`health: ${health.join(', ')}`] : []),
    ...tasks.map(
      ({ fromCluster, replicas, purgeMode, reason }) =>
        `leaves ${fromCluster} with ${replicas ?? 'uncounted'} replicas, ${purgeMode ?? 'no mode'}, ${reason}`,
    ),
    ...(record ? [`failures noted: ${Object.keys(JSON.parse(record) as object).join(', ')}`] : []),
    ...(spec.activeEvictionHistory?.length
      ? [`kept away from ${spec.activeEvictionHistory.map(({ clusterName }) => clusterName).join(', ')}`]
      : []),
    ...(tasks.length === 0 ? ['leaves no cluster'] : []),
  ]
}

async function join(...names: string[]): Promise<void> {
  for (const name of names) {
    await env.client.create(clusterKind, {
      apiVersion: 'cluster.karmada.io/v1alpha1',
      kind: 'Cluster',
      metadata: { name, annotations: { [SIM_NODES]: '2', [SIM_READY_AFTER]: '0s' } },
      spec: { syncMode: 'Push' },
    })
  }
  await timeline.pass(12)
}

async function annotate(cluster: string, annotation: string, value: string | null): Promise<void> {
  await env.client.patch(
    clusterKind,
    { name: cluster },
    { type: 'merge', value: { metadata: { annotations: { [annotation]: value } } } },
  )
}

async function fall(...names: string[]): Promise<void> {
  for (const name of names) timeline.note(`${name} goes down`)
  for (const name of names) await annotate(name, SIM_STATE, 'down')
}

async function rise(...names: string[]): Promise<void> {
  for (const name of names) timeline.note(`${name} is back`)
  for (const name of names) await annotate(name, SIM_STATE, 'up')
}

/** One cluster, the one with the most capacity. */
const anywhere = {
  ...byAvailableReplicas(),
  spreadConstraints: [{ spreadByField: 'cluster' as const, minGroups: 1, maxGroups: 1 }],
}

/** A workload in one cluster, with its policy. */
async function run(name: string, spec: Partial<PropagationSpec> = {}, replicas = 2): Promise<void> {
  await env.create(policyKind, {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'PropagationPolicy',
    metadata: { name, namespace: 'default' },
    spec: {
      resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment', name }],
      propagateDeps: true,
      placement: anywhere,
      ...spec,
    },
  })
  await env.create(deploymentKind, aDeployment(name, { replicas }))
}

type Rule = NonNullable<NonNullable<PropagationSpec['failover']>['application']>
const failover = (application: Partial<Rule>): Partial<PropagationSpec> => ({
  failover: { application: { decisionConditions: { tolerationSeconds: 20 }, purgeMode: 'Directly', ...application } },
})

/** Events about failovers. */
function isTold(line: string): boolean {
  return !line.includes(' ~ ') || /Evict|ApplicationFailover|ScheduleBindingFailed/.test(line)
}

async function expectTimeline(name: string): Promise<void> {
  const file = new URL(`${name}.txt`, import.meta.url)
  const failover = (await timeline.text())
    .split('\n')
    .filter(isTold)
    .map((line) => line.replace(/ \(\d+ times\)/, ''))
    .join('\n')
  if (process.env.UPDATE_GOLDEN) writeFileSync(file, failover)
  expect(lost).toEqual([])
  expect(failover).toBe(readFileSync(file, 'utf8'))
}

const placed = async (name: string): Promise<string[]> =>
  ((await env.client.get(bindingKind, { namespace: 'default', name: `${name}-deployment` })).spec.clusters ?? []).map(
    (target) => target.name,
  )

test.each([
  ['directly', { purgeMode: 'Directly' as const }],
  ['gracefully', { purgeMode: 'Gracefully' as const, gracePeriodSeconds: 60 }],
  ['never', { purgeMode: 'Never' as const }],
])('a workload fails and moves, purged %s', async (...row) => {
  const [name, rule] = row
  await join('m1', 'm2')
  await run('web', failover({ ...rule, blockPredecessorSeconds: 60 }))
  await timeline.pass(10)
  const [home = ''] = await placed('web')
  timeline.note(`web fails in ${home}`)
  await annotate(home, SIM_UNHEALTHY, 'default/web')
  await timeline.pass(120)
  expect(await placed('web')).toEqual([home === 'm1' ? 'm2' : 'm1'])
  await expectTimeline(`application-${name}`)
})

test('a workload that fails for a moment, again and again, stays', async () => {
  await join('m1', 'm2')
  await run('web', failover({}))
  await timeline.pass(10)
  const [home = ''] = await placed('web')
  for (let blink = 0; blink < 3; blink += 1) {
    timeline.note(`web fails in ${home}`)
    await annotate(home, SIM_UNHEALTHY, 'default/web')
    await timeline.pass(15)
    timeline.note('web is well')
    await annotate(home, SIM_UNHEALTHY, null)
    await timeline.pass(10)
  }
  expect(await placed('web')).toEqual([home])
  await expectTimeline('application-flapping')
})

test('a workload fails in every cluster: its remaining replicas stay', async () => {
  await join('m1', 'm2')
  await run('web', failover({ purgeMode: 'Gracefully', gracePeriodSeconds: 30 }))
  await timeline.pass(10)
  timeline.note('web fails everywhere')
  for (const name of ['m1', 'm2']) await annotate(name, SIM_UNHEALTHY, 'default/web')
  await timeline.pass(180)
  const { spec } = await env.client.get(bindingKind, { namespace: 'default', name: 'web-deployment' })
  expect([...(spec.clusters ?? []), ...(spec.gracefulEvictionTasks ?? [])].length).toBeGreaterThan(0)
  await expectTimeline('application-everywhere')
})

test('a workload that would be deleted fails everywhere: it stays in the last place', async () => {
  await join('m1', 'm2')
  await run('web', failover({ purgeMode: 'Directly' }))
  await timeline.pass(10)
  timeline.note('web fails everywhere')
  for (const name of ['m1', 'm2']) await annotate(name, SIM_UNHEALTHY, 'default/web')
  await timeline.pass(120)
  expect(await placed('web')).toHaveLength(1)
  await expectTimeline('application-everywhere-directly')
})

test('a cluster is lost, its workloads move, and it comes back', async () => {
  await join('m1', 'm2')
  await run('web')
  await timeline.pass(10)
  await fall('m1')
  await timeline.pass(110)
  await rise('m1')
  await timeline.pass(60)
  await expectTimeline('cluster-lost')
})

test('a cluster comes back in the middle: who has not left stays', async () => {
  await join('m1', 'm2')
  for (const [name, tolerationSeconds] of [
    ['a', 4],
    ['b', 7],
    ['c', 10],
    ['d', 60],
    ['e', 61],
  ] as const) {
    const clusterTolerations = [
      { key: 'cluster.karmada.io/not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds },
    ] as const
    await run(name, { placement: { ...anywhere, clusterTolerations: [...clusterTolerations] } })
  }
  await timeline.pass(10)
  await fall('m1')
  await timeline.pass(80)
  await rise('m1')
  await timeline.pass(60)
  for (const name of ['d', 'e']) expect(await placed(name)).toContain('m1')
  await expectTimeline('cluster-back-in-the-middle')
})

test('two clusters fail together: everything gathers in the third', async () => {
  await join('m1', 'm2', 'm3')
  await run('web', { placement: byAvailableReplicas() }, 3)
  await timeline.pass(10)
  await fall('m1', 'm2')
  await timeline.pass(110)
  expect(await placed('web')).toEqual(['m3'])
  await expectTimeline('two-clusters-lost')
})

test('all clusters fail: nothing is evicted, and everything recovers with them', async () => {
  await join('m1', 'm2')
  await run('web')
  await timeline.pass(10)
  const [home = ''] = await placed('web')
  await fall('m1', 'm2')
  await timeline.pass(300)
  await rise('m1', 'm2')
  await timeline.pass(90)
  expect(await placed('web')).toHaveLength(1)
  expect(
    (await env.client.member(home).get(deploymentKind, { namespace: 'default', name: 'web' })).status?.readyReplicas
      ?? 2,
  ).toBe(2)
  await expectTimeline('all-clusters-lost')
})

test('an eviction task for an unknown cluster is dropped', async () => {
  await join('m1')
  await run('web')
  await timeline.pass(10)
  timeline.note('somebody writes a task for a cluster that does not exist')
  const gracefulEvictionTasks = [
    { fromCluster: 'atlantis', producer: 'somebody', reason: 'Mistake', suppressDeletion: true },
  ]
  await env.client.patch(
    bindingKind,
    { namespace: 'default', name: 'web-deployment' },
    { type: 'merge', value: { spec: { gracefulEvictionTasks } } },
  )
  await timeline.pass(10)
  await expectTimeline('unknown-cluster')
})

test('a clock that went wrong: times of the future begin anew', async () => {
  await join('m1', 'm2')
  await run('web', failover({ purgeMode: 'Gracefully', gracePeriodSeconds: 60 }))
  await timeline.pass(10)
  const [home = ''] = await placed('web')
  const ref = { namespace: 'default', name: 'web-deployment' }
  timeline.note('a clock one year ahead writes a failure and a task')
  const other = home === 'm1' ? 'm2' : 'm1'
  await env.client.patch(bindingKind, ref, {
    type: 'merge',
    value: {
      metadata: {
        annotations: { 'failover.evenkeel.io/record': `{"${home}":{"failedSince":"2027-01-01T00:00:00.000Z"}}` },
      },
      spec: {
        gracefulEvictionTasks: [
          {
            fromCluster: other,
            producer: 'somebody',
            reason: 'Mistake',
            purgeMode: 'Gracefully',
            creationTimestamp: '2027-01-01T00:00:00Z',
          },
        ],
      },
    },
  })
  await timeline.pass(140)
  expect(await placed('web')).toEqual([home])
  expect((await env.client.get(bindingKind, ref)).spec.gracefulEvictionTasks).toBeUndefined()
  await expectTimeline('clock-ahead')
})
