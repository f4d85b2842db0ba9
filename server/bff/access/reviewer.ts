/** Asks the API server what one user may do, with that user's own client, never too much at a time. */
import { selfSubjectAccessReview, selfSubjectRulesReview } from '@/lib/kube/kinds/access-reviews'
import { rulesAllow } from '@/lib/kube/rbac/rules'
import type { KubeClient } from '@/server/kube/client'
import type { AccessMetrics } from '../metrics-hooks'
import type { Question, Verdict } from './access'
import { nameOfResource, REVIEWED, type ReviewedResource } from './resources'
import type { Grants } from './scope'

/** Lets at most so many calls be under way, whoever makes them; the others wait in their order. */
export class Gate {
  readonly #waiting: (() => void)[] = []
  #free: number

  constructor(most: number) {
    this.#free = most
  }

  async pass<T>(call: () => Promise<T>): Promise<T> {
    if (this.#free === 0) await new Promise<void>((resolve) => { this.#waiting.push(resolve) })
    else this.#free -= 1
    try {
      return await call()
    } finally {
      const next = this.#waiting.shift()
      if (next) next()
      else this.#free += 1
    }
  }
}

export interface ReviewerOptions {
  client: KubeClient
  gate: Gate
  metrics: AccessMetrics
}

/** Every method rejects with KubeError when the API server does not answer, or not with an answer. */
export class Reviewer {
  readonly #options: ReviewerOptions

  constructor(options: ReviewerOptions) {
    this.#options = options
  }

  /** May the user do this? */
  can(question: Question): Promise<Verdict> {
    const { group, resource, verb, subresource, namespace, name } = question
    const attributes = {
      group,
      resource,
      verb,
      ...(subresource && { subresource }),
      ...(namespace && { namespace }),
      ...(name && { name }),
    }
    return this.#timed('access', async () => {
      const review = await this.#options.client.create(selfSubjectAccessReview, {
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SelfSubjectAccessReview',
        metadata: {},
        spec: { resourceAttributes: attributes },
      })
      const allowed = review.status?.allowed === true
      return { allowed, reason: allowed ? '' : review.status?.reason || refusalOf(question) }
    }, ({ allowed }) => allowed)
  }

  /** Which of the resources may be listed without naming a namespace. */
  async everywhere(): Promise<Grants> {
    const verdicts = await Promise.all(
      REVIEWED.map(async (resource) => ({ resource, ...(await this.can({ ...resource, verb: 'list' })) })),
    )
    return new Map(
      verdicts.filter(({ allowed }) => allowed).map(({ resource }) => [nameOfResource(resource), 'all' as const]),
    )
  }

  /** Which of these resources may be listed in that namespace, by name. */
  async inNamespace(namespace: string, resources: readonly ReviewedResource[]): Promise<string[]> {
    const review = await this.#timed('rules', () => this.#options.client.create(selfSubjectRulesReview, {
      apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectRulesReview', metadata: {}, spec: { namespace },
    }), () => true)
    const rules = review.status?.resourceRules ?? []
    const listed = (resource: ReviewedResource): boolean =>
      rulesAllow(rules, {
        verb: 'list',
        group: resource.group,
        version: '*',
        resource: resource.resource,
        subresource: '',
        namespace,
        name: '',
      })
    const granted = resources.filter(listed)
    // Authorizers that have no rules to show leave the answer incomplete: what it lacks is asked one by one.
    const rest = review.status?.incomplete ? resources.filter((resource) => !granted.includes(resource)) : []
    const verdicts = await Promise.all(
      rest.map(async (resource) => ({ resource, ...(await this.can({ ...resource, verb: 'list', namespace })) })),
    )
    return [...granted, ...verdicts.filter(({ allowed }) => allowed).map(({ resource }) => resource)].map(
      nameOfResource,
    )
  }

  async #timed<T>(review: 'access' | 'rules', ask: () => Promise<T>, isAllowed: (answer: T) => boolean): Promise<T> {
    const { gate, metrics } = this.#options
    return gate.pass(async () => {
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

function refusalOf({ verb, group, resource, subresource, namespace, name }: Question): string {
  const what = `${nameOfResource({ group, resource })}${subresource ? `/${subresource}` : ''}${name ? ` "${name}"` : ''}`
  return `Your account may not ${verb} ${what}${namespace ? ` in namespace ${namespace}` : ''}.`
}
