/** Reviews of users by the API server: the owner of a token, with name and groups. */
import { KubeError } from '@/lib/kube/errors'
import { selfSubjectReview, tokenReview, type UserInfo } from '@/lib/kube/kinds/access-reviews'
import type { Identity } from '@/lib/kube/rbac/attributes'
import type { KubeClient } from '@/server/kube/client'

/**
 * Returns the user that the API server sees for this client; undefined where it cannot report it (before 1.28). Rejects
 * with KubeError.
 */
export async function reviewOwnIdentity(client: KubeClient): Promise<Identity | undefined> {
  try {
    const review = await client.create(selfSubjectReview, {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'SelfSubjectReview',
      metadata: {},
    })
    return identityOf(review.status?.userInfo)
  } catch (error) {
    if (error instanceof KubeError && (error.code === 404 || error.code === 403)) return undefined
    throw error
  }
}

/**
 * Returns the owner of this token; undefined for an invalid one. Rejects with KubeError when the API server does not
 * respond.
 */
export async function reviewToken(client: KubeClient, token: string): Promise<Identity | undefined> {
  const { status } = await client.create(tokenReview, {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenReview',
    metadata: {},
    spec: { token },
  })
  return status?.authenticated === true ? identityOf(status.user) : undefined
}

function identityOf(info: UserInfo | undefined): Identity | undefined {
  const { username, uid, groups = [], extra } = info ?? {}
  if (!username) return undefined
  return { user: username, ...(uid && { uid }), groups, ...(extra && { extra }) }
}

/**
 * Resolves when this client may impersonate the user. Rejects with KubeError: 403 when it may not, 400 for an identity
 * that cannot be sent in a request, and the error of an unreachable server.
 */
export async function mustBeAbleToActAs(client: KubeClient, identity: Identity): Promise<void> {
  try {
    await client
      .as(identity)
      .create(selfSubjectReview, { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview', metadata: {} })
  } catch (error) {
    // A user who may not send this review, or whose API server does not serve it, is still a valid user.
    if (!(error instanceof KubeError)) throw error
    const acted = error.code === 404 || (error.code === 403 && !error.message.includes('impersonate'))
    if (!acted) throw error
  }
}
