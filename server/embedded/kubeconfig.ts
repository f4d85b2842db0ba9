/** The file with which kubectl finds the embedded control plane. */
import { join } from 'node:path'
import { stringify } from 'yaml'
import { type Credential, type TenantCredential, writePrivately } from './credentials'

export interface KubeconfigContent {
  /** Where this machine reaches the server. kubectl sends no token without TLS, which the port speaks too. */
  url: string
  /** The server's certificate, PEM. */
  cert: string
  /** Whom the current context stands for. */
  credential: Credential
  /** Further contexts, named after their users. */
  tenants?: readonly TenantCredential[]
}

const CLUSTER = 'evenkeel'

/** Writes `<data dir>/kubeconfig`, so that `kubectl --kubeconfig` works at once; answers its path. */
export function writeKubeconfig(dataDir: string, { url, cert, credential, tenants = [] }: KubeconfigContent): string {
  const file = join(dataDir, 'kubeconfig')
  const server = url.replace(/^http:/, 'https:')
  const users = [credential, ...tenants].map(({ user, token }) => ({ name: user, user: { token } }))
  const ofTenants = tenants.map(({ user, namespace }) => (
    { name: user, context: { cluster: CLUSTER, user, namespace } }
  ))
  writePrivately(file, stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': CLUSTER,
    clusters: [{
      name: CLUSTER, cluster: { server, 'certificate-authority-data': Buffer.from(cert).toString('base64') },
    }],
    users,
    contexts: [{ name: CLUSTER, context: { cluster: CLUSTER, user: credential.user } }, ...ofTenants],
  }))
  return file
}
