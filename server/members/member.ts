/** One simulated member while its API answers: the controllers of its workloads. */
import type { Stop } from '@/lib/std/clock'
import { createEventRecorder } from '@/server/kube/events'
import { createInformers } from '@/server/kube/informers'
import type { Controller, ReconcilerContext } from '@/server/runtime/controller'
import { runController, type RunningController } from '@/server/runtime/run-controller'
import { Expectations } from './expectations'
import type { MemberContext } from './member-context'
import { nodeLoop } from './node-loop'
import { podLoop } from './pod-loop'
import { ingressLoop } from './network/ingress-loop'
import { serviceLoop } from './network/service-loop'
import { NodeLedger } from './scheduling/node-ledger'
import type { MemberSettings } from './settings'
import { type MemberSpread, startSpread } from './spread'
import { claimLoop } from './storage/claim-loop'
import { autoscalerLoop } from './workloads/autoscaler-loop'
import { budgetLoop } from './workloads/budget-loop'
import { cloneSetLoop } from './workloads/clone-set-loop'
import { cronJobLoop } from './workloads/cron-job-loop'
import { daemonSetLoop } from './workloads/daemon-set-loop'
import { deploymentLoop } from './workloads/deployment-loop'
import { jobLoop } from './workloads/job-loop'
import { quotaLoop } from './workloads/quota-loop'
import { replicaSetLoop } from './workloads/replica-set-loop'
import { statefulSetLoop } from './workloads/stateful-set-loop'

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
  const pods = podLoop(member)
  retryWaiting = pods.retryWaiting
  const loops = [
    nodeLoop(member),
    deploymentLoop(member),
    replicaSetLoop(member),
    statefulSetLoop(member),
    daemonSetLoop(member),
    jobLoop(member),
    cronJobLoop(member),
    budgetLoop(member),
    quotaLoop(member),
    autoscalerLoop(member),
    serviceLoop(member),
    ingressLoop(member),
    claimLoop(member),
    cloneSetLoop(member),
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
  { informers, clock, log, events, oversight }: Omit<ReconcilerContext, 'client' | 'random'>,
  scope: string,
): RunningController {
  return runController(
    { retry: RETRY, ...loop, name: `member-${loop.name}` },
    { informers, clock, log, events, scope, ...(oversight && { oversight }) },
  )
}
