/** The kubeconfig of the embedded control plane. */
import { join } from 'node:path'
import { stringify } from 'yaml'
import { replaceFileSync } from '@/server/files/replace-file'
import type { Credential, TenantCredential } from './credentials'

export interface KubeconfigContent {
  /** Address of the server for this machine. kubectl sends no token without TLS, which the port supports. */
  url: string
  /** The server's certificate, PEM. */
  cert: string
  /** User of the current context. */
  credential: Credential
  /** Additional contexts, named after their users. */
  tenants?: readonly TenantCredential[]
}

const CLUSTER = 'evenkeel'

/** Writes `<data dir>/kubeconfig`, so that `kubectl --kubeconfig` works at once; returns its path. */
export function writeKubeconfig(dataDir: string, { url, cert, credential, tenants = [] }: KubeconfigContent): string {
  const file = join(dataDir, 'kubeconfig')
  const server = url.replace(/^http:/, 'https:')
  const users = [credential, ...tenants].map(({ user, token }) => ({ name: user, user: { token } }))
  const ofTenants = tenants.map(({ user, namespace }) => ({
    name: user,
    context: { cluster: CLUSTER, user, namespace },
  }))
  replaceFileSync(
    file,
    stringify({
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': CLUSTER,
      clusters: [
        { name: CLUSTER, cluster: { server, 'certificate-authority-data': Buffer.from(cert).toString('base64') } },
      ],
      users,
      contexts: [{ name: CLUSTER, context: { cluster: CLUSTER, user: credential.user } }, ...ofTenants],
    }),
  )
  return file
}
