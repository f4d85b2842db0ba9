/** Aggregates the status of a RayService. */
import { fieldsIn, listIn } from '../json-fields'
import type { Fields } from '../shape'
import { latestOf, numberOr, sumOf } from './rule'

/** States of an application, from best to worst. */
const APPLICATION_STATES = ['RUNNING', 'NOT_STARTED', 'DEPLOYING', 'DELETING', 'UNHEALTHY', 'DEPLOY_FAILED']

export function rayServiceStatus(statuses: readonly Fields[]): Fields {
  const first = (name: string): unknown => statuses.map((status) => status[name]).find((value) => value !== undefined)
  const active = first('activeServiceStatus')
  const pending = first('pendingServiceStatus')
  return {
    conditions: statuses.flatMap(({ conditions }) => listIn(conditions)),
    numServeEndpoints: sumOf(statuses, 'numServeEndpoints'),
    lastUpdateTime: latestOf(statuses, 'lastUpdateTime'),
    observedGeneration: Math.max(0, ...statuses.map((status) => numberOr(status.observedGeneration, 0))),
    serviceStatus: statuses.some(({ serviceStatus }) => serviceStatus === '') ? '' : 'Running',
    ...(active !== undefined && {
      activeServiceStatus: { ...fieldsIn(active), applicationStatuses: worstApplications(statuses) },
    }),
    ...(pending !== undefined && { pendingServiceStatus: pending }),
  }
}

/** Returns for each application its worst status over the members. */
function worstApplications(statuses: readonly Fields[]): Fields {
  const worst = new Map<string, unknown>()
  const rank = (status: unknown): number => Math.max(0, APPLICATION_STATES.indexOf(String(fieldsIn(status).status)))
  for (const { activeServiceStatus } of statuses) {
    const applications = fieldsIn(fieldsIn(activeServiceStatus).applicationStatuses)
    for (const [name, status] of Object.entries(applications)) {
      if (!worst.has(name) || rank(status) > rank(worst.get(name))) worst.set(name, status)
    }
  }
  return Object.fromEntries(worst)
}
