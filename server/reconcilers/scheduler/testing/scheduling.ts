/** Helpers for tests of the scheduler: create and change bindings, trigger, and read the result. */
import { expect } from 'vitest'
import { findCondition } from '@/lib/kube/conditions'
import type { BindingSpec } from '@/lib/kube/kinds/binding'
import { cluster as clusterKind, type Cluster } from '@/lib/kube/kinds/cluster'
import { resourceBinding, type ResourceBinding } from '@/lib/kube/kinds/resource-binding'
import { aBinding, type BindingOptions, duplicated } from '@/lib/testing/builders'
import type { Env } from '@/server/testing/start-env'

/** Options under which the fake clock does not advance while a test waits. */
export const still = { flowMs: 0 }

/** Returns replicas by cluster. */
export const placedOf = ({ spec }: ResourceBinding): Record<string, number> =>
  Object.fromEntries((spec.clusters ?? []).map(({ name, replicas = 0 }) => [name, replicas]))

/** Returns the condition `Scheduled` as `Status Reason: message`; undefined if there is none. */
export function scheduledOf({ status }: ResourceBinding): string | undefined {
  const condition = findCondition(status?.conditions, 'Scheduled')
  return condition && `${condition.status} ${condition.reason}: ${condition.message}`
}

/** Returns helpers for bindings of Deployments in `default`, by the name of the Deployment. */
export function schedulingIn(env: Env) {
  const ref = (name: string) => ({ namespace: 'default', name: `${name}-deployment` })
  const bind = (name: string, options: BindingOptions = {}) => env.create(resourceBinding, aBinding(name, options))
  const read = (name: string) => env.client.get(resourceBinding, ref(name))
  const change = (name: string, spec: Partial<BindingSpec>) =>
    env.client.patch(resourceBinding, ref(name), { type: 'merge', value: { spec } })
  const until = <T>(assertion: () => Promise<T>) => env.eventually(assertion, still)
  const becomes = (name: string, clusters: Record<string, number>) =>
    until(async () => {
      const binding = await read(name)
      expect(placedOf(binding)).toEqual(clusters)
      expect(binding.status?.schedulerObservedGeneration).toBe(binding.metadata.generation)
      return binding
    })
  const says = (name: string, condition: string | RegExp) =>
    until(async () => {
      const binding = await read(name)
      expect(scheduledOf(binding)).toMatch(condition)
      return binding
    })
  let probes = 0
  /**
   * Waits until the scheduler has processed everything so far: a binding of lowest priority, created last, is
   * scheduled.
   */
  const hasLooked = async (): Promise<void> => {
    const name = `probe-${++probes}`
    await bind(name, { placement: duplicated(), spec: { schedulePriority: { priority: -1_000_000 } } })
    await says(name, /./)
  }
  const reports = (name: string, status: Partial<NonNullable<Cluster['status']>>) =>
    env.client.patch(clusterKind, { name }, { type: 'merge', value: { status } }, { subresource: 'status' })
  const failuresOf = async (name: string): Promise<number> =>
    (await env.recordedEvents())
      .filter(
        ({ reason, involvedObject }) =>
          reason === 'ScheduleBindingFailed' && involvedObject.name === `${name}-deployment`,
      )
      .reduce((sum, { count = 1 }) => sum + count, 0)
  return { bind, read, change, becomes, says, hasLooked, reports, failuresOf }
}
