import type { server as en } from '../en/server'

export const server: Record<keyof typeof en, string> = {}
