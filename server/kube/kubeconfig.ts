/** Reads address and credentials of a real control plane from a kubeconfig or from inside a pod. */
import type { RequestOptions } from 'node:https'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { KubeConfig } from '@kubernetes/client-node'
import type { ConnectionOptions, Credentials } from './connection'
import { FilesRead } from './files-read'
import { type ProxyEnvironment, proxyFor } from './proxy'

export interface KubeConfigSource {
  /** One path, or several as `KUBECONFIG` lists them; `in-cluster`: the service account of this pod. */
  kubeconfig?: string
  /** Context to use instead of the current one. */
  context?: string
  /** How long a credential plug-in may take. Default 15 s: one that waits for a user would block every request. */
  pluginPatienceMs?: number
  /** Proxies of the environment; a `proxy-url` of the kubeconfig wins. Default: none. */
  proxies?: ProxyEnvironment
}

/** What is wrong with the kubeconfig itself. */
export type KubeconfigProblem = 'missing' | 'unreadable' | 'invalid' | 'context' | 'cluster' | 'files' | 'pod'

export class KubeconfigFault extends Error {
  constructor(
    readonly problem: KubeconfigProblem,
    message: string,
    cause?: unknown,
  ) {
    super(message, { cause })
  }
}

/**
 * Returns the connection options of the source. Throws KubeconfigFault or ProxyInvalid. Files are read
 * again when they change: certificates, authorities and tokens are renewed while we run. The address stays.
 */
export async function connectionOf(source: KubeConfigSource): Promise<ConnectionOptions> {
  const files = new FilesRead()
  const config = open(source, files)
  const cluster = config.getCurrentCluster()!
  const proxy = proxyFor(cluster.server, { given: cluster.proxyUrl, env: source.proxies })
  const asked = asksElsewhere(config)
  const given = await namingFiles(async () =>
    asked ? { ca: caOf(config, files) } : await credentialsOf(config, files),
  )
  return {
    url: cluster.server,
    ...(cluster.tlsServerName && { serverName: cluster.tlsServerName }),
    ...(isHttps(cluster) && cluster.skipTLSVerify && { insecureSkipTlsVerify: true }),
    ...(proxy !== undefined && { proxy }),
    ...given,
    ...(asked ? refresher(source, { config, files }) : { refresh: rereader(source, { files, given }) }),
  }
}

/** A certificate or a token in a file of its own. */
async function namingFiles<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new KubeconfigFault('files', `cannot read a file that the kubeconfig names: ${why}`, error)
  }
}

/** Returns the config with its context selected; throws if the context has no cluster. */
function open(source: KubeConfigSource, files: FilesRead): KubeConfig {
  const config = read(source, files)
  if (source.context !== undefined) selectContext(config, source.context)
  const cluster = config.getCurrentCluster()
  if (!cluster || !URL.canParse(cluster.server)) {
    if (source.kubeconfig === IN_CLUSTER) throw new KubeconfigFault('pod', 'this process runs in no pod of a cluster')
    const what = cluster ? 'a cluster with a valid server' : 'a cluster'
    const context = config.getCurrentContext() ?? ''
    throw new KubeconfigFault('cluster', `the kubeconfig does not have ${what} for its context "${context}"`)
  }
  // The library refuses plain HTTP without this mark; there is no certificate to verify anyway.
  if (!isHttps(cluster)) Object.assign(cluster, { skipTLSVerify: true })
  return config
}

const isHttps = ({ server }: { server: string }): boolean => !server.startsWith('http:')

/** Given instead of a path: connect with the service account of the pod. */
export const IN_CLUSTER = 'in-cluster'

function read({ kubeconfig }: KubeConfigSource, files: FilesRead): KubeConfig {
  const config = new KubeConfig()
  if (kubeconfig === IN_CLUSTER) {
    config.loadFromCluster()
    return config
  }
  const paths = (kubeconfig ?? '').split(path.delimiter).filter((file) => file !== '')
  if (paths.length === 0) throw new KubeconfigFault('missing', 'no kubeconfig was named')
  // Of several files, those that are not there are left out, as by kubectl.
  const present = paths.filter((file) => existsSync(file))
  for (const [index, file] of (present.length > 0 ? present : paths.slice(0, 1)).entries()) {
    const part = index === 0 ? config : new KubeConfig()
    loadFile(part, file, files)
    if (index > 0) config.mergeConfig(part, true)
  }
  return config
}

function loadFile(config: KubeConfig, file: string, files: FilesRead): void {
  try {
    config.loadFromString(files.read(file))
    config.makePathsAbsolute(path.dirname(path.resolve(file)))
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new KubeconfigFault(problemOf(error), `cannot read the kubeconfig ${file}: ${why}`, error)
  }
}

function problemOf(error: unknown): KubeconfigProblem {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'ENOENT') return 'missing'
  return code === 'EACCES' || code === 'EPERM' || code === 'EISDIR' ? 'unreadable' : 'invalid'
}

function selectContext(config: KubeConfig, context: string): void {
  if (!config.getContextObject(context)) {
    const known = config
      .getContexts()
      .map(({ name }) => name)
      .join(', ')
    throw new KubeconfigFault('context', `the kubeconfig has no context "${context}"; it has: ${known || 'none'}`)
  }
  config.setCurrentContext(context)
}

/** Reports whether a plug-in or auth provider supplies the credentials, which then expire; all others are in files. */
function asksElsewhere(config: KubeConfig): boolean {
  const user = config.getCurrentUser()
  return Boolean(user?.exec || user?.authProvider)
}

const PLUGIN_MS = 15_000

/** Reports that a credential plug-in failed. */
export class CredentialFault extends Error {
  constructor(
    message: string,
    /** Command that reproduces the error when run by hand. */
    readonly command: string,
    cause?: unknown,
  ) {
    super(message, { cause })
  }
}

interface Opened {
  config: KubeConfig
  files: FilesRead
}

/** Least time between two new runs of a plug-in whose credentials the server rejects. */
const REJECTED_AGAIN_MS = 10_000

/**
 * Calls the plug-in before each request; its credentials are cached until they expire, the server rejects them, or a
 * file changes. A hanging plug-in is not started again, so that processes do not accumulate.
 */
function refresher(source: KubeConfigSource, first: Opened): Required<Pick<ConnectionOptions, 'refresh' | 'rejected'>> {
  let { config, files } = first
  let running: Promise<Credentials> | undefined
  let isRejected = false
  let openedAt = -Infinity
  const reopen = (): void => {
    const next = new FilesRead()
    try {
      config = open(source, next)
      files = next
      openedAt = performance.now()
      isRejected = false
    } catch {
      // A file that is being written: the next request tries again.
    }
  }
  const refresh = async (): Promise<Credentials> => {
    if (running === undefined && (files.changed() || isRejected)) reopen()
    const ca = caOf(config, files)
    running ??= credentialsOf(config, files).finally(() => {
      running = undefined
    })
    const credentials = await inTime(running, config, source.pluginPatienceMs)
    return { ...credentials, ...(ca !== undefined && { ca }) }
  }
  const rejected = (): void => {
    if (performance.now() - openedAt >= REJECTED_AGAIN_MS) isRejected = true
  }
  return { refresh, rejected }
}

/** Reads the files again after a change. While a file is incomplete, the previous credentials stay in use. */
function rereader(
  source: KubeConfigSource,
  first: { files: FilesRead; given: Credentials },
): () => Promise<Credentials> {
  let { files, given } = first
  return async () => {
    if (!files.changed()) return given
    const next = new FilesRead()
    try {
      given = await credentialsOf(open(source, next), next)
      files = next
    } catch {
      // The next request tries again.
    }
    return given
  }
}

async function inTime(running: Promise<Credentials>, config: KubeConfig, patienceMs = PLUGIN_MS): Promise<Credentials> {
  const user = config.getCurrentUser()
  const command = [user?.exec?.command, ...(user?.exec?.args ?? [])].filter(Boolean).join(' ')
  const plugin = `the credential plug-in of the user "${user?.name ?? ''}" (${command || user?.authProvider?.name})`
  const byHand = command || 'kubectl get --raw /version'
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    late.reject(new CredentialFault(`${plugin} did not answer within ${patienceMs / 1000} s`, byHand))
  }, patienceMs)
  try {
    return await Promise.race([running, late.promise])
  } catch (error) {
    if (error instanceof CredentialFault) throw error
    const why = error instanceof Error ? error.message.trim() : String(error)
    throw new CredentialFault(`${plugin} failed: ${why}`, byHand, error)
  } finally {
    clearTimeout(timer)
  }
}

function caOf(config: KubeConfig, files: FilesRead): string | undefined {
  const { caData, caFile } = config.getCurrentCluster() ?? {}
  if (caData) return Buffer.from(caData, 'base64').toString('utf8')
  return caFile ? files.read(caFile) : undefined
}

async function credentialsOf(config: KubeConfig, files: FilesRead): Promise<Credentials> {
  const { certFile, keyFile } = config.getCurrentUser() ?? {}
  for (const file of [config.getCurrentCluster()?.caFile, certFile, keyFile]) if (file) files.note(file)
  const options: RequestOptions = {}
  await config.applyToHTTPSOptions(options)
  const given = Object.entries(options.headers ?? {})
  const headers = Object.fromEntries(given.map(([name, value]) => [name.toLowerCase(), String(value)]))
  if (options.auth) headers.authorization ??= `Basic ${Buffer.from(options.auth).toString('base64')}`
  return {
    headers,
    ...(options.ca && { ca: pem(options.ca) }),
    ...(options.cert && { cert: pem(options.cert) }),
    ...(options.key && { key: pem(options.key) }),
  }
}

function pem(value: NonNullable<RequestOptions['ca'] | RequestOptions['key']>): string {
  return Array.isArray(value) ? value.map(String).join('\n') : String(value)
}
