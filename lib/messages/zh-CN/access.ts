import type { access as en } from '../en/access'

export const access: Record<keyof typeof en, string> = {
  'access.missing': '你无权{scope, select, namespace {在命名空间 {namespace} 中} other {}}对 {kind} 执行 {verb}。',
  'access.missingBecause':
    '你无权{scope, select, namespace {在命名空间 {namespace} 中} other {}}对 {kind} 执行 {verb}：{reason}。',
  'access.readOnly': 'Evenkeel 以只读模式运行。',
  'access.rebalancesNotServed': '无法重新平衡：此控制面不提供 WorkloadRebalancer。需要 Karmada 1.11 或更高版本。',
}
