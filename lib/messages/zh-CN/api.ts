import type { api as en } from '../en/api'

export const api: Record<keyof typeof en, string> = {
}
