/** The real API server that answers are compared with. */
import { KubeConfig } from '@kubernetes/client-node'
import { Agent } from 'undici'
import type { Target } from '@/tools/conformance/sessions/exchanges'

/** Reads address and token from the current context of a kubeconfig. */
export function readReference(file: string, viewerToken: string): Target {
  const config = new KubeConfig()
  config.loadFromFile(file)
  const cluster = config.getCurrentCluster()
  const adminToken = config.getCurrentUser()?.token
  if (!cluster || adminToken === undefined) throw new Error(`${file} has no context with a cluster and a token`)
  const ca = cluster.caData === undefined ? undefined : Buffer.from(cluster.caData, 'base64')
  return { url: cluster.server, adminToken, viewerToken, dispatcher: new Agent({ connect: { ca }, allowH2: false }) }
}
