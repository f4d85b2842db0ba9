/** Returns the language of the answer: the one chosen in the console, else the browser's, else English. */
import type { IncomingMessage } from 'node:http'
import { LOCALE_COOKIE, negotiateLocale, type Text } from '@/lib/messages'
import { texts } from '@/lib/messages/texts'

export function textOf({ headers }: Pick<IncomingMessage, 'headers'>): Text {
  const cookie = headers.cookie?.split('; ').find((one) => one.startsWith(`${LOCALE_COOKIE}=`))
  return texts[negotiateLocale(headers['accept-language'], cookie?.slice(LOCALE_COOKIE.length + 1))]
}
