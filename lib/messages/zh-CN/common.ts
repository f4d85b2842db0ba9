import type { common as en } from '../en/common'

export const common: Record<keyof typeof en, string> = {
  'common.loadingPage': '正在加载页面',
}
