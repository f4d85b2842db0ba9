/** The real kubectl against a member of a test, through the control plane's proxy. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Env } from '@/server/testing/start-env'

const KUBECTL = process.env.KUBECTL ?? '/usr/bin/kubectl'

export interface MemberKubectl {
  /** Runs kubectl and returns its output; rejects with its error output. */
  kubectl(args: readonly string[], stdin?: string): Promise<string>
  close(): Promise<void>
}

/**
 * Starts a proxy that adds the token, because kubectl sends no token over plain HTTP. Throws when kubectl is not
 * installed.
 */
export async function startMemberKubectl({ url, token }: Env, cluster: string): Promise<MemberKubectl> {
  if (!existsSync(KUBECTL))
    throw new Error(`these tests run the real kubectl, and there is none at ${KUBECTL}: set KUBECTL`)
  const door = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${token}` }
    const forwarded = request(new URL(incoming.url ?? '/', url), { method: incoming.method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(outgoing)
    })
    forwarded.on('error', () => outgoing.destroy())
    incoming.pipe(forwarded)
  })
  await new Promise<void>((resolve) => {
    door.listen(0, '127.0.0.1', resolve)
  })
  const { port } = door.address() as AddressInfo
  const server = `http://127.0.0.1:${port}/apis/cluster.karmada.io/v1alpha1/clusters/${cluster}/proxy`
  return {
    kubectl: (args, stdin = '') => run([`--server=${server}`, ...args], stdin),
    close: () =>
      new Promise((resolve) => {
        door.close(() => resolve())
        door.closeAllConnections()
      }),
  }
}

function run(args: readonly string[], stdin: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = execFile(
      KUBECTL,
      ['--kubeconfig=/dev/null', '--request-timeout=20s', ...args],
      { timeout: 25_000 },
      (error, stdout, stderr) => {
        if (error) reject(new Error(`kubectl ${args.join(' ')}: ${stderr || error.message}`))
        else resolve(stdout + stderr)
      },
    )
    child.stdin?.end(stdin)
  })
}
