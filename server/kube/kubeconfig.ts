/** Address and credentials of a real control plane, from a kubeconfig or from inside a pod. */
import { readFileSync } from 'node:fs'
import type { RequestOptions } from 'node:https'
import path from 'node:path'
import { KubeConfig } from '@kubernetes/client-node'
import type { ConnectionOptions, Credentials } from './connection'

export interface KubeConfigSource {
  /** One path, or several as `KUBECONFIG` lists them. */
  kubeconfig?: string
  /** Context to use instead of the current one. */
  context?: string
  /** Use the service account of this pod. */
  inCluster?: boolean
  /** How long a credential plug-in may take. Default 15 s: one that waits for a user would block every request. */
  pluginPatienceMs?: number
}

/** Returns the connection options of the source. Throws with a message for the user if it is invalid. */
export async function connectionOf(source: KubeConfigSource): Promise<ConnectionOptions> {
  const config = read(source)
  if (source.context !== undefined) selectContext(config, source.context)
  const cluster = config.getCurrentCluster()
  if (!cluster) throw new Error(`the kubeconfig has no cluster for its context "${config.getCurrentContext() ?? ''}"`)
  // The library refuses plain HTTP without this mark; there is no certificate to verify anyway.
  const plain = cluster.server.startsWith('http:')
  if (plain) Object.assign(cluster, { skipTLSVerify: true })
  const { ca, ...credentials } = mayChange(config) ? { ca: caOf(config) } : await credentialsOf(config)
  return {
    url: cluster.server,
    ...(ca !== undefined && { ca }),
    ...(cluster.tlsServerName && { serverName: cluster.tlsServerName }),
    ...(!plain && cluster.skipTLSVerify && { insecureSkipTlsVerify: true }),
    ...credentials,
    ...(mayChange(config) && { refresh: refresher(config, source.pluginPatienceMs) }),
  }
}

function read({ kubeconfig, inCluster }: KubeConfigSource): KubeConfig {
  const config = new KubeConfig()
  if (inCluster) {
    config.loadFromCluster()
    return config
  }
  const files = (kubeconfig ?? '').split(path.delimiter).filter((file) => file !== '')
  if (files.length === 0) throw new Error('no kubeconfig was named')
  for (const [index, file] of files.entries()) {
    const part = index === 0 ? config : new KubeConfig()
    loadFile(part, file)
    if (index > 0) config.mergeConfig(part, true)
  }
  return config
}

function loadFile(config: KubeConfig, file: string): void {
  try {
    config.loadFromString(readFileSync(file, 'utf8'))
    config.makePathsAbsolute(path.dirname(path.resolve(file)))
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new Error(`cannot read the kubeconfig ${file}: ${why}`, { cause: error })
  }
}

function selectContext(config: KubeConfig, context: string): void {
  if (!config.getContextObject(context)) {
    const known = config
      .getContexts()
      .map(({ name }) => name)
      .join(', ')
    throw new Error(`the kubeconfig has no context "${context}"; it has: ${known || 'none'}`)
  }
  config.setCurrentContext(context)
}

/** Plug-ins and token files provide credentials that expire; all other credentials are fixed. */
function mayChange(config: KubeConfig): boolean {
  const user = config.getCurrentUser()
  return Boolean(user?.exec || user?.authProvider)
}

const PLUGIN_MS = 15_000

/** The credentials of a plug-in could not be had. */
export class CredentialFault extends Error {
  constructor(
    message: string,
    readonly advice: string,
    cause?: unknown,
  ) {
    super(message, { cause })
  }
}

/** Asks the plug-in before each request. One that hangs is not started again, so that no processes pile up. */
function refresher(config: KubeConfig, patienceMs = PLUGIN_MS): () => Promise<Credentials> {
  let running: Promise<Credentials> | undefined
  return async () => {
    running ??= credentialsOf(config).finally(() => {
      running = undefined
    })
    return inTime(running, config, patienceMs)
  }
}

async function inTime(running: Promise<Credentials>, config: KubeConfig, patienceMs: number): Promise<Credentials> {
  const user = config.getCurrentUser()
  const command = [user?.exec?.command, ...(user?.exec?.args ?? [])].filter(Boolean).join(' ')
  const plugin = `the credential plug-in of the user "${user?.name ?? ''}" (${command || user?.authProvider?.name})`
  const advice = `Run it by hand on this machine as the user of this process: ${command || 'kubectl get --raw /version'}`
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    late.reject(new CredentialFault(`${plugin} did not answer within ${patienceMs / 1000} s`, advice))
  }, patienceMs)
  try {
    return await Promise.race([running, late.promise])
  } catch (error) {
    if (error instanceof CredentialFault) throw error
    const why = error instanceof Error ? error.message.trim() : String(error)
    throw new CredentialFault(`${plugin} failed: ${why}`, advice, error)
  } finally {
    clearTimeout(timer)
  }
}

function caOf(config: KubeConfig): string | undefined {
  const { caData, caFile } = config.getCurrentCluster() ?? {}
  if (caData) return Buffer.from(caData, 'base64').toString('utf8')
  return caFile ? readFileSync(caFile, 'utf8') : undefined
}

async function credentialsOf(config: KubeConfig): Promise<Credentials & { ca?: string }> {
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
