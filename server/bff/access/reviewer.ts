/** Reviews with the API server what one user may do, with that user's own client and under the limiter. */
import type { ObjectOf } from '@/lib/kube/kind'
import { selfSubjectAccessReview, selfSubjectRulesReview } from '@/lib/kube/kinds/access-reviews'
import { rulesAllow } from '@/lib/kube/rbac/rules'
import type { KubeClient } from '@/server/kube/client'
import type { AccessMetrics } from '../metrics-hooks'
import type { Question, Verdict } from './access'
import { askAll } from './ask-all'
import type { ReviewLimiter, Urgency } from './review-limiter'
import { nameOfResource, REVIEWED, type ReviewedResource } from './resources'

/** No namespace can have this name, so no RoleBinding is in it: the rules of a user there are those of all namespaces. */
const NOWHERE = '-'
/** Concurrent single questions of one review; the limiter decides how many of them run. */
const AT_ONCE = 8

export interface ReviewerOptions {
  client: KubeClient
  limiter: ReviewLimiter
  metrics: AccessMetrics
  /** The user for whom the limiter counts these reviews. */
  user: string
}

/** What may be listed in one namespace. */
export interface InNamespace {
  /** Names of resources. */
  names: readonly string[]
  /** True when the answer holds all rules of the user there, i.e. every authorizer listed its rules. */
  isEnumerable: boolean
}

/** Every method rejects with KubeError when the API server does not answer or sends an invalid answer. */
export class Reviewer {
  readonly #options: ReviewerOptions

  constructor(options: ReviewerOptions) {
    this.#options = options
  }

  /** Reviews whether the user may do this. */
  can(question: Question, urgency: Urgency = 'urgent'): Promise<Verdict> {
    const { group, resource, verb, subresource, namespace, name } = question
    const attributes = {
      group,
      resource,
      verb,
      ...(subresource && { subresource }),
      ...(namespace && { namespace }),
      ...(name && { name }),
    }
    const ask = async (): Promise<Verdict> => {
      const review = await this.#options.client.create(selfSubjectAccessReview, {
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SelfSubjectAccessReview',
        metadata: {},
        spec: { resourceAttributes: attributes },
      })
      const allowed = review.status?.allowed === true
      return { allowed, reason: allowed ? '' : (review.status?.reason ?? '') }
    }
    return this.#timed({ review: 'access', urgency, ask, isAllowed: ({ allowed }) => allowed })
  }

  /**
   * Returns the names of the resources that may be listed in all namespaces. What the complete rules of the user do not
   * grant is not reviewed one by one. One resource is reviewed in any case: an answer that the rules do not explain means
   * that the API server also grants rights without rules, as it does to `system:masters`.
   */
  async everywhere(urgency: Urgency): Promise<readonly string[]> {
    const [sample, ...others] = REVIEWED as [ReviewedResource, ...ReviewedResource[]]
    const [rules, sampled] = await Promise.all([
      this.#rulesIn(NOWHERE, urgency).then(completeRules),
      this.#mayList([sample], urgency),
    ])
    const listed = rules && REVIEWED.filter((resource) => grantsList(rules, resource, NOWHERE))
    const isExplained = listed !== undefined && listed.includes(sample) === sampled.length > 0
    const left = isExplained ? others.filter((resource) => listed.includes(resource)) : others
    return [...sampled, ...(await this.#mayList(left, urgency))]
  }

  /**
   * Returns the resources that may be listed in that namespace. Rules count only when the API server marks them as
   * complete: an authorizer that cannot list its rules may deny what the rules of another authorizer grant. If they are
   * incomplete, each resource is reviewed separately.
   */
  async inNamespace(namespace: string, urgency: Urgency): Promise<InNamespace> {
    const status = await this.#rulesIn(namespace, urgency)
    const rules = completeRules(status)
    if (!rules) {
      const reviewed = REVIEWED.filter(({ byNamespace }) => byNamespace)
      return {
        names: await this.#mayList(reviewed, urgency, namespace),
        isEnumerable: status !== undefined && !status.incomplete,
      }
    }
    const names = REVIEWED.filter((resource) => grantsList(rules, resource, namespace)).map(nameOfResource)
    return { names, isEnumerable: true }
  }

  async #rulesIn(namespace: string, urgency: Urgency): Promise<RulesStatus> {
    const ask = () =>
      this.#options.client.create(selfSubjectRulesReview, {
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SelfSubjectRulesReview',
        metadata: {},
        spec: { namespace },
      })
    const { status } = await this.#timed({ review: 'rules', urgency, ask, isAllowed: () => true })
    return status
  }

  async #mayList(
    resources: readonly ReviewedResource[],
    urgency: Urgency,
    namespace?: string,
  ): Promise<readonly string[]> {
    const allowed: string[] = []
    await askAll(resources, { atOnce: AT_ONCE }, async ({ group, resource }) => {
      const question = { group, resource, verb: 'list', ...(namespace !== undefined && { namespace }) }
      if ((await this.can(question, urgency)).allowed) allowed.push(nameOfResource({ group, resource }))
    })
    return allowed
  }

  async #timed<T>({
    review,
    urgency,
    ask,
    isAllowed,
  }: {
    review: 'access' | 'rules'
    urgency: Urgency
    ask: () => Promise<T>
    isAllowed: (answer: T) => boolean
  }): Promise<T> {
    const { limiter, metrics, user } = this.#options
    return limiter.run({ user, urgency }, async () => {
      const began = performance.now()
      const note = (result: 'allowed' | 'denied' | 'failed'): void =>
        metrics.reviewed(review, result, (performance.now() - began) / 1000)
      try {
        const answer = await ask()
        note(isAllowed(answer) ? 'allowed' : 'denied')
        return answer
      } catch (error) {
        note('failed')
        throw error
      }
    })
  }
}

type RulesStatus = ObjectOf<typeof selfSubjectRulesReview>['status']
type Rules = NonNullable<RulesStatus>['resourceRules']

/** All rules of the user there; undefined if an authorizer may decide otherwise. */
function completeRules(status: RulesStatus): Rules | undefined {
  return status === undefined || status.incomplete || status.evaluationError ? undefined : status.resourceRules
}

function grantsList(rules: Rules, { group, resource }: ReviewedResource, namespace: string): boolean {
  return rulesAllow(rules, { verb: 'list', group, version: '*', resource, subresource: '', namespace, name: '' })
}
