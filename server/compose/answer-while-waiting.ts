/** The listener of a console whose control plane cannot be used yet: it says why, from before the kubeconfig is read. */
import { foreignRequest, ownNames } from '@/server/bff'
import type { Config } from '@/server/config/config'
import { type Console, startWithoutPages } from '@/server/console'
import { waitingHandler } from '@/server/console/waiting'
import type { Logger } from '@/server/runtime/controller'
import { ASK_AGAIN_MS, type Reachability } from './until-reachable'

export type Waiting = Pick<Console, 'close'>

interface WaitingOptions {
  config: Config
  log: Logger
  server: () => string | undefined
  reachability: Reachability
}

/**
 * Nothing for the embedded control plane, and for a port that the system chooses, which can't be opened before. Rejects
 * if the port is in use.
 */
export async function answerWhileWaiting({ config, log, server, reachability }: WaitingOptions): Promise<Waiting> {
  if (config.kubeconfig === undefined || config.port === 0) return { close: () => Promise.resolve() }
  const names = ownNames(hostsOf(config))
  const bff = waitingHandler({
    server,
    disconnection: reachability.disconnection,
    foreign: (request) => foreignRequest(request, names),
    showsCause: !config.login.required,
    every: ASK_AGAIN_MS,
  })
  return startWithoutPages({ ...config, publicUrl: config.login.publicUrl, bff, log })
}

/** Allowed host names. */
export function hostsOf({ host, allowedHosts, login: { publicUrl } }: Config): string[] {
  return [host, ...allowedHosts, ...(publicUrl === undefined ? [] : [publicUrl])]
}
