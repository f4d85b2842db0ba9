import type { errors as en } from '../en/errors'

export const errors: Record<keyof typeof en, string> = {
  'errors.documentTitle': '错误 · Evenkeel',
  'errors.title': '无法显示此页面',
  'errors.body': '错误出在控制台，不在您的集群，没有任何内容被更改。',
  'errors.retry': '重新加载页面',
}
