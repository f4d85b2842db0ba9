import type { queueReasons as en } from '../en/queue-reasons'

export const queueReasons: Record<keyof typeof en, string> = {
  'queues.position': '第 {position, number} 位',
  'queues.held.queue': '等待中',
  'queues.held.hold': '队列已暂停',
  'queues.held.suspended': '已挂起',
  'queues.heldInFull': '{word}。{reason}',
  'queues.heldLink': '{word}，队列 {queue}',

  'queues.resource.cpu': 'CPU',
  'queues.resource.memory': '内存',
  'queues.resource.storage': '存储',
  'queues.resource.ephemeral-storage': '临时存储',
  'queues.resource.replicas': '副本',
  'queues.amount.figure': '{count, number}',
  'queues.amount.of': '{amount} {resource}',
  'queues.amount.replicas': '{count, plural, other {# 个副本}}',
  'queues.amount.usedOf': '{used} / {quota} {resource}',

  'queues.estimate.now': '现在',
  'queues.estimate.between': '很可能在 {from} 至 {to}',
  'queues.estimate.held': '暂停期间不会准入',
  'queues.estimate.suspended': '挂起期间不会准入',
  'queues.estimate.never': '以当前配额和容量无法准入',
  'queues.estimate.unknown': '未知',

  'queues.reason.Next': '正在准入。',
  'queues.reason.NextBorrowing': '正在准入，向其他队列借用 {amounts}。',
  'queues.reason.Queued': '前面还有 {ahead, plural, other {# 个工作负载}}。',
  'queues.reason.BlockedByHead':
    '被 {head} 阻塞：它是严格顺序队列的队首；前面还有 {ahead, plural, other {# 个工作负载}}。',
  'queues.reason.YieldsToHead': '资源足够，但 {head} 更早进入队列：释放出的资源先留给 {head}。',
  'queues.reason.YieldsToOtherQueue': '资源足够，但其他队列中更早的工作负载优先使用空闲的{resource}。',
  'queues.reason.OverQuota': '超出队列配额 {over}（需要 {needs}；已用 {usage}）。未启用借用。',
  'queues.reason.OverBorrowingLimit': '超出队列配额 {over}（需要 {needs}；已用 {usage}）。借用上限还剩 {available}。',
  'queues.reason.NothingToBorrow': '超出队列配额 {over}（需要 {needs}；已用 {usage}）。其他队列可借出 {available}。',
  'queues.reason.BeyondQuota': '无法准入：需要 {needs}，超过含借用在内的队列配额 {most}。请减少请求量或提高配额。',
  'queues.reason.QuotaLentOut':
    '未超出配额，但配额已被其他队列借用：需要 {needs}，未借出 {free}。会先于新的借用者准入。',
  'queues.reason.NoCapacity': '需要 {needs}；各集群空闲 {free}。',
  'queues.reason.BeyondCapacity': '无法调度：需要 {needs}，超过所有集群的总量 {most}。请减少请求量或增加集群。',
  'queues.reason.MaxInFlight':
    '受 maxInFlight 限制：已准入但未调度的工作负载最多 {most, plural, other {# 个}}；{ahead, plural, =0 {下一个准入} other {前面还有 # 个工作负载}}。',
  'queues.reason.Held':
    '队列已{by, select, none {} other {由 {by} }}暂停，{until, select, none {直到被恢复} other {直到 {until}}}：{reason}',
  'queues.reason.Resuming':
    '队列正在恢复，每次 {step, plural, other {# 个工作负载}}；{ahead, plural, =0 {下一个准入} other {前面还有 # 个工作负载}}。',
  'queues.reason.QueueInvalid': '队列无效：{cause}',
  'queues.reason.QuotaNotFound': '该队列使用的 FederatedResourceQuota {name} 不存在。请创建它或改用其他配额。',
  'queues.reason.pendingIn': '在队列 {queue} 中等待。',
  'queues.reason.hiddenWorkload': '一个你无权查看的工作负载',
  'queues.reason.hiddenQueue': '在一个你无权查看的队列中等待。',

  'queues.invalid.Overlap':
    '{count, plural, other {命名空间 {namespaces} 已属于}}队列 {owners}。请将其从 spec.namespaces 中移除，或删除此队列。',
  'queues.invalid.OverlapHidden':
    '{count, plural, other {命名空间 {namespaces} 已属于}}一个更早创建的队列。请将其从 spec.namespaces 中移除，或删除此队列。',

  'queues.step.InOrder': '已准入：轮到该工作负载，且资源足够。',
  'queues.step.Borrows': '已准入：轮到该工作负载，向其他队列借用 {amounts}。',
  'queues.step.Requested': '已按 {who} 的请求准入。',
  'queues.step.Resumed': '已恢复调度：工作负载已放置，且没有生效的暂停。',
  'queues.step.HandedOver':
    '{cause, select, deleted {队列已被删除} deleting {队列正在删除} other {队列不再包含此命名空间}}；调度保持挂起。',
  'queues.step.QueueGone':
    '{cause, select, deleted {队列已被删除} deleting {队列正在删除} other {队列不再包含此命名空间}}；等待中的工作负载将被准入。',
  'queues.step.Held': '已暂停准入：队列处于暂停状态，且工作负载尚未放置。',
  'queues.step.HeldPlaced': '已暂停：队列的暂停包含已放置的工作负载。',
  'queues.step.SlippedThrough': '创建时未经准入；已由控制器加入队列。',
  'queues.step.Undone': '{who, select, none {未知客户端} other {{who}}} 在队列暂停期间恢复了调度。',
  'queues.step.TimeOver': '暂停已按设定于 {until} 结束。',
  'queues.step.ResumeFinished': '恢复完成：已准入 {count, plural, other {# 个工作负载}}。',
  'queues.step.Finalizer': '队列需要 finalizer，以免丢失等待中的工作负载。',
  'queues.step.HoldWithoutStart': '暂停没有开始时间。',
  'queues.step.QueueEmpty': '没有等待中的工作负载了。',

  'queues.hold.Requested': '已请求暂停；{left, plural, other {# 个工作负载}}尚未暂停，{held, number} 个已暂停。',
  'queues.hold.Effective':
    '{held, plural, other {# 个工作负载}}已暂停{since, select, none {} other {，自 {since} 起未调度任何工作负载}}。',
  'queues.hold.Leaking': '{leaks, plural, other {# 个工作负载}}在暂停期间被调度，{held, number} 个已暂停。',
  'queues.hold.Undone':
    '{who, select, none {未知客户端} other {{who}}} 在暂停期间恢复了 {count, plural, other {# 个工作负载}}的调度{times, plural, one {} other {，至今 # 次}}；{free, plural, =0 {均已重新暂停} other {# 个工作负载未暂停}}。',
  'queues.hold.Resuming':
    '正在恢复，每次 {step, plural, other {# 个工作负载}}：已准入 {done, number} 个，剩余 {left, number} 个{waits, plural, =0 {} other {；调度器尚未处理 # 个工作负载}}。',
  'queues.hold.resumeBlocked': '{progress}下一个是 {workload}：{reason}',
  'queues.hold.invalid': '队列无效，暂停不生效。{cause}',
  'queues.hold.notObserved': '已请求暂停；队列控制器尚未处理。{held, plural, other {# 个工作负载}}已暂停。',
  'queues.leak.neverPending': '未被暂停：于 {created} 未经准入创建{at, select, none {} other {，于 {at} 调度}}。',
  'queues.leak.whileHeld': '自 {since} 起处于暂停状态，但仍{at, select, none {} other {于 {at} }}被调度。',

  'queues.condition.Valid': '准入 {count, plural, other {# 个命名空间}}的工作负载。',
  'queues.condition.QuotaNotFound': '命名空间 {namespace} 中不存在 FederatedResourceQuota {name}；不准入任何工作负载。',
  'queues.condition.AdmissionBypassed':
    '{count, plural, other {# 个等待中的工作负载}}未经准入即被调度：{names}。请移除绑定的 spec.clusters，或准入该工作负载。',
  'queues.more': '另外 {count, number} 个',
  'queues.event.QueueMissing':
    '在队列 {queue} 中等待，但该队列不存在。请重新创建该队列，或将 spec.suspension.scheduling 设为 false。',

  'queues.state.deleting': '正在删除；还有 {count, plural, other {# 个等待中的工作负载}}',
  'queues.state.unadmitted': '{count, plural, other {# 个等待中的工作负载}}未经准入即被调度',
  'queues.state.quotaNotFound': '不准入任何工作负载：FederatedResourceQuota {name} 不存在',
  'queues.state.notObserved': '队列控制器尚未处理此队列',
  'queues.state.beyondLimits': '{count, plural, other {# 个工作负载}}无法准入：请求量超过配额或所有集群的总量',
  'queues.state.inFlight': '{inFlight, plural, other {# 个工作负载}}已准入但未调度，{pending, number} 个等待中',
  'queues.state.pending': '{count, plural, =0 {没有等待中的工作负载} other {# 个等待中的工作负载}}',
}
