/** Edits of a policy that a what-if can assume, for forms and addresses. */
export { POLICY_EDITS, type PolicyEdit } from '@/lib/domain/rebalance/policy-edits'
