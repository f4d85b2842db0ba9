import type { queues as en } from '../en/queues'

export const queues: Record<keyof typeof en, string> = {
}
