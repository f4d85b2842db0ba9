/** Endpoints for the state of the console, the caller's permissions and the activity. */
import { accessAnswer, accessBody } from '@/lib/view/actions'
import { answersActivity } from '@/lib/view/activity-model'
import { activityQuery, activitySchema } from '@/lib/view/schemas/activity'
import { aboutSchema } from '@/lib/view/schemas/fleet'
import { activityFor, seesRecord } from '../audit/visible'
import { type AnyEndpoint, endpoint } from '../http/endpoint'
import { pageOf, pageParameters, pageSchema } from '../http/pagination'
import { asSeenIn, describeControlPlane } from './about'
import { type ApiDeps, scopeIn, userOf } from './api-deps'

export function consoleEndpoints(deps: ApiDeps): AnyEndpoint[] {
  return [about(deps), askAccess(), listActivity(deps)]
}

function about(deps: ApiDeps) {
  return endpoint({
    method: 'GET',
    path: '/api/v1/about',
    kind: 'query',
    tag: 'api.tag.controlPlane',
    summary: 'api.endpoint.about',
    response: aboutSchema,
    perform: async (call) => {
      const user = userOf(call, deps)
      const facts = { ...deps.about, ...(user !== undefined && { user }) }
      const view = await describeControlPlane(call.principal.client, facts, deps.failover)
      // A control plane that does not respond is described too; the permissions are unknown then.
      const scope = await call.access.whenReviewed().catch(() => undefined)
      return scope === undefined || scope.problem !== undefined ? view : asSeenIn(view, scope)
    },
  })
}

function askAccess() {
  return endpoint({
    method: 'POST',
    path: '/api/v1/access',
    kind: 'query',
    tag: 'api.tag.controlPlane',
    summary: 'api.endpoint.access',
    description: 'api.endpoint.access.description',
    body: accessBody,
    response: accessAnswer,
    perform: async ({ access, body: { questions } }) => ({
      verdicts: await Promise.all(questions.map((question) => access.can(question))),
    }),
  })
}

function listActivity({ audit }: ApiDeps) {
  return endpoint({
    method: 'GET',
    path: '/api/v1/activity',
    kind: 'query',
    tag: 'api.tag.activity',
    summary: 'api.endpoint.activity',
    description: 'api.endpoint.activity.description',
    query: activityQuery.extend(pageParameters),
    response: pageSchema(activitySchema),
    perform: async (call) => {
      const {
        query: { limit, continue: from, ...question },
        principal,
      } = call
      const scope = await scopeIn(call)
      await audit.whenLooked()
      const ids = audit
        .latest()
        .filter((record) => answersActivity(record, question) && seesRecord(record, principal.key, scope))
        .map(({ id }) => id)
      const row = (id: string) => {
        const record = audit.get(id)
        return record && activityFor(record, scope, principal.key)
      }
      return pageOf({ ids, row, query: { limit, continue: from }, descending: true })
    },
  })
}
