/** Every path that the BFF answers. */
import { createRebalancerBody, planRebalanceBody } from '@/lib/view/actions'
import { type AboutFacts, describeControlPlane } from '../actions/about'
import { type CreateDeps, createRebalancer } from '../actions/create-rebalancer'
import { planRebalanceAction } from '../actions/plan-rebalance'
import { readBody } from './body'
import type { Answer, Route } from './router'

export interface RouteDeps extends CreateDeps {
  about: AboutFacts
  metrics?: () => Promise<{ contentType: string; text: string }>
}

const text = (status: number, text: string): Answer => ({ status, text, contentType: 'text/plain; charset=utf-8' })

/** The routes; probes and metrics are open to every host name, for they tell nothing and change nothing. */
export function routes(deps: RouteDeps): Route[] {
  const { client, world, about, metrics } = deps
  return [
    { method: 'GET', path: '/healthz', open: true, answer: () => text(200, 'ok') },
    { method: 'GET', path: '/readyz', open: true, answer: () => (world.hasSynced() ? text(200, 'ok') : text(503, 'the caches are not yet synced')) },
    ...(metrics ? [metricsRoute(metrics)] : []),
    { method: 'GET', path: '/api/about', answer: async () => ({ status: 200, json: await describeControlPlane(client, about) }) },
    {
      method: 'POST', path: '/api/plans/rebalance',
      answer: async (request) => ({ status: 200, json: planRebalanceAction(deps, await readBody(request, planRebalanceBody)) }),
    },
    {
      method: 'POST', path: '/api/rebalancers',
      answer: async (request) => ({ status: 201, json: await createRebalancer(deps, await readBody(request, createRebalancerBody)) }),
    },
  ]
}

function metricsRoute(metrics: NonNullable<RouteDeps['metrics']>): Route {
  return { method: 'GET', path: '/metrics', open: true, answer: async () => ({ status: 200, ...(await metrics()) }) }
}
