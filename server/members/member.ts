/** One simulated member while its API answers: the controllers of its workloads. */
import type { Stop } from '@/lib/std/clock'
import { createEventRecorder } from '@/server/kube/events'
import { createInformers } from '@/server/kube/informers'
import type { Controller, ReconcilerContext } from '@/server/runtime/controller'
import { runController, type RunningController } from '@/server/runtime/run-controller'
import { Expectations } from './expectations'
import type { MemberContext } from './member-context'
import { nodeController } from './node-controller'
import { podController } from './pod-controller'
import { ingressController } from './network/ingress-controller'
import { serviceController } from './network/service-controller'
import { NodeLedger } from './scheduling/node-ledger'
import type { MemberSettings } from './settings'
import { type MemberSpread, startSpread } from './spread'
import { claimController } from './storage/claim-controller'
import { autoscalerController } from './workloads/autoscaler-controller'
import { budgetController } from './workloads/budget-controller'
import { cloneSetController } from './workloads/clone-set-controller'
import { cronJobController } from './workloads/cron-job-controller'
import { daemonSetController } from './workloads/daemon-set-controller'
import { deploymentController } from './workloads/deployment-controller'
import { jobController } from './workloads/job-controller'
import { quotaController } from './workloads/quota-controller'
import { replicaSetController } from './workloads/replica-set-controller'
import { statefulSetController } from './workloads/stateful-set-controller'

export interface Member {
  /** Notifies the controllers of changed annotations. */
  apply(settings: MemberSettings): void
  /** Resolves when all controllers of this member have stopped. */
  stop(): Promise<void>
}

/** A failed write is retried soon, so that a recovered member is current quickly. */
const RETRY = { baseMs: 20, maxMs: 5000 }

/** Starts a member. All its state is in its API; a stopped member continues where it was. */
export function startMember(context: ReconcilerContext, name: string, initial: MemberSettings): Member {
  const { client, clock, random } = context
  const log = context.log.child({ member: name })
  const own = { client: client.member(name), clock, random }
  const informers = createInformers({
    ...own,
    onError: (error) => log.error({ err: error }, 'informer handler failed'),
  })
  const events = createEventRecorder({
    ...own,
    onError: (error) => log.debug({ err: error }, 'failed to write an Event'),
  })
  let settings = initial
  const handlers = new Set<(before: MemberSettings) => void>()
  let retryWaiting = (): void => undefined
  const ledger = new NodeLedger(informers, () => retryWaiting())
  const expectations = new Expectations(informers, clock)
  let spread: MemberSpread | undefined
  const member: MemberContext = {
    name,
    client: own.client,
    informers,
    events,
    clock,
    ledger,
    expectations,
    settings: () => settings,
    changesPods: (namespace) => spread?.changesPods(namespace) ?? false,
    onSettings: (handler): Stop => {
      handlers.add(handler)
      return () => void handlers.delete(handler)
    },
  }
  spread = startSpread(member, { log, random, local: context.localWebhooks })
  const pods = podController(member)
  retryWaiting = pods.retryWaiting
  const loops = [
    nodeController(member),
    deploymentController(member),
    replicaSetController(member),
    statefulSetController(member),
    daemonSetController(member),
    jobController(member),
    cronJobController(member),
    budgetController(member),
    quotaController(member),
    autoscalerController(member),
    serviceController(member),
    ingressController(member),
    claimController(member),
    cloneSetController(member),
    pods.controller,
    ...spread.controllers,
  ]
  const running = loops.map((loop) => run(loop, { ...context, log, informers, events }, name))
  return {
    apply: (next) => {
      const before = settings
      settings = next
      for (const handler of handlers) handler(before)
    },
    stop: async () => {
      await Promise.all(running.map((loop) => loop.stop()))
      await spread?.stop()
      ledger.stop()
      expectations.stop()
      await informers.stop()
    },
  }
}

function run(
  loop: Controller,
  { informers, clock, log, events, failureTracker, turns }: Omit<ReconcilerContext, 'client' | 'random'>,
  scope: string,
): RunningController {
  return runController(
    { retry: RETRY, ...loop, name: `member-${loop.name}` },
    { informers, clock, log, events, scope, ...(failureTracker && { failureTracker }), ...(turns && { turns }) },
  )
}
