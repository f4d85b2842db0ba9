/** Kyverno: Policy and ClusterPolicy. */
import { fieldsIn, listIn } from '../json-fields'
import type { RulesByKind } from '../kind-key'
import { mergedConditions } from './flux'
import { reflectionOf } from './generations'
import { hasTrueCondition, lastOf, reported, sums, type ThirdPartyRule } from './rule'

const RULE_COUNTS = ['validate', 'generate', 'mutate', 'verifyimages']

const policy: ThirdPartyRule = {
  isHealthy: ({ status }) => {
    const { ready, conditions } = fieldsIn(status)
    return ready === undefined ? hasTrueCondition(listIn(conditions), 'Ready', ['Succeeded']) : ready === true
  },
  reflect: reflectionOf(['ready', 'conditions', 'autogen', 'rulecount']),
  // Nothing of the previous status is kept.
  aggregate: ({ items, likeUpstream }) => {
    const statuses = reported(items)
    return {
      autogen: lastOf(statuses, 'autogen'),
      ready: lastOf(statuses, 'ready'),
      rulecount: sums(
        statuses.map(({ rulecount }) => fieldsIn(rulecount)),
        RULE_COUNTS,
      ),
      conditions: mergedConditions(items, likeUpstream),
    }
  },
}

export const kyvernoRules: RulesByKind<ThirdPartyRule> = {
  'kyverno.io/v1/Policy': policy,
  'kyverno.io/v1/ClusterPolicy': policy,
}
