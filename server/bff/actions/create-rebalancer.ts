/** Creates the WorkloadRebalancer of a plan if the plan is still valid. */
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

/** The field manager of the console's writes. */
export const FIELD_MANAGER = 'evenkeel-console'

/**
 * Plans again on the current caches. If the new plan differs from the one that the user saw, nothing is written and the
 * refusal carries the new plan.
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
  return reportCreated(
    call,
    await createOnce(deps, call, {
      wanted: body.name,
      create: (naming) => client.create(workloadRebalancer, named(manifest, naming), { fieldManager: FIELD_MANAGER }),
      get: (name) => client.get(workloadRebalancer, { name }),
    }),
  )
}

/** Adds the created object and its spec to the audit record. */
export function reportCreated(
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

/** Returns the manifest with the name and fingerprint set. */
export function named<M extends RebalancerManifest | PlanManifest>(
  { metadata: { annotations }, ...manifest }: M,
  { name, fingerprint }: Naming,
) {
  const request = fingerprint !== undefined && { [REQUEST_ANNOTATION]: fingerprint }
  return { ...manifest, metadata: { name, annotations: { ...annotations, ...request } } }
}

/** A fingerprint of the request that created an object; a repeated request is recognised by it. */
export const REQUEST_ANNOTATION = 'console.evenkeel.io/request'

/** The name of a new object, and the fingerprint of the request when the request may be repeated. */
export interface Naming {
  name: string
  fingerprint?: string
}

interface Creation<T> {
  /** The name that the user chose; absent: a generated name. */
  wanted?: string | undefined
  create: (naming: Naming) => Promise<T>
  get: (name: string) => Promise<T>
}

/**
 * Creates an object once. With an Idempotency-Key the name derives from the key, so that the API server itself rejects
 * a second object; the response is then the first object if the same request created it. Rejects with a Refusal if
 * another request did: 409 for a name that the user chose, 422 for a key that was used for another request.
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

/** Returns a valid object name that is always the same for the same key. */
function nameByKey(id: string): string {
  const letters = [...id].map((letter) => LETTERS[(letter.codePointAt(0) ?? 0) % LETTERS.length]).join('')
  return `${REBALANCER_PREFIX}${letters.slice(0, KEY_LETTERS)}`
}

/** Creates the object under generated names until one is free. */
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

/** Returns a name such as `rebalance-20261121-091402-x7kp`, which sorts by time and is unlikely to collide. */
export function rebalancerName(now: EpochMs, random: () => number): string {
  const [date = '', time = ''] = isoTime(now).replaceAll(/[-:]/g, '').slice(0, 15).split('T')
  const chance = Array.from({ length: 4 }, () => LETTERS[Math.floor(random() * LETTERS.length)]).join('')
  return `${REBALANCER_PREFIX}${date}-${time}-${chance}`
}
