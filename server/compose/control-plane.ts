/** Selects the API server: the embedded one, or a real control plane. */
import { randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import { systemClock } from '@/server/runtime/system-clock'
import type { Logger } from '@/server/runtime/controller'
import { tracedConnection } from '@/server/telemetry/observed-transport'
import type { Spans } from '@/server/telemetry/spans'
import { workNotes } from '@/server/telemetry/work'
import { startEmbedded } from '@/server/embedded/control-plane'
import { SpecAuthors } from '@/server/embedded/spec-authors'
import { createHttpTransport } from '@/server/kube/http-transport'
import { connectionOf, IN_CLUSTER } from '@/server/kube/kubeconfig'
import type { Reachability } from './until-reachable'
import type { Transport } from '@/server/kube/transport'
import type { Restore } from '@/server/apiserver'
import type { Config } from '@/server/config/config'

/** An API server to work against. */
export interface ControlPlane {
  mode: 'embedded' | 'connected'
  /** Address of the API server, for display. */
  url: string
  /** PEM certificate of the embedded API server. */
  ca?: string
  /** HTTP, or direct calls into a server in this process. */
  transport: Transport
  /** Restores objects of another control plane. Absent for a real control plane, into which nothing is restored. */
  restore?: Restore
  /** User name of this process at the API server, if it is known in advance. */
  user?: string
  /** Returns the user who last changed the spec of an object, if recorded. Absent for a real control plane. */
  authorOf?: SpecAuthors['authorOf']
  /** Path of the kubeconfig that this process wrote. Absent for a real control plane. */
  kubeconfig?: string
  /** Arguments for kubectl on this machine. Absent in a pod, which has no kubeconfig file. */
  kubectl?: { path: string; context?: string }
  close(): Promise<void>
}

interface Opening {
  log: Logger
  spans: Spans
  reachability: Pick<Reachability, 'until'>
}

/**
 * Rejects if the data directory or the port is in use. Waits for a kubeconfig that can be used; a real control plane may
 * be unavailable.
 */
export async function openControlPlane(config: Config, { log, spans, reachability }: Opening): Promise<ControlPlane> {
  const { kubeconfig, context, proxies } = config
  if (kubeconfig === undefined) return openEmbedded(config, log)
  const connection = await reachability.until(() =>
    connectionOf({ kubeconfig, proxies, ...(context !== undefined && { context }) }),
  )
  const transport = createHttpTransport(tracedConnection(connection, spans))
  return {
    mode: 'connected',
    url: connection.url,
    transport,
    close: () => Promise.resolve(),
    ...(kubeconfig !== IN_CLUSTER && {
      kubectl: { path: resolve(kubeconfig), ...(context !== undefined && { context }) },
    }),
  }
}

async function openEmbedded(config: Config, log: Logger): Promise<ControlPlane> {
  const { dataDir, apiHost, apiExposed, apiPort, compatibility, failoverDefaults } = config
  const authors = new SpecAuthors()
  const embedded = await startEmbedded({
    dataDir,
    inMemory: config.twinOf !== undefined,
    host: apiHost,
    exposed: apiExposed,
    port: apiPort,
    clock: systemClock,
    uid: randomUUID,
    random: Math.random,
    log: log.child({ part: 'apiserver' }),
    ...compatibility.admission,
    failoverDefaults,
    onSpecChange: (change) => authors.note(change),
    onWork: (request) => workNotes.note({ by: 'api', ...request }),
  })
  const { url, ca, local, restore, user, kubeconfig } = embedded
  return {
    mode: 'embedded',
    url,
    ca,
    transport: local,
    restore,
    user,
    kubeconfig,
    kubectl: { path: resolve(kubeconfig) },
    authorOf: (object) => authors.authorOf(object),
    close: () => embedded.close(),
  }
}
