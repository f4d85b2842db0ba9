/** Edits of a policy that a what-if can assume: one more cluster, or one less. */
export const POLICY_EDITS = ['allow', 'exclude'] as const
export type PolicyEdit = (typeof POLICY_EDITS)[number]
