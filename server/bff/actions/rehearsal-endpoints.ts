/** Rehearsals: a scenario on a copy of the objects that the user may read. Nothing is written to the control plane. */
import { readScenario } from '@/lib/domain/rehearsal/read-scenario'
import type { Scenario } from '@/lib/domain/rehearsal/scenario'
import type { Text } from '@/lib/messages'
import { message } from '@/lib/messages/message'
import { namedAnswer } from '@/lib/view/actions'
import {
  rehearsalBody,
  rehearsalDetailSchema,
  rehearsalRecordingSchema,
  rehearsalSchema,
  rehearsalsSchema,
} from '@/lib/view/schemas/rehearsals'
import type { Scope } from '../access/access'
import { BINDINGS, CLUSTER_BINDINGS, CLUSTERS, seesAllWorkloads } from '../access/resources'
import { type AnyEndpoint, endpoint, type EndpointCall } from '../http/endpoint'
import { refuse, type Refusal } from '../http/refusal'
import {
  MAX_OF_USER,
  MAX_WAITING,
  type ReadableScope,
  type RehearsalLimits,
  WALL_LIMIT_MS,
} from '../rehearsals/rehearsals'
import { type ApiDeps, scopeWith } from './api-deps'
import { missing } from './fleet-endpoints'
import { refuseUnlessCurrent } from './plan-rebalance'

export function rehearsalEndpoints(deps: ApiDeps): AnyEndpoint[] {
  return [list(deps), read(deps), recording(deps), start(deps), remove(deps)]
}

function list(deps: ApiDeps) {
  return endpoint({
    method: 'GET',
    path: '/api/v1/rehearsals',
    kind: 'query',
    tag: 'api.tag.rehearsals',
    summary: 'api.endpoint.rehearsals',
    description: 'api.endpoint.rehearsals.description',
    response: rehearsalsSchema,
    perform: async (call) => {
      const scope = await scopeOf(call)
      const { runs, limits } = rehearsalsOf(deps)
      return { rehearsals: runs.list(call.principal.key, mayRead(scope)), limits: limitsOf(limits) }
    },
  })
}

function read(deps: ApiDeps) {
  return endpoint({
    method: 'GET',
    path: '/api/v1/rehearsals/{rehearsal}',
    kind: 'query',
    tag: 'api.tag.rehearsals',
    summary: 'api.endpoint.rehearsal',
    response: rehearsalDetailSchema,
    perform: async (call) => {
      const scope = await scopeOf(call)
      const { rehearsal: id = '' } = call.params
      const found = rehearsalsOf(deps).runs.detail(id, call.principal.key, mayRead(scope))
      if (!found) throw missing('Rehearsal', id)
      return found
    },
  })
}

function recording(deps: ApiDeps) {
  return endpoint({
    method: 'GET',
    path: '/api/v1/rehearsals/{rehearsal}/recording',
    kind: 'query',
    tag: 'api.tag.rehearsals',
    summary: 'api.endpoint.rehearsalRecording',
    description: 'api.endpoint.rehearsalRecording.description',
    response: rehearsalRecordingSchema,
    perform: async (call) => {
      const scope = await scopeOf(call)
      const { rehearsal: id = '' } = call.params
      const found = rehearsalsOf(deps).runs.recording(id, call.principal.key, mayRead(scope))
      if (!found) throw missing('Rehearsal', id)
      return found
    },
  })
}

function start(deps: ApiDeps) {
  return endpoint({
    method: 'POST',
    path: '/api/v1/rehearsals',
    kind: 'query',
    tag: 'api.tag.rehearsals',
    summary: 'api.endpoint.rehearse',
    description: 'api.endpoint.rehearse.description',
    body: rehearsalBody,
    response: rehearsalSchema,
    perform: async (call) => {
      const scope = await scopeOf(call)
      const scenario = scenarioIn(call.body.scenario)
      const { runs, limits } = rehearsalsOf(deps)
      refuseTooLarge(deps, scope, limits)
      const run = runs.start({
        scenario,
        text: call.body.scenario,
        owner: call.principal.key,
        reach: reachOf(scope),
        client: call.principal.client,
      })
      if (run === 'full') throw busy(message('rehearsals.refused.full', { count: MAX_WAITING }))
      if (run === 'tooManyOfUser') throw busy(message('rehearsals.refused.ofUser', { count: MAX_OF_USER }))
      return { body: run, status: 201 }
    },
  })
}

function remove(deps: ApiDeps) {
  return endpoint({
    method: 'DELETE',
    path: '/api/v1/rehearsals/{rehearsal}',
    kind: 'query',
    tag: 'api.tag.rehearsals',
    summary: 'api.endpoint.removeRehearsal',
    description: 'api.endpoint.removeRehearsal.description',
    response: namedAnswer,
    perform: async (call) => {
      await scopeOf(call)
      const { rehearsal: id = '' } = call.params
      if (!rehearsalsOf(deps).runs.remove(id, call.principal.key)) throw missing('Rehearsal', id)
      return { name: id }
    },
  })
}

/** A rehearsal shows clusters and workloads, so users who may list neither are refused. */
async function scopeOf(call: Pick<EndpointCall, 'access'>): Promise<Scope> {
  await scopeWith(call, CLUSTERS)
  return scopeWith(call, BINDINGS, CLUSTER_BINDINGS)
}

const reachOf = (scope: Scope): ReadableScope => ({
  everything: seesAllWorkloads(scope),
  namespaces: scope.namespaces().filter((namespace) => scope.sees({ ...BINDINGS, namespace })),
})

/** A rehearsal that was made with rights that the user has lost is no longer shown. */
const mayRead =
  (scope: Scope) =>
  ({ everything, namespaces }: ReadableScope): boolean =>
    everything ? seesAllWorkloads(scope) : namespaces.every((namespace) => scope.sees({ ...BINDINGS, namespace }))

const rehearsalsOf = ({ rehearsals }: ApiDeps): NonNullable<ApiDeps['rehearsals']> => {
  if (rehearsals) return rehearsals
  throw refuse(503, 'Unavailable', message('rehearsals.refused.unavailable'))
}

/** Parses a scenario; throws a refusal with every problem, each with its field and line. */
function scenarioIn(text: string): Scenario {
  const outcome = readScenario(text)
  if ('scenario' in outcome) return outcome.scenario
  const { problems } = outcome
  const detail = (text: Text): string => problems.map((problem) => text.of(problem)).join('\n')
  throw refuse(400, 'Invalid', detail, { field: 'scenario' })
}

const busy = (detail: ReturnType<typeof message>): Refusal =>
  refuse(429, 'TooManyRequests', detail, { retryAfterSeconds: RETRY_SECONDS })

const RETRY_SECONDS = 30

/** Refuses before anything is read: no part of a federation that is too large is copied. */
function refuseTooLarge({ cache, views }: ApiDeps, scope: Scope, limits: RehearsalLimits): void {
  refuseUnlessCurrent(cache)
  const bindings = views.models.of(scope).bindings()
  const replicas = bindings.reduce((sum, { spec }) => sum + replicasOf(spec), 0)
  if (bindings.length <= limits.workloads && replicas <= limits.replicas) return
  throw refuse(
    422,
    'Refused',
    message('rehearsals.refused.tooLarge', {
      workloads: bindings.length,
      replicas,
      most: limits.workloads,
      mostReplicas: limits.replicas,
    }),
  )
}

const replicasOf = ({ clusters = [] }: { clusters?: readonly { replicas?: number }[] }): number =>
  clusters.reduce((sum, { replicas = 0 }) => sum + replicas, 0)

const limitsOf = ({ workloads, replicas }: RehearsalLimits) => ({
  workloads,
  replicas,
  minutes: Math.round(WALL_LIMIT_MS / 60_000),
})
