/** The contact for reporting vulnerabilities of this installation (RFC 9116). */
import { type Clock, formatTime } from '@/lib/std/clock'
import { plainText } from './answers'
import type { Probe } from './router'

export const SECURITY_TXT_PATH = '/.well-known/security.txt'

/** The RFC recommends less than a year; the date is computed for each answer, so the file never expires unnoticed. */
const VALID_MS = 180 * 24 * 3600 * 1000

export interface SecurityContact {
  /** An `https:`, `mailto:` or `tel:` URI. */
  contact: string
  /** URI of the disclosure policy; absent: not included. */
  policy?: string | undefined
}

/** Returns the probe that serves security.txt, without login. Without a configured contact the file is not served. */
export function securityTxt({ contact, policy }: SecurityContact, clock: Pick<Clock, 'now'>): Probe {
  return {
    path: SECURITY_TXT_PATH,
    answer: () =>
      plainText(
        200,
        [
          `Contact: ${contact}`,
          `Expires: ${formatTime(clock.now() + VALID_MS)}`,
          'Preferred-Languages: en',
          ...(policy === undefined ? [] : [`Policy: ${policy}`]),
          '',
        ].join('\n'),
      ),
  }
}
