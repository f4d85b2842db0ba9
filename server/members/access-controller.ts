/**
 * Gives clients of a federation access to simulated members as to real ones: through the address and the Secrets that
 * their Clusters name. All members share one account of the control plane, which has all permissions in each member.
 */
import { isAlreadyExists } from '@/lib/kube/errors'
import type { Kind } from '@/lib/kube/kind'
import {
  cluster as clusterKind,
  clusterRole,
  clusterRoleBinding,
  namespace as namespaceKind,
  secret as secretKind,
  serviceAccount as accountKind,
} from '@/lib/kube/kinds'
import type { Draft, KubeObject } from '@/lib/kube/object'
import { isSimulated } from '@/lib/kube/simulation'
import { encodeBase64 } from '@/lib/std/base64'
import type { KubeClient } from '@/server/kube/client'
import { type Controller, type ReconcilerContext, watch } from '@/server/runtime/controller'

export interface MemberAccess {
  /** Address of the control plane for other clients. */
  url: string
  /** Its certificate, PEM. */
  ca: string
  /** Also create the Secret of an impersonator; every member then gets the role that permits impersonating users. */
  impersonator: boolean
}

const NAMESPACE = 'karmada-cluster'
const NAME = 'simulated-members'
const IMPERSONATOR = `${NAME}-impersonator`
const RBAC = { apiVersion: 'rbac.authorization.k8s.io/v1' }
/** The maximum validity of a token: the Secrets are written once. */
const TOKEN_SECONDS = 2 ** 32

/** Completes Clusters that name no address of their own. */
export function accessController({ client, informers }: ReconcilerContext, access: MemberAccess): Controller {
  let credentials: Promise<void> | undefined
  return {
    name: 'member-access',
    watches: [watch({ kind: clusterKind, relevant: ({ type }) => type === 'added' })],
    reconcile: async (name) => {
      const cluster = informers.of(clusterKind).get(name)
      if (!cluster || !isSimulated(cluster) || cluster.spec.apiEndpoint) return
      credentials ??= writeCredentials(client, access).catch((error: unknown) => {
        credentials = undefined
        throw error
      })
      await credentials
      await ensure(client.member(name), clusterRoleBinding, bindingTo('cluster-admin'))
      const spec = {
        apiEndpoint: `${access.url}/apis/cluster.karmada.io/v1alpha1/clusters/${name}/proxy`,
        secretRef: { namespace: NAMESPACE, name: NAME },
        ...(access.impersonator && { impersonatorSecretRef: { namespace: NAMESPACE, name: IMPERSONATOR } }),
      }
      await client.patch(clusterKind, { name }, { type: 'merge', value: { spec } })
    },
  }
}

/** The account, its right to pass through the proxy, and the Secrets with its token. */
async function writeCredentials(client: KubeClient, access: MemberAccess): Promise<void> {
  await ensure(client, namespaceKind, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } })
  const metadata = { namespace: NAMESPACE, name: NAME }
  await ensure(client, accountKind, { apiVersion: 'v1', kind: 'ServiceAccount', metadata })
  const rules = [{ verbs: ['*'], apiGroups: ['cluster.karmada.io'], resources: ['clusters/proxy'] }]
  await ensure(client, clusterRole, { ...RBAC, kind: 'ClusterRole', metadata: { name: NAME }, rules })
  await ensure(client, clusterRoleBinding, bindingTo(NAME))
  const token = await requestToken(client)
  const data = { token: encodeBase64(token), caBundle: encodeBase64(access.ca) }
  for (const name of [NAME, IMPERSONATOR]) {
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { namespace: NAMESPACE, name }, data }
    await ensure(client, secretKind, { ...secret, type: 'Opaque' })
    // Another start may have another certificate.
    await client.patch(secretKind, { namespace: NAMESPACE, name }, { type: 'merge', value: { data } })
  }
}

const bindingTo = (role: string) => ({
  ...RBAC,
  kind: 'ClusterRoleBinding',
  metadata: { name: NAME },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
  subjects: [{ kind: 'ServiceAccount', namespace: NAMESPACE, name: NAME }],
})

async function ensure<T extends KubeObject>(client: KubeClient, kind: Kind<T>, object: Draft<T>): Promise<void> {
  try {
    await client.create(kind, object)
  } catch (error) {
    if (!isAlreadyExists(error)) throw error
  }
}

async function requestToken(client: KubeClient): Promise<string> {
  const request = {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    spec: { audiences: [], expirationSeconds: TOKEN_SECONDS },
  }
  const path = `/api/v1/namespaces/${NAMESPACE}/serviceaccounts/${NAME}/token`
  const { status, body } = await client.raw('POST', path, request)
  // log: the text of an error
  if (status !== 201) throw new Error(`no token for the account of simulated members: the API answered ${status}`)
  return (body as { status: { token: string } }).status.token
}
