/** Creates the WorkloadRebalancer of a plan, if the plan still holds. */
import { isAlreadyExists } from '@/lib/kube/errors'
import { workloadRebalancer } from '@/lib/kube/kinds/workload-rebalancer'
import type { KubeObject } from '@/lib/kube/object'
import { message } from '@/lib/messages/message'
import { isoTime, type EpochMs } from '@/lib/std/clock'
import type { CreateRebalancerBody } from '@/lib/view/actions'
import { type PlanManifest, REBALANCER_PREFIX, type RebalancerManifest } from '@/lib/view/project/plan'
import type { EndpointCall } from '../http/endpoint'
import { refuse } from '../http/refusal'
import type { ApiDeps } from './api-deps'
import { type Planner, previewRebalance } from './plan-rebalance'

export const OUTDATED = message('rebalance.problem.PlanOutdated')
const NAME_TRIES = 5
const LETTERS = 'bcdfghjklmnpqrstvwxz2456789'

/** Who the console is among the managers of fields. */
export const FIELD_MANAGER = 'evenkeel-console'

/**
 * Plans once more on the present caches; when that plan would do something else than the one that the user saw, nothing
 * is written and the new plan is in the refusal.
 */
export async function createRebalancer(
  deps: ApiDeps,
  call: EndpointCall<CreateRebalancerBody>,
  planner: Planner,
): Promise<{ name: string }> {
  const {
    body,
    principal: { client },
  } = call
  const view = previewRebalance(deps, body, planner)
  if (view.base !== body.base) throw refuse(409, 'PlanOutdated', OUTDATED, { plan: view })
  if (view.totals.moving === 0) throw refuse(409, 'NothingToDo', message('rebalance.problem.NothingMoves'))
  const manifest = view.manifest as RebalancerManifest
  return tellCreated(
    call,
    await createOnce(deps, call, {
      wanted: body.name,
      create: (naming) => client.create(workloadRebalancer, named(manifest, naming), { fieldManager: FIELD_MANAGER }),
      get: (name) => client.get(workloadRebalancer, { name }),
    }),
  )
}

/** On record: what was created, and its spec. */
export function tellCreated(
  { concerns }: Pick<EndpointCall, 'concerns'>,
  created: KubeObject & { spec?: unknown },
): { name: string } {
  const {
    apiVersion,
    kind,
    metadata: { name, uid },
    spec,
  } = created
  concerns({ object: { apiVersion, kind, name, uid }, after: spec })
  return { name }
}

/** The manifest under a name of its own. */
export function named<M extends RebalancerManifest | PlanManifest>(
  { metadata: { annotations }, ...manifest }: M,
  { name, fingerprint }: Naming,
) {
  const request = fingerprint !== undefined && { [REQUEST_ANNOTATION]: fingerprint }
  return { ...manifest, metadata: { name, annotations: { ...annotations, ...request } } }
}

/** The request that an object was created by, so that the same one, sent again, is known by it. */
export const REQUEST_ANNOTATION = 'console.evenkeel.io/request'

/** The name of a new object, and the request that asks for it where it may be sent again. */
export interface Naming {
  name: string
  fingerprint?: string
}

interface Creation<T> {
  /** The name that the user asked for; absent: one is made up. */
  wanted?: string | undefined
  create: (naming: Naming) => Promise<T>
  get: (name: string) => Promise<T>
}

/**
 * Creates an object once. Under an Idempotency-Key its name follows from the key, so that the API server itself refuses a
 * second one; the answer is then the first, where the same request made it. Rejects with a Refusal where another did: 409
 * for a name that was asked for, 422 for a key that was used for another request.
 */
export async function createOnce<T extends KubeObject>(
  deps: Pick<ApiDeps, 'clock' | 'random'>,
  { keyed }: Pick<EndpointCall, 'keyed'>,
  { wanted, create, get }: Creation<T>,
): Promise<T> {
  const name = wanted ?? (keyed && nameByKey(keyed.id))
  if (name === undefined) return createNamed(deps, (free) => create({ name: free }))
  try {
    return await create({ name, ...(keyed && { fingerprint: keyed.fingerprint }) })
  } catch (error) {
    if (!isAlreadyExists(error)) throw error
    const first = keyed && (await get(name))
    if (first && first.metadata.annotations?.[REQUEST_ANNOTATION] === keyed.fingerprint) return first
    if (wanted !== undefined)
      throw refuse(409, 'AlreadyExists', message('rebalance.problem.AlreadyExists', { name: wanted }), {
        field: 'name',
      })
    throw refuse(422, 'IdempotencyKeyReused', message('rebalance.problem.IdempotencyKeyReused'))
  }
}

const KEY_LETTERS = 16

/** A name that is the same for the same key and can be an object's. */
function nameByKey(id: string): string {
  const letters = [...id].map((letter) => LETTERS[(letter.codePointAt(0) ?? 0) % LETTERS.length]).join('')
  return `${REBALANCER_PREFIX}${letters.slice(0, KEY_LETTERS)}`
}

/** Creates under a new name until one is free. */
async function createNamed<T>(
  { clock, random }: Pick<ApiDeps, 'clock' | 'random'>,
  create: (name: string) => Promise<T>,
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
  const [date = '', time = ''] = isoTime(now).replaceAll(/[-:]/g, '').slice(0, 15).split('T')
  const chance = Array.from({ length: 4 }, () => LETTERS[Math.floor(random() * LETTERS.length)]).join('')
  return `${REBALANCER_PREFIX}${date}-${time}-${chance}`
}
