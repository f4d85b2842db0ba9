/** Creates the WorkloadRebalancer of a plan, if the plan still holds. */
import { isAlreadyExists } from '@/lib/kube/errors'
import { workloadRebalancer } from '@/lib/kube/kinds/workload-rebalancer'
import type { EpochMs } from '@/lib/std/clock'
import type { CreateRebalancerBody } from '@/lib/view/actions'
import { type PlanManifest, REBALANCER_PREFIX, type RebalancerManifest } from '@/lib/view/project/plan'
import type { KubeClient } from '@/server/kube/client'
import { refuse } from '../http/refusal'
import { planFor, type PlanDeps, viewOf } from './plan-rebalance'

export interface CreateDeps extends PlanDeps {
  client: KubeClient
  /** Uniform in [0, 1). */
  random: () => number
}

export const OUTDATED = 'The world has changed since this plan was made. Look at the new plan and confirm again.'
const NAME_TRIES = 5
const LETTERS = 'bcdfghjklmnpqrstvwxz2456789'

/**
 * POST /api/rebalancers. Plans once more on the present caches; when that plan would do something else than the one
 * that the user saw, nothing is written and the new plan is in the refusal.
 */
export async function createRebalancer(deps: CreateDeps, body: CreateRebalancerBody): Promise<{ name: string }> {
  const { client } = deps
  const view = viewOf(deps, planFor(deps, body.targets), body)
  if (view.base !== body.base) {
    throw refuse(409, 'PlanOutdated', OUTDATED, { plan: view })
  }
  const manifest = view.manifest as RebalancerManifest
  const name = await createNamed(deps, (name) => client.create(workloadRebalancer, named(manifest, name), { fieldManager: FIELD_MANAGER }))
  return { name }
}

/** Who the console is among the managers of fields. */
export const FIELD_MANAGER = 'evenkeel-console'

/** The manifest under a name of its own. */
export function named<M extends RebalancerManifest | PlanManifest>({ metadata: { annotations }, ...manifest }: M, name: string) {
  return { ...manifest, metadata: { name, annotations } }
}

/** Creates under a new name until one is free; answers the name. */
export async function createNamed({ clock, random }: Pick<CreateDeps, 'clock' | 'random'>, create: (name: string) => Promise<unknown>): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    const name = rebalancerName(clock.now(), random)
    try {
      await create(name)
      return name
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
