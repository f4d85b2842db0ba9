/** The real kubectl against a server of a test. */
import { execFile, type ExecFileException } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { selfSigned } from '../index'
import { ADMIN_TOKEN, startTestServer, type TestServer } from './start-server'

const KUBECTL = process.env.KUBECTL ?? '/usr/bin/kubectl'

export interface KubectlServer {
  server: TestServer
  /** Runs kubectl and returns its output; rejects with its error output. */
  kubectl(args: readonly string[], stdin?: string): Promise<string>
  close(): Promise<void>
}

/** Starts a TLS server with a kubectl configured for it. Throws when kubectl is not installed. */
export async function startKubectlServer(): Promise<KubectlServer> {
  if (!existsSync(KUBECTL)) {
    throw new Error(
      `these tests run the real kubectl, and there is none at ${KUBECTL}: `
        + 'install it (Debian: kubernetes-client) or set KUBECTL',
    )
  }
  const directory = mkdtempSync(join(tmpdir(), 'kubectl-'))
  const tls = await selfSigned({ hosts: ['127.0.0.1'], now: Date.now() })
  const server = await startTestServer({ tls })
  writeFileSync(join(directory, 'config'), kubeconfig(server.url, tls.cert))
  return {
    server,
    kubectl: (args, stdin = '') => run(directory, args, stdin),
    close: async () => {
      await server.close()
      rmSync(directory, { recursive: true })
    },
  }
}

function kubeconfig(url: string, certificate: string): string {
  const cluster = {
    server: url.replace('http:', 'https:'),
    'certificate-authority-data': Buffer.from(certificate).toString('base64'),
  }
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'test',
    clusters: [{ name: 'test', cluster }],
    users: [{ name: 'admin', user: { token: ADMIN_TOKEN } }],
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'admin' } }],
  })
}

function run(directory: string, args: readonly string[], stdin: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const env = {
      PATH: process.env.PATH,
      HOME: directory,
      KUBECONFIG: join(directory, 'config'),
    } as unknown as NodeJS.ProcessEnv
    const child = execFile(
      KUBECTL,
      ['--request-timeout=20s', ...args],
      { env, timeout: 25_000 },
      (error: ExecFileException | null, stdout, stderr) => {
        if (error) reject(new Error(`kubectl ${args.join(' ')}: ${stderr || error.message}`))
        else resolve(stdout + stderr)
      },
    )
    child.stdin?.end(stdin)
  })
}
