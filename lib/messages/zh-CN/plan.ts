import type { plan as en } from '../en/plan'

export const plan: Record<keyof typeof en, string> = {
}
