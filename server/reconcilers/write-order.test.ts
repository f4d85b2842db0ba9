/**
 * Every write from `kubectl apply` until the workload is applied and its status is collected, as text:
 * `write-order.txt` beside this file. A change of the writes appears as a difference of that text; `UPDATE_GOLDEN=1`
 * writes it again.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  deployment,
  type Deployment,
  namespace as namespaceKind,
  propagationPolicy,
  type PropagationPolicy,
  resourceBinding,
} from '@/lib/kube/kinds'
import { work as workKind, type Work } from '@/lib/kube/kinds/work'
import { isConditionTrue } from '@/lib/kube/conditions'
import type { Draft, UnknownObject } from '@/lib/kube/object'
import { karmadaProfile } from './shared/compatibility'
import type { InterpreterContext } from './shared/interpreter'
import { type Env, startEnv } from '@/server/testing/start-env'
import {
  createWriteRecorder,
  type RecordedWrite,
  formatWrites,
  type WriteRecorder,
} from '@/server/testing/write-recorder'
import { bindingController } from './binding'
import { bindingStatusController } from './binding-status'
import { detectorController } from './detector'
import { executionController } from './execution'
import { schedulerController } from './scheduler'
import { acquireMemberWatch, type MemberWatchLease } from './shared/member-watch'
import { appliedDraft, favouringLaterNames, readObserved } from './testing/observed-objects'
import { workStatusController } from './work-status'

const EXPECTED = new URL('write-order.txt', import.meta.url)
const still = { flowMs: 0 }
const web = { namespace: 'demo', name: 'nginx' }
const binding = { namespace: 'demo', name: 'nginx-deployment' }

let env: Env
let recorder: WriteRecorder
let acquired: MemberWatchLease

beforeEach(async () => {
  env = await startEnv({ uid: favouringLaterNames() })
  recorder = createWriteRecorder()
  for (const name of ['member1', 'member2']) {
    await env.createCluster(name, { cpu: '192', memory: '768Gi', annotations: { 'sim.evenkeel.io/nodes': '1' } })
    await env.createNamespace(`karmada-es-${name}`)
    await env.client
      .member(name)
      .create(namespaceKind, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'demo' } })
  }
  await env.createNamespace('demo')
  acquired = acquireMemberWatch(env.context())
  await env.run(
    detectorController(as('detector')),
    schedulerController(as('scheduler'), karmadaProfile.scheduler),
    bindingController(as('binding'), karmadaProfile.binding),
    executionController(as('execution'), { ...karmadaProfile.execution, concurrency: 1 }),
    workStatusController(as('work-status'), { debounce: { settleMs: 1_000, intervalMs: 0 } }),
    bindingStatusController(as('binding-status'), { debounce: { settleMs: 100, intervalMs: 0 } }),
  )
})

afterEach(async () => {
  await acquired.release()
  await env.close()
})

/** The context of a controller. */
function as(writer: string): InterpreterContext {
  return { ...env.context(), client: recorder.clientOf(writer, env.client) }
}

/** The Works of both clusters, once `holds` is true for each. */
const untilWorks = (holds: (work: UnknownObject) => void) =>
  env.eventually(async () => {
    const { items } = await env.client.list(workKind)
    expect(items).toHaveLength(2)
    for (const work of items) holds(work as unknown as UnknownObject)
  }, still)

/** Waits until `holds` is true for the cached Works. */
const untilCopied = (holds: (work: Work) => void) =>
  env.eventually(() => {
    for (const work of env.informers.of(workKind).list()) holds(work)
  }, still)

/** Acts as the member's controllers. */
async function becomeReady(name: string): Promise<void> {
  const member = recorder.clientOf('member', env.client).member(name)
  const {
    metadata,
    spec: { replicas = 0 },
  } = await member.get(deployment, web)
  const status = {
    observedGeneration: metadata.generation,
    replicas,
    updatedReplicas: replicas,
    readyReplicas: replicas,
    availableReplicas: replicas,
  }
  const {
    metadata: { resourceVersion },
  } = await member.patch(deployment, web, { type: 'merge', value: { status } }, { subresource: 'status' })
  await env.eventually(
    () =>
      expect(acquired.members.of(name, deployment as never).get('demo/nginx')?.metadata.resourceVersion).toBe(
        resourceVersion,
      ),
    still,
  )
}

/** Clusters are handled concurrently, so their writes are listed one cluster after the other. */
function byObject(writes: readonly RecordedWrite[]): string {
  const nameOf = ({ what }: RecordedWrite): string => what.replace(/\/status$/, '')
  const names = [...new Set(writes.map(nameOf))]
  const order = (name: string): string =>
    /^Work|in member/.test(name) ? `${name.startsWith('Work') ? '1' : '2'} ${name}` : '0'
  const ordered = names.toSorted((left, right) => order(left).localeCompare(order(right)))
  return ordered
    .map((name) => `# ${name}\n\n${formatWrites(writes.filter((write) => nameOf(write) === name))}`)
    .join('\n\n')
}

test('from kubectl apply to applied, healthy, and the status collected', async () => {
  const user = recorder.clientOf('user', env.client)
  const demo = readObserved('demo')
  const sent = <T extends Deployment | PropagationPolicy>(kind: string): Draft<T> =>
    appliedDraft<T>(demo.find((object) => object.kind === kind && object.metadata.name === 'nginx')!)!
  await user.create(deployment, sent<Deployment>('Deployment'))
  await user.create(propagationPolicy, sent<PropagationPolicy>('PropagationPolicy'))
  await untilWorks(({ status }) => expect(isConditionTrue((status as never)?.['conditions'], 'Applied')).toBe(true))
  await env.eventually(async () => {
    const { metadata, status } = await env.client.get(resourceBinding, binding)
    expect(status?.schedulerObservedGeneration).toBe(metadata.generation)
  }, still)
  await untilCopied((work) => expect(work.status?.conditions).toHaveLength(2))
  await env.advance(100)
  await env.eventually(
    async () =>
      expect(isConditionTrue((await env.client.get(resourceBinding, binding)).status?.conditions, 'FullyApplied')).toBe(
        true,
      ),
    still,
  )
  await env.advance(900)
  await untilWorks(({ status }) => expect(status).toHaveProperty('manifestStatuses'))
  await untilCopied((work) => expect(work.status?.manifestStatuses).toHaveLength(1))
  await env.advance(100)
  await env.eventually(
    async () =>
      expect((await env.client.get(resourceBinding, binding)).status?.aggregatedStatus).toMatchObject([
        { health: 'Unhealthy' },
        { health: 'Unhealthy' },
      ]),
    still,
  )

  for (const name of ['member1', 'member2']) await becomeReady(name)
  await env.advance(1_000)
  await untilWorks(({ status }) => expect(status).toMatchObject({ manifestStatuses: [{ health: 'Healthy' }] }))
  await untilCopied((work) => expect(work.status?.manifestStatuses?.[0]?.health).toBe('Healthy'))
  await env.advance(100)
  await env.eventually(
    async () => expect((await env.client.get(deployment, web)).status?.observedGeneration).toBe(2),
    still,
  )

  const writes = recorder.writes()
  const actual = `${byObject(writes)}\n`
  if (process.env.UPDATE_GOLDEN) writeFileSync(EXPECTED, actual)
  expect(actual).toBe(readFileSync(EXPECTED, 'utf8'))
  expectOrder(writes)
})

const WORK = (member: string): string => `Work karmada-es-${member}/nginx-66df4db68f`

/** Required order of writers, whatever else happens in between. */
function expectOrder(writes: readonly RecordedWrite[]): void {
  const lines = writes.map(({ writer, verb, what }) => `${writer}: ${verb} ${what}`)
  const common = [
    'user: create Deployment demo/nginx',
    'user: create PropagationPolicy demo/nginx',
    'detector: update Deployment demo/nginx',
    'detector: create ResourceBinding demo/nginx-deployment',
    'scheduler: update ResourceBinding demo/nginx-deployment',
    'scheduler: update ResourceBinding demo/nginx-deployment/status',
    'scheduler: update ResourceBinding demo/nginx-deployment/status',
  ]
  const ofMember = (member: string): string[] => [
    ...common.slice(0, 5),
    `binding: create ${WORK(member)}`,
    `execution: update ${WORK(member)}/status`,
    `execution: create Deployment demo/nginx in ${member}`,
    `execution: update ${WORK(member)}/status`,
    'binding-status: update ResourceBinding demo/nginx-deployment/status',
    `work-status: update ${WORK(member)}/status`,
    'binding-status: update ResourceBinding demo/nginx-deployment/status',
  ]
  for (const chain of [common, ofMember('member1'), ofMember('member2')]) expect(inOrder(lines, chain)).toEqual(chain)
}

/** The part of the chain that the lines contain in order. */
function inOrder(lines: readonly string[], chain: readonly string[]): string[] {
  const found: string[] = []
  for (const line of lines) if (line === chain[found.length]) found.push(line)
  return found
}
