/**
 * WorkloadSpread inside one member: a webhook that assigns pods to subsets, and a controller that corrects the status.
 */
import { workloadSpread as spreadKind } from '@/lib/kube/kinds'
import { createEventRecorder } from '@/server/kube/events'
import { type Controller, type Logger, watch } from '@/server/runtime/controller'
import type { LocalWebhooks } from '@/server/kube/local-webhooks'
import type { MemberContext } from '../member-context'
import { Configurations, PODS, SPREADS } from './configurations'
import { SpreadStatusWriter, type StatusWriterFigures } from './status-writer'
import { KnownSpreads } from './known-spreads'
import { PodAdmission } from './pod-admission'
import { ScaleDown } from './scale-down'
import { SpreadAdmission } from './spread-admission'
import { spreadController } from './spread-controller'
import { startWebhookServer } from './webhook-server'
import { Workloads } from './workloads'

export interface MemberSpread {
  controllers: Controller[]
  /** True if the pod webhook is registered for the namespace. */
  changesPods(namespace: string): boolean
  /** Statistics of the status writes. */
  figures: Readonly<StatusWriterFigures>
  stop(): Promise<void>
}

export interface SpreadSettings {
  log: Logger
  /** Uniform in [0, 1). */
  random: () => number
  /** Default: over a network. */
  local?: LocalWebhooks | undefined
}

export function startSpread(member: MemberContext, { log, random, local }: SpreadSettings): MemberSpread {
  const { client, clock, informers } = member
  const spreads = new KnownSpreads({ client, spreads: informers.of(spreadKind), clock })
  const workloads = new Workloads(member)
  const statusWriter = new SpreadStatusWriter({ client, spreads: informers.of(spreadKind), clock, random })
  const scaleDown = new ScaleDown({ workloads, clock })
  const pods = new PodAdmission({ member, statusWriter, workloads, spreads, scaleDown, uid: () => uuid(random) })
  const checks = new SpreadAdmission({ workloads, spreads, openNamespace: () => configurations.ensure() })
  const server = startWebhookServer(
    { [PODS]: (review) => pods.review(review), [SPREADS]: (review) => checks.review(review) },
    { secret: uuid(random), log, local },
  )
  const configurations = new Configurations({ client, spreads, server })
  const events = createEventRecorder({
    client,
    clock,
    random,
    onError: (error) => log.warn({ err: error }, 'failed to write an Event'),
  })
  return {
    controllers: [
      configurationController(configurations),
      spreadController({ member, statusWriter, workloads, events, scaleDown }),
    ],
    changesPods: (namespace) => spreads.isUsedIn(namespace),
    figures: statusWriter.figures,
    stop: async () => {
      spreads.stop()
      await server.close()
    },
  }
}

const ALL = 'configurations'

function configurationController(configurations: Configurations): Controller {
  return {
    name: 'spread-webhook',
    watches: [watch({ kind: spreadKind, keys: () => [ALL], relevant: ({ type }) => type !== 'updated' })],
    start: (queue) => queue.add(ALL),
    reconcile: () => configurations.ensure(),
  }
}

/** A random UUID (version 4). */
function uuid(random: () => number): string {
  const digits = Array.from({ length: 32 }, () => Math.floor(random() * 16).toString(16))
  digits[12] = '4'
  digits[16] = (8 + Math.floor(random() * 4)).toString(16)
  return digits.join('').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
