/** What the API server says of people: whose token it is, and who somebody is. */
import { KubeError } from '@/lib/kube/errors'
import { selfSubjectReview, tokenReview, type UserInfo } from '@/lib/kube/kinds/access-reviews'
import type { Identity } from '@/lib/kube/rbac/attributes'
import type { KubeClient } from '@/server/kube/client'

/** Whom the API server sees when this client asks; undefined when it does not tell (away, or older than 1.28). */
export async function askWhoWeAre(client: KubeClient): Promise<Identity | undefined> {
  try {
    const review = await client.create(selfSubjectReview, { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview', metadata: {} })
    return identityOf(review.status?.userInfo)
  } catch (error) {
    if (error instanceof KubeError) return undefined
    throw error
  }
}

/** Whose token this is, undefined for nobody's. Rejects with KubeError when the API server does not tell. */
export async function reviewToken(client: KubeClient, token: string): Promise<Identity | undefined> {
  const { status } = await client.create(tokenReview, {
    apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', metadata: {}, spec: { token },
  })
  return status?.authenticated === true ? identityOf(status.user) : undefined
}

function identityOf(info: UserInfo | undefined): Identity | undefined {
  const { username, uid, groups = [], extra } = info ?? {}
  if (!username) return undefined
  return { user: username, ...(uid && { uid }), groups, ...(extra && { extra }) }
}
