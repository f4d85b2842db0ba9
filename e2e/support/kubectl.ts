/** The real kubectl against the product under test. */
import { spawn } from 'node:child_process'

export interface KubectlResult {
  code: number
  stdout: string
  stderr: string
}

export type Kubectl = ReturnType<typeof kubectlFor>

/** kubectl bound to one kubeconfig. `run` rejects on a non-zero exit, `tryRun` answers it. */
export function kubectlFor(kubeconfig: string) {
  const tryRun = (args: readonly string[], stdin?: string) => execute(['--kubeconfig', kubeconfig, ...args], stdin)
  const run = async (args: readonly string[], stdin?: string) => {
    const result = await tryRun(args, stdin)
    if (result.code !== 0) throw new Error(`kubectl ${args.join(' ')} failed: ${result.stderr}`)
    return result.stdout
  }
  const serverOf = (cluster: string) =>
    run(['config', 'view', '--minify', '-o', 'jsonpath={.clusters[0].cluster.server}']).then(
      (server) => `${server}/apis/cluster.karmada.io/v1alpha1/clusters/${cluster}/proxy`,
    )
  return {
    /** Runs a command in a member, through the control plane. */
    inMember: async (cluster: string, args: readonly string[], stdin?: string) =>
      run([`--server=${await serverOf(cluster)}`, ...args], stdin),
    tryRun,
    run,
    apply: (manifest: string) => run(['apply', '-f', '-'], manifest),
    /** Undefined if missing: a poll must not throw. */
    find: async <T>(what: readonly string[]) => {
      const text = await run(['get', ...what, '--ignore-not-found', '-o', 'json'])
      return text === '' ? undefined : (JSON.parse(text) as T)
    },
    json: async <T>(args: readonly string[]) => JSON.parse(await run([...args, '-o', 'json'])) as T,
    takeDown: (cluster: string) => run(['annotate', 'cluster', cluster, 'sim.evenkeel.io/state=down', '--overwrite']),
    bringBack: (cluster: string) => run(['annotate', 'cluster', cluster, 'sim.evenkeel.io/state=up', '--overwrite']),
    /** Running pods of each app of a namespace in a member, as that member's own API lists them. */
    runningPods: async (cluster: string, namespace = 'default') => {
      const path = `/apis/cluster.karmada.io/v1alpha1/clusters/${cluster}/proxy/api/v1/namespaces/${namespace}/pods`
      type Pod = { metadata: { labels?: Record<string, string> }; status?: { phase?: string } }
      const { items } = JSON.parse(await run(['get', '--raw', path])) as { items: Pod[] }
      const running = items.filter(({ status }) => status?.phase === 'Running')
      return Object.fromEntries(
        [...Map.groupBy(running, ({ metadata }) => metadata.labels?.['app'] ?? '')].map(([app, pods]) => [
          app,
          pods.length,
        ]),
      )
    },
    /** Pods of an app in a member, as that member's own API lists them. */
    memberPods: async (cluster: string, namespace: string, app: string) => {
      const path = `/apis/cluster.karmada.io/v1alpha1/clusters/${cluster}/proxy/api/v1/namespaces/${namespace}/pods?labelSelector=app%3D${app}`
      return (JSON.parse(await run(['get', '--raw', path])) as { items: { status?: { phase?: string } }[] }).items
    },
  }
}

function execute(args: readonly string[], stdin?: string): Promise<KubectlResult> {
  const child = spawn('kubectl', args)
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString()
  })
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString()
  })
  child.stdin.end(stdin ?? '')
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ code: code ?? 1, stdout, stderr }))
  })
}
