import type { errors as en } from '../en/errors'

export const errors: Record<keyof typeof en, string> = {
  'errors.documentTitle': '错误 · Evenkeel',
  'errors.title': '无法显示此页面',
  'errors.body': '错误出在控制台，不在你的集群，没有任何内容被更改。',
  'errors.retry': '重新加载页面',
  'errors.noAnswerToQuery': 'Evenkeel 服务器无响应。没有任何更改，请在其恢复后重试。',
  'errors.noAnswerToAction': '结果未知：Evenkeel 服务器无响应。重试之前请检查操作是否已生效。',
  'errors.unexplained': '服务器返回了 {status} {statusText}，未说明原因。',
}
