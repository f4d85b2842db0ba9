import type { fleet as en } from '../en/fleet'

export const fleet: Record<keyof typeof en, string> = {
}
