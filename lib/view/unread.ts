/** Kinds of which the console reads nothing, and why. */

/**
 * `NotServed`: the control plane has no such kind. `NoPermission`: the reader may list none of them.
 * `ConsoleHasNoPermission`: the console itself may not. `NotKnown`: the control plane has not answered about it yet.
 */
export type UnreadReason = 'NotServed' | 'NoPermission' | 'ConsoleHasNoPermission' | 'NotKnown'

/** One such kind, as a page shows it. */
export interface UnreadKind {
  kind: string
  reason: UnreadReason
  /** What is wrong and what to do, in the language of the reader. */
  sentence: string
}
