import type { shell as en } from '../en/shell'

export const shell: Record<keyof typeof en, string> = {
}
