/** Every path that the BFF answers. */
import type { IncomingMessage } from 'node:http'
import { createPlanBody, createRebalancerBody, failoverActBody, failoverOrder, planActBody, planRebalanceBody, whatIfBody } from '@/lib/view/actions'
import { type AboutFacts, describeControlPlane } from '../actions/about'
import { actOnFailover, type FailoverDeps, planFailoverAct, whyNothing } from '../actions/failover'
import { createRebalancer } from '../actions/create-rebalancer'
import { actOnPlan, createPlan } from '../actions/rebalance-plans'
import { planRebalanceAction } from '../actions/plan-rebalance'
import { readJournal } from '../actions/read-journal'
import { failbackAction, whatIfAction } from '../actions/what-if'
import { readBody } from './body'
import type { Journal } from '../recorder/journal'
import type { Answer, Route } from './router'

export interface RouteDeps extends FailoverDeps {
  about: AboutFacts
  journal: Journal
  metrics?: () => Promise<{ contentType: string; text: string }>
}

/** The routes; probes and metrics are open to every host name, for they tell nothing and change nothing. */
export function routes(deps: RouteDeps): Route[] {
  return [...probes(deps), ...actions(deps)]
}

function probes({ world, metrics }: RouteDeps): Route[] {
  const ready = (): Answer => (world.hasSynced() ? text(200, 'ok') : text(503, 'the caches are not yet synced'))
  return [
    { method: 'GET', path: '/healthz', open: true, answer: () => text(200, 'ok') },
    { method: 'GET', path: '/readyz', open: true, answer: ready },
    ...(metrics ? [metricsRoute(metrics)] : []),
  ]
}

function metricsRoute(metrics: NonNullable<RouteDeps['metrics']>): Route {
  return { method: 'GET', path: '/metrics', open: true, answer: async () => ({ status: 200, ...(await metrics()) }) }
}

function actions(deps: RouteDeps): Route[] {
  const about = () => describeControlPlane(deps.client, deps.about)
  const plan = async (request: IncomingMessage) => planRebalanceAction(deps, await readBody(request, planRebalanceBody))
  const create = async (request: IncomingMessage) =>
    createRebalancer(deps, await readBody(request, createRebalancerBody))
  const createInWaves = async (request: IncomingMessage) => createPlan(deps, await readBody(request, createPlanBody))
  const act = async (request: IncomingMessage) => actOnPlan(deps, await readBody(request, planActBody))
  const ask = async (request: IncomingMessage) => whatIfAction(deps, await readBody(request, whatIfBody))
  const planFailover = async (request: IncomingMessage) => planFailoverAct(deps, await readBody(request, failoverOrder))
  const actFailover = async (request: IncomingMessage) => actOnFailover(deps, await readBody(request, failoverActBody))
  return [
    { method: 'GET', path: '/api/failback', answer: json(200, () => Promise.resolve(failbackAction(deps))) },
    { method: 'GET', path: '/api/journal', answer: (request) => readJournal(deps, request) },
    { method: 'POST', path: '/api/what-if', answer: json(200, ask) },
    { method: 'GET', path: '/api/about', answer: json(200, about) },
    { method: 'POST', path: '/api/plans/rebalance', answer: json(200, plan) },
    { method: 'POST', path: '/api/failover/plan', answer: json(200, planFailover) },
    { method: 'POST', path: '/api/failover/act', answer: json(200, actFailover) },
    { method: 'GET', path: '/api/failover/why', answer: json(200, (request) => Promise.resolve(whyNothing(deps, clusterIn(request)))) },
    { method: 'POST', path: '/api/rebalancers', answer: json(201, create) },
    { method: 'POST', path: '/api/rebalance-plans', answer: json(201, createInWaves) },
    { method: 'POST', path: '/api/rebalance-plans/act', answer: json(200, act) },
  ]
}

const clusterIn = ({ url = '' }: IncomingMessage): string => new URL(url, 'http://localhost').searchParams.get('cluster') ?? ''

const text = (status: number, text: string): Answer => ({ status, text, contentType: 'text/plain; charset=utf-8' })

function json(status: number, act: (request: IncomingMessage) => Promise<unknown>): Route['answer'] {
  return async (request) => ({ status, json: await act(request) })
}
