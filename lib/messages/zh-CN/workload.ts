import type { workload as en } from '../en/workload'

export const workload: Record<keyof typeof en, string> = {
}
