import type { apiActions as en } from '../en/api-actions'

export const apiActions: Record<keyof typeof en, string> = {
  'api.action.simulate': '停止或恢复模拟集群',
  'api.action.takeDown': '停止 {cluster}',
  'api.action.bringBack': '恢复 {cluster}',
  'api.action.rebalanceAtOnce': '一次性重新平衡工作负载',
  'api.action.rebalanceInWaves': '分批重新平衡工作负载',
  'api.action.changePlan': '批准、暂停、恢复、停止、继续或删除 RebalancePlan',
  'api.action.failover': '驱逐、保留、释放、腾空或取消腾空',
  'api.action.logIn': '使用 Bearer 令牌登录',
  'api.action.logOut': '退出登录并结束会话',
  'api.action.revokeSessions': '撤销用户的所有会话',
  'queues.api.create': '创建队列',
  'queues.api.update': '替换队列的设置',
  'queues.api.delete': '删除队列',
  'queues.api.hold': '暂停队列，或更改其暂停',
  'queues.api.resume': '恢复队列：立即或分阶段',
  'queues.api.release': '下一个准入某个工作负载',
  'queues.api.priority': '更改等待中工作负载的优先级类',
  'queues.api.suspend': '挂起某个绑定的调度',
  'queues.api.unsuspend': '恢复某个绑定的调度',
  'api.action.logInByProvider': '使用身份提供商登录',
}
