/** The servers that the suite meets: ours on each driver, and a real one where there is one. */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { allKinds } from '@/lib/kube/kinds'
import { connectionOf } from '@/server/kube/kubeconfig'
import { systemClock } from '@/server/runtime/system-clock'
import { createMemoryStore, isLoopback, openSqliteStore, startApiServer, type Store } from '@/server/apiserver'
import { startRealServer } from './real-server'
import type { RunningTarget } from './running-target'

export interface TargetChoice {
  name: string
  /** Why there is no such server here. */
  absent?: string
  start(): Promise<RunningTarget>
}

const { CONFORMANCE_KUBECONFIG = '', KUBEBUILDER_ASSETS = '' } = process.env

export const targets: readonly TargetChoice[] = [
  { name: 'our server on the memory store', start: () => startOurs(createMemoryStore(), () => undefined) },
  { name: 'our server on the sqlite store', start: startOnSqlite },
  {
    name: 'the server of CONFORMANCE_KUBECONFIG',
    ...(CONFORMANCE_KUBECONFIG === '' && {
      absent: 'name a kubeconfig in CONFORMANCE_KUBECONFIG to run the suite against a cluster',
    }),
    start: () => connect(CONFORMANCE_KUBECONFIG),
  },
  {
    name: 'the kube-apiserver of KUBEBUILDER_ASSETS',
    ...(KUBEBUILDER_ASSETS === '' && {
      absent: 'name a folder with etcd and kube-apiserver in KUBEBUILDER_ASSETS to run the suite against them',
    }),
    start: () => startRealServer(KUBEBUILDER_ASSETS),
  },
]

async function startOnSqlite(): Promise<RunningTarget> {
  const directory = mkdtempSync(join(tmpdir(), 'conformance-'))
  return startOurs(await openSqliteStore(join(directory, 'data.db')), () => rmSync(directory, { recursive: true }))
}

async function startOurs(store: Store, cleanUp: () => void): Promise<RunningTarget> {
  const server = await startApiServer({
    store,
    kinds: allKinds,
    host: '127.0.0.1',
    port: 0,
    clock: systemClock,
    uid: () => randomUUID(),
    random: Math.random,
    tokens: [{ token: 'conformance', user: 'admin', groups: ['system:masters'] }],
  })
  return {
    url: server.url,
    headers: { Authorization: 'Bearer conformance' },
    has: { controllers: true, loopback: true },
    stop: async () => {
      await server.close()
      await store.close()
      cleanUp()
    },
  }
}

async function connect(kubeconfig: string): Promise<RunningTarget> {
  const { url, ca, cert, key, token, headers, serverName, insecureSkipTlsVerify } = await connectionOf({ kubeconfig })
  return {
    url,
    headers: { ...headers, ...(token !== undefined && { Authorization: `Bearer ${token}` }) },
    tls: {
      ...(ca !== undefined && { ca }),
      ...(cert !== undefined && { cert }),
      ...(key !== undefined && { key }),
      ...(serverName !== undefined && { servername: serverName }),
      rejectUnauthorized: insecureSkipTlsVerify !== true,
    },
    has: { controllers: true, loopback: isLoopback(new URL(url).hostname) },
    stop: () => Promise.resolve(),
  }
}
