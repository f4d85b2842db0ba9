import type { queues as en } from '../en/queues'

export const queues: Record<keyof typeof en, string> = {
  'queues.byState': '按状态统计的队列',
}
