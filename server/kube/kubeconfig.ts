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
  const { ca, ...credentials } = await credentialsOf(config)
  return {
    url: cluster.server,
    ...(ca !== undefined && { ca }),
    ...(cluster.tlsServerName && { serverName: cluster.tlsServerName }),
    ...(!plain && cluster.skipTLSVerify && { insecureSkipTlsVerify: true }),
    ...credentials,
    ...(mayChange(config) && { refresh: () => credentialsOf(config) }),
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
