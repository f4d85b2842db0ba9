import type { suspension as en } from '../en/suspension'

export const suspension: Record<keyof typeof en, string> = {
  'suspension.byPolicy': '调度被 {policy} 挂起。请从该策略中移除 spec.suspension.scheduling 以恢复调度。',
  'suspension.byUser':
    '调度已{who, select, none {} other {由 {who} }}{at, select, none {} other {自 {at} 起}}挂起{reason, select, none {} other {（{reason}）}}，直到被恢复。',
  'suspension.queueMissing': '被队列 {queue} 挂起，但该队列已不存在。请恢复该工作负载的调度。',
  'suspension.ofPlaced': '{reason}运行中的副本不受影响；伸缩和故障转移停止。',

  'suspension.notice': '调度已挂起',
  'suspension.clusterScoped': '{kind} 是集群级资源；请用 kubectl 挂起其 ClusterResourceBinding。',
  'suspension.queueDecides': '由队列 {queue} 决定何时调度该工作负载。',
  'suspension.alreadyScheduled': '该工作负载已调度，控制面拒绝将其挂起：伸缩和故障转移会停止。',
  'suspension.openQueue': '打开队列',
  'suspension.suspend.command': '挂起此工作负载的调度…',
  'suspension.suspend.open': '挂起调度…',
  'suspension.suspend.title': '挂起 {name} 的调度',
  'suspension.suspend.verb': '挂起调度',
  'suspension.suspend.done': '挂起调度',
  'suspension.suspend.effect': '恢复之前，调度器会忽略该工作负载。它还没有副本，因此不会有副本停止。',
  'suspension.suspend.race': '如果调度器先完成放置，控制面会拒绝：已调度的工作负载不能挂起。',
  'suspension.suspend.reasonHint': '所有可查看此工作负载的用户都能看到。',
  'suspension.resume.command': '恢复此工作负载的调度…',
  'suspension.resume.open': '恢复调度…',
  'suspension.resume.title': '恢复 {name} 的调度',
  'suspension.resume.verb': '恢复调度',
  'suspension.resume.done': '恢复调度',
  'suspension.resume.effect': '调度器会尽快放置它。调度后不能再挂起。',
  'suspension.resume.requeued': '它会进入队列 {queue}，按顺序准入。调度后不能再挂起。',

  'suspension.condition.Suspended':
    '调度自 {since} 起{by, select, none {} other {由 {by} }}挂起{why, select, none {。} other {：{why}}}',
  'suspension.condition.SuspendedByPolicy':
    '调度自 {since} 起由 {by} 挂起。从策略中移除 spec.suspension.scheduling 即可恢复。',
  'suspension.condition.SuspendedByQueue': '调度自 {since} 起由队列 {queue} 挂起。队列按顺序准入该工作负载。',
  'suspension.condition.HeldByQueue':
    '调度自 {since} 起因队列 {queue} 暂停而挂起。该工作负载的伸缩和故障转移也已挂起。',
  'suspension.condition.Resumed': '调度已于 {at} 恢复。',
  'suspension.event.tooLate':
    '{policy} 挂起了调度，但该资源已调度，仍保留在其集群中。请设置 spec.suspension.dispatching 以停止向集群下发。',
}
