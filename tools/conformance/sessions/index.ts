/** The suites `exchanges` and `kubectl`: recorded sessions with a real API server, replayed on an empty embedded one. */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { allKinds } from '@/lib/kube/kinds'
import { createMemoryStore, startApiServer } from '@/server/apiserver'
import { type Outcome, runExchanges } from '@/tools/conformance/sessions/exchanges'
import { runKubectlSession } from '@/tools/conformance/sessions/kubectl-session'
import { adminCredential, serverKeyPair, type Credential } from '@/server/embedded/credentials'
import { writeKubeconfig } from '@/server/embedded/kubeconfig'
import { createEventRecorder } from '@/server/kube/events'
import { createInformers } from '@/server/kube/informers'
import { createRestClient } from '@/server/kube/rest-client'
import { detectorController } from '@/server/reconcilers/detector'
import { createInterpreter } from '@/server/reconcilers/shared/interpreter'
import { workloadRebalancerController } from '@/server/reconcilers/workload-rebalancer'
import { createManager } from '@/server/runtime/manager'
import { systemClock } from '@/server/runtime/system-clock'
import { createLogger } from '@/server/telemetry/logger'

export interface Server {
  url: string
  kubeconfig: string
  admin: Credential
  viewer: Credential
}

/** The target of a replay that has no server of its own. */
export interface SessionTarget {
  url?: string
  token?: string
  viewerToken?: string
  kubeconfig?: string
  /** What takes part on that server besides the API server itself; cases that need more are left out. */
  parts: readonly string[]
}

/** Features of the embedded server, and of the controllers that run beside it here. */
const EMBEDDED_PARTS = ['karmada-webhook', 'karmada-controllers', 'gc', 'namespace-controller']

/** Reads `--url`, `--token`, `--viewer-token`, `--kubeconfig` and `--parts=a,b`; the other arguments are left over. */
export function readSessionTarget(argv: readonly string[]): { target: SessionTarget | undefined; rest: string[] } {
  const flags = argv.filter((arg) => arg.startsWith('--')).map((arg) => arg.slice(2).split('=', 2) as [string, string?])
  const { url, token, 'viewer-token': viewerToken, kubeconfig, parts = '' } = Object.fromEntries(flags)
  const rest = argv.filter((arg) => !arg.startsWith('--'))
  if (url === undefined && kubeconfig === undefined) return { target: undefined, rest }
  return { target: { url, token, viewerToken, kubeconfig, parts: parts.split(',').filter(Boolean) }, rest }
}

type Suite = (file: string, target: SessionTarget | undefined) => Promise<Outcome[]>

/** Replays one file against its own server, or the given one. */
export const sessionSuites: Readonly<Record<string, Suite>> = {
  exchanges: (file, target) => {
    if (!target) {
      return withServer(({ url, admin, viewer }) =>
        runExchanges(file, { url, adminToken: admin.token, viewerToken: viewer.token, parts: EMBEDDED_PARTS }),
      )
    }
    const { url = '', token = '', viewerToken = 'viewer-token', parts } = target
    return runExchanges(file, { url, adminToken: token, viewerToken, parts })
  },
  kubectl: (file, target) =>
    target
      ? runKubectlSession(file, { kubeconfig: target.kubeconfig ?? '', parts: target.parts })
      : withServer(({ kubeconfig }) => runKubectlSession(file, { kubeconfig, parts: EMBEDDED_PARTS })),
}

/** An empty embedded server while it is used, with the loops that recorded sessions need unless they are left out. */
export async function withServer<T>(use: (server: Server) => Promise<T>, { loops = true } = {}): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'evenkeel-conformance-'))
  const store = createMemoryStore()
  // The users whom the sessions were recorded as.
  const admin = { ...adminCredential(folder), user: 'system:admin', uid: 'uid-admin' }
  const viewer = { token: 'viewer-token', user: 'viewer', uid: 'uid-viewer', groups: ['viewers'] }
  const host = '127.0.0.1'
  const tls = await serverKeyPair(folder, host, systemClock.now())
  const server = await startApiServer({
    store,
    tls,
    kinds: allKinds,
    host,
    port: 0,
    clock: systemClock,
    uid: randomUUID,
    random: Math.random,
    tokens: [admin, viewer],
  })
  const stopControllers = loops ? await startControllers(server.url, admin.token) : async () => {}
  try {
    const kubeconfig = writeKubeconfig(folder, { url: server.url, cert: tls.cert, credential: admin })
    return await use({ url: server.url, kubeconfig, admin, viewer })
  } finally {
    await stopControllers()
    await server.close()
    await store.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The loops that answer to what recorded sessions do. Bindings stay as their clients left them: there is no scheduler. */
async function startControllers(url: string, token: string): Promise<() => Promise<void>> {
  const log = createLogger({ level: 'error' })
  const shared = {
    client: createRestClient({ url, token, userAgent: 'evenkeel' }),
    clock: systemClock,
    random: Math.random,
    onError: (error: unknown) => log.error({ err: error }, 'background task failed'),
  }
  const informers = createInformers(shared)
  const interpreter = createInterpreter(informers)
  const context = { ...shared, informers, interpreter, events: createEventRecorder(shared), log }
  const manager = createManager(context)
  manager.add(detectorController(context))
  manager.add(workloadRebalancerController(context))
  await manager.start()
  return async () => {
    await manager.stop()
    await interpreter.close()
    await informers.stop()
    await shared.client.close()
  }
}
