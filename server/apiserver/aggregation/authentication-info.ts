/** Publishes the CA and the headers by which aggregated API servers authenticate proxied users. */
import type { Api } from '../api'
import { allowReading, publishData } from '../controllers/published'
import type { Keyspace } from '../registry/keyspace'

const NAMESPACE = 'kube-system'
const NAME = 'extension-apiserver-authentication'
const BOOTSTRAPPED = { 'kubernetes.io/bootstrapping': 'rbac-defaults' }

/** The common name of the certificate with which this server connects. */
export const FRONT_PROXY = 'front-proxy-client'

interface Authorities {
  /** PEM, of client certificates. */
  clients: string | undefined
  /** PEM, of this server's own certificate for aggregated servers. */
  frontProxy: string
}

/** Writes the ConfigMap that aggregated servers read at their start, and the role of its readers. */
export async function publishAuthentication(api: Api, keyspace: Keyspace, authorities: Authorities): Promise<void> {
  const { clients, frontProxy } = authorities
  const data = {
    ...(clients !== undefined && { 'client-ca-file': clients }),
    'requestheader-allowed-names': JSON.stringify([FRONT_PROXY]),
    'requestheader-client-ca-file': frontProxy,
    'requestheader-extra-headers-prefix': JSON.stringify(['X-Remote-Extra-']),
    'requestheader-group-headers': JSON.stringify(['X-Remote-Group']),
    'requestheader-uid-headers': JSON.stringify(['X-Remote-Uid']),
    'requestheader-username-headers': JSON.stringify(['X-Remote-User']),
  }
  await publishData(api, keyspace, { namespace: NAMESPACE, name: NAME, data })
  await allowReading(api, keyspace, {
    namespace: NAMESPACE,
    name: `${NAME}-reader`,
    configMap: NAME,
    verbs: ['get', 'list', 'watch'],
    subjects: [],
    labels: BOOTSTRAPPED,
  })
}
