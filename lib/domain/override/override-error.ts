/** Errors of applying override policies. Their text is English, as that of Kubernetes components. */
import type { OverridePolicyLike } from './select'

/** Reports that an overrider does not fit the object. */
export class OverriderError extends Error {
  override readonly name = 'OverriderError'
}

/** Reports that a policy cannot be applied for a cluster, so that the cluster's manifest cannot be built. */
export class OverrideError extends Error {
  override readonly name = 'OverrideError'

  readonly policy: OverridePolicyLike
  readonly cluster: string

  constructor({ policy, cluster }: { policy: OverridePolicyLike; cluster: string }, cause: OverriderError) {
    super(`${describePolicy(policy)} cannot be applied for cluster(${cluster}): ${cause.message}`, { cause })
    this.policy = policy
    this.cluster = cluster
  }
}

/** Returns the policy as events name it: `override policy(<namespace>/<name>)` or `cluster override policy(<name>)`. */
export function describePolicy({ metadata: { namespace, name } }: OverridePolicyLike): string {
  return namespace === undefined ? `cluster override policy(${name})` : `override policy(${namespace}/${name})`
}
