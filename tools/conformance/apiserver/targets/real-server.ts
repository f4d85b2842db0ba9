/** A kube-apiserver with etcd, from the test binaries for controller authors. */
import { type ChildProcess, spawn } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RunningTarget } from './running-target'

const TOKEN = 'conformance'
const TIMEOUT_MS = 60_000

/** Starts both from a folder that holds `etcd` and `kube-apiserver`. No controllers run beside them. */
export async function startRealServer(assets: string): Promise<RunningTarget> {
  const directory = mkdtempSync(join(tmpdir(), 'conformance-real-'))
  const [store, peers, port] = [await freePort(), await freePort(), await freePort()]
  writeFileSync(join(directory, 'tokens.csv'), `${TOKEN},admin,admin,system:masters\n`)
  const key = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
  writeFileSync(join(directory, 'accounts.key'), key.export({ type: 'pkcs1', format: 'pem' }))
  const etcd = run(join(assets, 'etcd'), etcdFlags(directory, store, peers))
  const server = run(join(assets, 'kube-apiserver'), serverFlags(directory, store, port))
  const stop = async (): Promise<void> => {
    await end(server)
    await end(etcd)
    rmSync(directory, { recursive: true, force: true })
  }
  try {
    await untilReady(port)
  } catch (error) {
    await stop()
    throw error
  }
  return {
    url: `https://127.0.0.1:${port}`,
    headers: { Authorization: `Bearer ${TOKEN}` },
    // It makes a certificate of its own, in this process's folder and on this machine only.
    tls: { rejectUnauthorized: false },
    has: { controllers: false, loopback: true },
    stop,
  }
}

function etcdFlags(directory: string, port: number, peers: number): string[] {
  const url = `http://127.0.0.1:${port}`
  const peerUrl = `http://127.0.0.1:${peers}`
  return [
    `--data-dir=${join(directory, 'etcd')}`,
    `--listen-client-urls=${url}`,
    `--advertise-client-urls=${url}`,
    `--listen-peer-urls=${peerUrl}`,
    `--initial-advertise-peer-urls=${peerUrl}`,
    `--initial-cluster=default=${peerUrl}`,
  ]
}

function serverFlags(directory: string, store: number, port: number): string[] {
  const accounts = join(directory, 'accounts.key')
  return [
    `--etcd-servers=http://127.0.0.1:${store}`,
    `--cert-dir=${directory}`,
    '--bind-address=127.0.0.1',
    `--secure-port=${port}`,
    '--service-cluster-ip-range=10.0.0.0/24',
    '--authorization-mode=RBAC',
    `--token-auth-file=${join(directory, 'tokens.csv')}`,
    `--service-account-issuer=https://127.0.0.1:${port}/`,
    `--service-account-key-file=${accounts}`,
    `--service-account-signing-key-file=${accounts}`,
    '--disable-admission-plugins=ServiceAccount',
  ]
}

function run(command: string, flags: readonly string[]): ChildProcess {
  const child = spawn(command, flags, { stdio: 'ignore' })
  child.on('error', () => undefined)
  return child
}

async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  await gone
}

async function untilReady(port: number): Promise<void> {
  const deadline = Date.now() + TIMEOUT_MS
  while (!(await isReady(port))) {
    if (Date.now() > deadline) throw new Error('kube-apiserver was not ready within a minute')
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

function isReady(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const asked = request({ port, host: '127.0.0.1', path: '/readyz', rejectUnauthorized: false }, (response) => {
      response.resume()
      resolve(response.statusCode === 200)
    })
    asked.on('error', () => resolve(false))
    asked.end()
  })
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
