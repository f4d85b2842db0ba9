/** A control plane for tests of queues, with helper functions. */
import { expect } from 'vitest'
import { QUEUE_ANNOTATION, RELEASED_AT_ANNOTATION } from '@/lib/domain/queue'
import { findCondition } from '@/lib/kube/conditions'
import type { BindingSpec } from '@/lib/kube/kinds/binding'
import { queue, type QueueObject, type QueueSpec } from '@/lib/kube/kinds/queue'
import { resourceBinding, type ResourceBinding } from '@/lib/kube/kinds/resource-binding'
import { formatTime } from '@/lib/std/clock'
import { aBinding, aggregated, type BindingOptions } from '@/lib/testing/builders'
import { type Env, startEnv } from '@/server/testing/start-env'

const NAMESPACE = 'shop'
const releasedAt = ({ metadata }: ResourceBinding): string => metadata.annotations?.[RELEASED_AT_ANNOTATION] ?? ''

export type Tenant = ReturnType<typeof tenantIn>

/** Starts a control plane with two namespaces and a cluster; the caller closes `env`. */
export async function startTenant(): Promise<{ env: Env; tenant: Tenant }> {
  const env = await startEnv()
  for (const name of ['shop', 'lab']) await env.createNamespace(name)
  await env.createCluster('member1')
  return { env, tenant: tenantIn(env) }
}

/**
 * Returns helpers for the queue `line` and for bindings of Deployments in the namespace `shop`, by the name of the
 * Deployment.
 */
function tenantIn(env: Env) {
  const ref = (name: string) => ({ namespace: NAMESPACE, name: `${name}-deployment` })
  const readQueue = (name = 'line', namespace = NAMESPACE): Promise<QueueObject> =>
    env.client.get(queue, { namespace, name })
  const addQueue = (
    spec: QueueSpec = {},
    { name = 'line', namespace = NAMESPACE, annotations = {} } = {},
  ): Promise<QueueObject> =>
    env.client.create(queue, {
      apiVersion: 'evenkeel.io/v1alpha1',
      kind: 'Queue',
      metadata: { name, namespace, annotations },
      spec,
    })
  const changeQueue = (spec: object, name = 'line'): Promise<QueueObject> =>
    env.client.patch(queue, { namespace: NAMESPACE, name }, { type: 'merge', value: { spec } })
  /** Creates a binding without the webhook. */
  const bind = (name: string, options: BindingOptions = {}): Promise<ResourceBinding> =>
    env.client.create(resourceBinding, aBinding(name, { namespace: NAMESPACE, placement: aggregated(), ...options }))
  /** Creates a binding as the webhook leaves it. */
  const wait = (name: string, options: BindingOptions = {}): Promise<ResourceBinding> =>
    bind(name, {
      ...options,
      metadata: { annotations: { [QUEUE_ANNOTATION]: `${NAMESPACE}/line`, ...options.metadata?.annotations } },
      spec: { suspension: { scheduling: true }, ...options.spec },
    })
  const read = (name: string): Promise<ResourceBinding> => env.client.get(resourceBinding, ref(name))
  const change = (name: string, spec: Partial<BindingSpec> | object): Promise<ResourceBinding> =>
    env.client.patch(resourceBinding, ref(name), { type: 'merge', value: { spec } }, { fieldManager: 'kubectl-edit' })
  const note = (name: string, annotations: Record<string, string | null>): Promise<ResourceBinding> =>
    env.client.patch(resourceBinding, ref(name), { type: 'merge', value: { metadata: { annotations } } })
  /** Writes a result of the scheduler. */
  const schedule = (name: string, scheduled: 'True' | 'False' = 'True'): Promise<ResourceBinding> =>
    env.client.patch(
      resourceBinding,
      ref(name),
      {
        type: 'merge',
        value: {
          status: {
            ...(scheduled === 'True' && { lastScheduledTime: formatTime(env.clock.now()) }),
            conditions: [
              {
                type: 'Scheduled',
                status: scheduled,
                reason: scheduled === 'True' ? 'Success' : 'Unschedulable',
                message: '',
                lastTransitionTime: '2026-01-01T00:00:00Z',
              },
            ],
          },
        },
      },
      { subresource: 'status' },
    )
  const place = async (name: string): Promise<ResourceBinding> => {
    const { spec } = await read(name)
    await change(name, { clusters: [{ name: 'member1', replicas: spec.replicas ?? 1 }] })
    return schedule(name)
  }
  const isSuspended = async (name: string): Promise<boolean> => (await read(name)).spec.suspension?.scheduling === true
  const released = async (): Promise<string[]> => {
    const { items } = await env.client.list(resourceBinding, { namespace: NAMESPACE })
    return items
      .filter(({ spec }) => spec.suspension?.scheduling !== true)
      .toSorted((a, b) => releasedAt(a).localeCompare(releasedAt(b)))
      .map(({ spec }) => spec.resource.name)
  }
  /** Waits until exactly these are admitted, in any order. */
  const releases = (...names: string[]): Promise<void> =>
    env.eventually(async () => expect((await released()).toSorted()).toEqual(names.toSorted()))
  const reports = (status: object, name = 'line', namespace = NAMESPACE): Promise<QueueObject> =>
    env.eventually(async () => {
      const found = await readQueue(name, namespace)
      expect(found.status).toMatchObject(status)
      return found
    })
  /** Waits until nothing is written any more while time passes. */
  const isQuiet = async (): Promise<void> => {
    const versions = async (): Promise<string> =>
      [...(await env.client.list(queue)).items, ...(await env.client.list(resourceBinding)).items]
        .map(({ metadata }) => `${metadata.namespace}/${metadata.name} ${metadata.resourceVersion}`)
        .join()
    let [before, calm] = ['', 0]
    await env.eventually(
      async () => {
        const now = await versions()
        calm = now === before ? calm + 1 : 0
        before = now
        expect(calm).toBeGreaterThanOrEqual(8)
      },
      { flowMs: 250 },
    )
    let [looks, changes] = [0, 0]
    await env.eventually(
      async () => {
        looks += 1
        if ((await versions()) !== before) changes += 1
        expect(looks).toBeGreaterThanOrEqual(8)
      },
      { flowMs: 2000 },
    )
    expect(changes).toBe(0)
  }
  const told = async (): Promise<string[]> =>
    (await env.recordedEvents()).map(
      ({ type, reason, involvedObject, message }) =>
        `${type} ${reason} ${involvedObject.kind}/${involvedObject.name}: ${message}`,
    )
  const conditionOf = async (type: string, name = 'line') =>
    findCondition((await readQueue(name)).status?.conditions, type)
  return {
    ref,
    readQueue,
    addQueue,
    changeQueue,
    bind,
    wait,
    read,
    change,
    note,
    schedule,
    place,
    isSuspended,
    releases,
    reports,
    isQuiet,
    told,
    conditionOf,
  }
}
