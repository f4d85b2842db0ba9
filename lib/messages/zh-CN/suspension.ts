import type { suspension as en } from '../en/suspension'

export const suspension: Record<keyof typeof en, string> = {
  'suspension.byPolicy': '调度被 {policy} 挂起。请从该策略中移除 spec.suspension.scheduling 以恢复调度。',
  'suspension.byUser':
    '调度已{who, select, none {} other {由 {who} }}{at, select, none {} other {自 {at} 起}}挂起{reason, select, none {} other {（{reason}）}}，直到被恢复。',
  'suspension.queueMissing': '被队列 {queue} 挂起，但该队列已不存在。请恢复该工作负载的调度。',
  'suspension.ofPlaced': '{reason}运行中的副本不受影响；伸缩和故障转移停止。',
}
