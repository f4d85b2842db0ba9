/** Bindings and policies as failover reads them. */
import type { Binding } from '../placement/binding'

/** A binding of either kind, with its creation time. */
export interface FailoverBinding extends Binding {
  metadata: Binding['metadata'] & { creationTimestamp?: string }
}

/** Fields of a policy that bindings do not copy. */
export interface PolicyWords {
  metadata: { name: string; namespace?: string; annotations?: Record<string, string> }
}
