import type { queueActions as en } from '../en/queue-actions'

export const queueActions: Record<keyof typeof en, string> = {
  'queues.done.held':
    '已请求暂停{replaced, select, none {} other {，替换原有暂停“{replaced}”}}。已准入但未调度的工作负载重新挂起后，暂停生效。',
  'queues.done.resumed': '暂停已结束。等待中的工作负载将在配额和容量允许时按顺序准入。',
  'queues.done.resuming': '正在恢复：每次准入 {step, plural, other {# 个工作负载}}，调度完成后再准入下一批。',
  'queues.done.created': '{namespaces} 中的新工作负载现在会进入队列。已放置的工作负载不受影响。',
  'queues.done.updated': '队列已更新。将重新计算等待中工作负载的顺序。',
  'queues.done.deletedHold': '正在删除队列。等待中的工作负载保持挂起，直到逐个恢复。',
  'queues.done.deletedRelease': '等待中的工作负载按顺序准入后，队列将被删除。',
  'queues.done.released': '配额允许时将最先准入，先于所有其他工作负载。{held, select, yes {队列保持暂停。} other {}}',
  'queues.done.prioritized': '优先级类已设为 {class}。将重新计算队列顺序。',
  'queues.done.suspended': '调度已挂起，直到被恢复。',
  'queues.done.unsuspended': '调度已恢复。调度器将放置该工作负载。',
  'queues.done.requeued': '在{queue}中等待，将按顺序准入。',
  'queues.itsQueue': '所属队列',
  'queues.named': '队列 {queue} ',
  'queues.preview.hold':
    '{pending, plural, other {# 个等待中的工作负载}}保持挂起，{inFlight, number} 个已准入未调度的工作负载{inFlight, plural, other {}}将重新挂起。若包含已放置的工作负载，另有 {placed, number} 个将停止伸缩和故障转移。',

  'queues.refused.untilPast': 'until：必须是将来的时间。请选择更晚的结束时间，或不设置。',
  'queues.refused.notHeld': '队列 {queue} 未暂停。',
  'queues.refused.deleting': '队列正在删除。请等待删除完成。',
  'queues.refused.sameClass': '该工作负载的优先级类已是 {class}。',
  'queues.refused.scheduled':
    '该工作负载已调度；挂起会停止其伸缩和故障转移。请暂停其队列并包含已放置的工作负载，或将其缩容到零。',
  'queues.refused.notSuspended': '调度未挂起。',
  'queues.refused.pending': '该工作负载在{queue}中等待。请从队列中准入它，或恢复队列。',
  'queues.refused.notPending': '该工作负载已不在等待：它已被准入。',
  'queues.refused.byUser': '该工作负载由用户挂起。请先恢复其调度，之后它会重新进入队列。',
  'queues.refused.requestedTwice': '{who} 已{at, select, none {} other {于 {at} }}提出此请求。配额允许时即准入。',
  'queues.refused.unknownClass':
    'priorityClass：队列没有优先级类 {class}。{known, plural, =0 {请先将其添加到队列的 spec.priorityClasses。} other {请选择 {classes} 之一。}}',
  'queues.refused.noWorkload': 'workload：此队列中没有工作负载 {workload}，或你无权查看它。',

  'queues.bypass.refused': '{field}：{effect}，而 {user} 无权更新队列 {queue}。请等待队列准入，或联系队列所有者',
  'queues.bypass.refusedHeld':
    '{field}：队列 {queue} 已{by, select, none {} other {由 {by} }}暂停{until, select, none {} other {，直到 {until}}}（{reason}），而 {user} 无权更新它。请联系{by, select, none {队列所有者} other { {by} }}恢复队列',
  'queues.bypass.order': '该注解会改变队列顺序',
  'queues.bypass.unqueued': '该绑定不会进入队列',
  'queues.bypass.otherWorkload': '该绑定将属于另一个工作负载',
  'queues.bypass.outOfOrder': '该工作负载会不按顺序准入',
  'queues.bypass.freedBy': '该注解记录由谁恢复了调度',
  'queues.bypass.request': '请求量会与工作负载及其策略不一致',
  'queues.bypass.placed': '该工作负载会在等待期间被调度',

  'queues.invalid.untilPast': '必须是将来的时间；现在是 {now}。若要暂停到被恢复为止，请省略此字段',
  'queues.invalid.quantity': '必须是数量，例如 500m、16 或 64Gi',
  'queues.invalid.negative': '不能为负',
  'queues.invalid.secondDefault': '只能有一个默认优先级类，而 “{name}” 已是默认优先级类',
  'queues.invalid.namespaceTaken':
    '{owner, select, none {另一个队列} other {队列 {owner} }}已包含此命名空间，而一个命名空间只属于一个队列。请先从那里移除',
  'queues.invalid.guarded': '{user} 无权在命名空间 “{namespace}” 中创建队列，而此更改需要该权限',

  'queues.api.list': '列出队列',
  'queues.api.listNamespace': '仅此命名空间中的队列。',
  'queues.api.get': '获取一个队列及其等待中的工作负载和原因',
  'queues.api.getDescription': 'ETag 是 `g` 加 generation：随 spec 变化，不随 status 变化。',
  'queues.api.holdPreview': '预览暂停',
  'queues.api.resumePreview': '预览恢复：准入的顺序和阶段',
  'queues.api.updateDescription': '保留暂停。若队列自 If-Match 以来已变化，返回 412。',
  'queues.api.deleteDescription': '按 `onDelete`，等待中的工作负载先被准入，或保持挂起。',
  'queues.api.amount': '基本单位：毫核 CPU、字节、数量。',
  'queues.api.holdModel': '队列的暂停及其状态。',
  'queues.api.holdPreviewModel': '保持挂起的、重新挂起的，以及仅在 includePlaced 时挂起的工作负载。',
  'queues.api.doneMessage': '接下来会发生什么。',
  'queues.api.workloadId': '工作负载的 ID。',
  'queues.api.order': '省略的字段使用 API 的默认值。',
}
