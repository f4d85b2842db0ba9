/** Why the overrides of a policy could not be applied. Errors are English, as those of Kubernetes components are. */
import type { OverridePolicyLike } from './select'

/** An overrider that does not fit the object. */
export class OverriderError extends Error {
  override readonly name = 'OverriderError'
}

/** A policy that cannot be applied for a cluster, so that the manifest for this cluster cannot be made. */
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

/** The policy in the words of events: `override policy(<namespace>/<name>)` or `cluster override policy(<name>)`. */
export function describePolicy({ metadata: { namespace, name } }: OverridePolicyLike): string {
  return namespace === undefined ? `cluster override policy(${name})` : `override policy(${namespace}/${name})`
}
