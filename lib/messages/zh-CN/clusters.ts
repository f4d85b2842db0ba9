import type { clusters as en } from '../en/clusters'

export const clusters: Record<keyof typeof en, string> = {
}
