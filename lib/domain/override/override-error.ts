/** Why a copy could not be made as a policy wants it. */
import type { OverridePolicyLike } from './select'

/** What one overrider cannot do with one object. */
export class OverriderProblem extends Error {
  override readonly name = 'OverriderProblem'
}

/** A policy that could not be applied; the copy for this cluster cannot be made. */
export class OverrideError extends Error {
  override readonly name = 'OverrideError'

  readonly policy: OverridePolicyLike
  readonly cluster: string

  constructor({ policy, cluster }: { policy: OverridePolicyLike; cluster: string }, cause: OverriderProblem) {
    super(`${describePolicy(policy)} cannot be applied for cluster(${cluster}): ${cause.message}`, { cause })
    this.policy = policy
    this.cluster = cluster
  }
}

/** The policy in the words of events: `override policy(<namespace>/<name>)` or `cluster override policy(<name>)`. */
export function describePolicy({ metadata: { namespace, name } }: OverridePolicyLike): string {
  return namespace === undefined ? `cluster override policy(${name})` : `override policy(${namespace}/${name})`
}
