/** Selects the language of the terminal. */
import type { Text } from '@/lib/messages'
import { negotiateLocale } from '@/lib/messages'
import { texts } from '@/lib/messages/texts'

/** Returns the texts for a terminal by LC_ALL, LC_MESSAGES and LANG, in the order of POSIX: `zh_CN.UTF-8` is Chinese. */
export function terminalText({ LC_ALL, LC_MESSAGES, LANG }: Readonly<Record<string, string | undefined>>): Text {
  return texts[negotiateLocale((LC_ALL || LC_MESSAGES || LANG)?.replace(/[_.@].*/, ''))]
}
