import type { apiReference as en } from '../en/api-reference'

export const apiReference: Record<keyof typeof en, string> = {
  'apiReference.filter': '路径或关键字',
  'apiReference.openApi': 'OpenAPI 3.1',
  'apiReference.loading': '正在加载 API 参考',
  'apiReference.unavailable': 'API 参考不可用',
  'apiReference.count': '{n, number} 个操作。',
  'apiReference.noMatch': '没有匹配的操作',
  'apiReference.identity':
    '每次调用都以其用户的身份执行：API 服务器拒绝该用户的操作，这里同样拒绝。脚本在每个请求中发送 API 服务器接受的令牌，浏览器使用其会话。',
  'apiReference.problems':
    '错误以 Problem Details（RFC 9457）返回：程序依据 <code>reason</code>，人阅读 <code>detail</code>，<code>instance</code> 用于在日志中定位。带 <code>Idempotency-Key</code> 的操作只执行一次；带 <code>If-Match</code> 时，仅在对象未变更的情况下执行。列表分页返回：请发送上一页的 <code>continue</code>。',
  'apiReference.problemList': '错误',
  'apiReference.reason': '原因',
  'apiReference.status': '状态码',
  'apiReference.meaning': '含义',
  'apiReference.schemas': '数据结构',
  'apiReference.schema': '数据结构 {name}',
  'apiReference.action': '变更操作',
  'apiReference.body': '请求体',
  'apiReference.response': '响应',
  'apiReference.shell': 'curl',
  'apiReference.command': '命令',
  'apiReference.parameters': '参数',
  'apiReference.parameter': '参数',
  'apiReference.in': '位置',
  'apiReference.type': '类型',
}
