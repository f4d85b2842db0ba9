/** The suites `exchanges` and `kubectl`: recorded sessions with a real API server, replayed on an empty embedded one. */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { allKinds } from '@/lib/kube/kinds'
import { createMemoryStore, startApiServer } from '@/server/apiserver'
import { type Outcome, runExchanges } from '@/server/apiserver/testing/exchanges'
import { runKubectlSession } from '@/server/apiserver/testing/kubectl-session'
import { adminCredential, serverKeyPair, type Credential } from '@/server/embedded/credentials'
import { writeKubeconfig } from '@/server/embedded/kubeconfig'
import { systemClock } from '@/server/runtime/system-clock'

interface Server {
  url: string
  kubeconfig: string
  admin: Credential
  viewer: Credential
}

/** Replays one file against a server of its own. */
export const sessionSuites: Readonly<Record<string, (file: string) => Promise<Outcome[]>>> = {
  exchanges: (file) => withServer(({ url, admin, viewer }) => runExchanges(file, { url, adminToken: admin.token, viewerToken: viewer.token })),
  kubectl: (file) => withServer(({ kubeconfig }) => runKubectlSession(file, { kubeconfig })),
}

async function withServer<T>(use: (server: Server) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'evenkeel-conformance-'))
  const store = createMemoryStore()
  // The users whom the sessions were recorded as.
  const admin = { ...adminCredential(folder), user: 'system:admin', uid: 'uid-admin' }
  const viewer = { token: 'viewer-token', user: 'viewer', uid: 'uid-viewer', groups: ['viewers'] }
  const host = '127.0.0.1'
  const tls = serverKeyPair(folder, host, systemClock.now())
  const server = await startApiServer({
    store, tls, kinds: allKinds, host, port: 0, clock: systemClock, uid: randomUUID, random: Math.random, tokens: [admin, viewer],
  })
  try {
    const kubeconfig = writeKubeconfig(folder, { url: server.url, cert: tls.cert, credential: admin })
    return await use({ url: server.url, kubeconfig, admin, viewer })
  } finally {
    await server.close()
    await store.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
