/** Bindings and policies, as failover reads them. */
import type { Binding } from '../placement/binding'

/** A binding of either kind, with its age. */
export interface FailoverBinding extends Binding {
  metadata: Binding['metadata'] & { creationTimestamp?: string }
}

/** What of a policy counts besides what its bindings copy. */
export interface PolicyWords {
  metadata: { name: string; namespace?: string; annotations?: Record<string, string> }
}
