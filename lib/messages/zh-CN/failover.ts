import type { failover as en } from '../en/failover'

export const failover: Record<keyof typeof en, string> = {
}
