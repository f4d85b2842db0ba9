/** Creates the WorkloadRebalancer of a plan, if the plan still holds. */
import { isAlreadyExists } from '@/lib/kube/errors'
import { workloadRebalancer } from '@/lib/kube/kinds/workload-rebalancer'
import type { KubeObject } from '@/lib/kube/object'
import type { EpochMs } from '@/lib/std/clock'
import type { CreateRebalancerBody } from '@/lib/view/actions'
import { type PlanManifest, REBALANCER_PREFIX, type RebalancerManifest } from '@/lib/view/project/plan'
import type { EndpointCall } from '../http/endpoint'
import { refuse } from '../http/refusal'
import type { ApiDeps } from './api-deps'
import { type Planner, previewRebalance } from './plan-rebalance'

export const OUTDATED = 'The world has changed since this plan was made. Look at the new plan and confirm again.'
const NAME_TRIES = 5
const LETTERS = 'bcdfghjklmnpqrstvwxz2456789'

/** Who the console is among the managers of fields. */
export const FIELD_MANAGER = 'evenkeel-console'

/**
 * Plans once more on the present caches; when that plan would do something else than the one that the user saw, nothing
 * is written and the new plan is in the refusal.
 */
export async function createRebalancer(
  deps: ApiDeps, call: EndpointCall<CreateRebalancerBody>, planner: Planner,
): Promise<{ name: string }> {
  const { body, principal: { client } } = call
  const view = previewRebalance(deps, body, planner)
  if (view.base !== body.base) throw refuse(409, 'PlanOutdated', OUTDATED, { plan: view })
  const manifest = view.manifest as RebalancerManifest
  const created = await createNamed(deps, (name) => client.create(
    workloadRebalancer, named(manifest, name), { fieldManager: FIELD_MANAGER },
  ))
  return tellCreated(call, created)
}

/** On record: what was created, and its spec. */
export function tellCreated(
  { concerns }: Pick<EndpointCall, 'concerns'>, created: KubeObject & { spec?: unknown },
): { name: string } {
  const { apiVersion, kind, metadata: { name, uid }, spec } = created
  concerns({ object: { apiVersion, kind, name, uid }, after: spec })
  return { name }
}

/** The manifest under a name of its own. */
export function named<M extends RebalancerManifest | PlanManifest>(
  { metadata: { annotations }, ...manifest }: M, name: string,
) {
  return { ...manifest, metadata: { name, annotations } }
}

/** Creates under a new name until one is free. */
export async function createNamed<T>(
  { clock, random }: Pick<ApiDeps, 'clock' | 'random'>, create: (name: string) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await create(rebalancerName(clock.now(), random))
    } catch (error) {
      if (!isAlreadyExists(error) || attempt === NAME_TRIES) throw error
    }
  }
}

/** `rebalance-20261121-091402-x7kp`: sorts by time, and never has to be thought up twice. */
export function rebalancerName(now: EpochMs, random: () => number): string {
  const [date = '', time = ''] = new Date(now).toISOString().replaceAll(/[-:]/g, '').slice(0, 15).split('T')
  const chance = Array.from({ length: 4 }, () => LETTERS[Math.floor(random() * LETTERS.length)]).join('')
  return `${REBALANCER_PREFIX}${date}-${time}-${chance}`
}
