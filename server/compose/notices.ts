/** Sets up notices about incidents: the sending instance, the state that is kept, and the start time. */
import type { SharedStore } from '@/server/bff/shared/store'
import { type IncidentFeed, memoryInFile, memoryInStore, memoryOfProcess, Notifier } from '@/server/notify'
import type { Controller } from '@/server/runtime/controller'
import type { Manager } from '@/server/runtime/manager'
import type { Composition } from './composition'

/** Also the name of the lease and of the controller in metrics. */
const NAME = 'notices'

interface NoticeParts {
  store: SharedStore
  /** Identifies the control plane; the same for all instances of the console. */
  controlPlane: string
  manager: Manager
  /** Directory of the journal. Undefined: the state of notices is in memory, as the journal is. */
  directory: string | undefined
}

/** Returns undefined if no receiver is configured. */
export function openNotifier(
  { config, parts: { clock, random, log, metrics } }: Composition,
  { store, controlPlane, manager, directory }: NoticeParts,
): Notifier | undefined {
  const { notify, redis, login, host, port } = config
  if (!notify || notify.receivers.length === 0) return undefined
  if (!redis && directory === undefined)
    log.warn({}, 'neither Redis nor a journal directory is configured: notices are sent again after a restart')
  return new Notifier({
    settings: notify,
    sender: {
      consoleUrl: login.publicUrl ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
      controlPlane,
    },
    memory: redis ? memoryInStore(store) : directory === undefined ? memoryOfProcess() : memoryInFile(directory),
    clock,
    random,
    log: log.child({ part: NAME }),
    metrics,
    leads: () => manager.leads(NAME),
  })
}

/** Elects one of several instances to send notices: the leader of this controller, which reconciles no objects. */
export const noticeController = (notifier: Notifier, feed: IncidentFeed): Controller => ({
  name: NAME,
  watches: [],
  reconcile: () => Promise.resolve(),
  start: () => {
    void notifier.start(feed)
    return () => notifier.stop()
  },
})
