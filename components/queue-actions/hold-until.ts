/** When a hold ends: moments as people choose them, in their own time zone. */
import { message, type Message } from '@/lib/messages'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** Common ends; `custom` is a date and a time of day. */
export const UNTIL_CHOICES = ['never', '1h', '4h', 'tomorrow', 'custom'] as const
export type UntilChoice = (typeof UNTIL_CHOICES)[number]

/** Time and time zone of the choice. `zone` is an IANA name, as in the browser. */
export interface Here {
  now: number
  zone: string
}

/** The end that was chosen, or why it cannot be one. Neither: the hold has no end. */
export interface UntilAnswer {
  /** RFC 3339, UTC. */
  until?: string
  error?: Message
}

/** What a choice means here and now. `text` is the value of a `datetime-local` field; only `custom` reads it. */
export function chooseUntil(choice: UntilChoice, text: string, here: Here): UntilAnswer {
  switch (choice) {
    case 'never':
      return {}
    case '1h':
      return { until: toUtc(here.now + HOUR_MS) }
    case '4h':
      return { until: toUtc(here.now + 4 * HOUR_MS) }
    case 'tomorrow':
      return { until: toUtc(tomorrowAtNine(here)) }
    case 'custom':
      return readCustom(text, here)
  }
}

function readCustom(text: string, here: Here): UntilAnswer {
  if (text === '') return { error: message('queues.until.missing') }
  const at = instantOf(text, here.zone)
  if (at === undefined) return { error: message('queues.until.noDate') }
  if (at <= here.now) return { error: message('queues.until.past', { ago: { ms: here.now - at } }) }
  return { until: toUtc(at) }
}

/** To the second: what the API keeps. */
const toUtc = (at: number): string => new Date(at).toISOString().replace(/\.\d+Z$/, 'Z')

function tomorrowAtNine({ now, zone }: Here): number {
  const [year = 0, month = 1, day = 1] = wallClock(now, zone).slice(0, 10).split('-').map(Number)
  const tomorrow = new Date(Date.UTC(year, month - 1, day + 1)).toISOString().slice(0, 10)
  return instantOf(`${tomorrow}T09:00`, zone) ?? now
}

/**
 * The moment at which the clocks of a zone show `text` (`2026-11-21T09:00`); undefined when it is no such text. Where clocks
 * are set forward over it, the moment as if they had not been; where they show it twice, one of the two.
 */
export function instantOf(text: string, zone: string): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?$/.test(text)) return undefined
  const asUtc = Date.parse(`${text}Z`)
  if (Number.isNaN(asUtc)) return undefined
  const guess = asUtc - offsetAt(asUtc, zone)
  return asUtc - offsetAt(guess, zone)
}

/** How far the clocks of a zone are ahead of UTC. */
function offsetAt(at: number, zone: string): number {
  return Date.parse(`${wallClock(at, zone)}Z`) - Math.floor(at / 1000) * 1000
}

/** What the clocks of a zone show: `2026-11-21T09:00:00`. */
export function wallClock(at: number, zone: string): string {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(at)
  const part = (type: Intl.DateTimeFormatPartTypes): string => parts.find((each) => each.type === type)?.value ?? '00'
  return `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}T${part('hour')}:${part('minute')}:${part('second')}`
}

/** `2026-11-21 18:00 (Europe/Berlin)`. */
export function localMoment(time: string, zone: string): string {
  const at = Date.parse(time)
  return Number.isNaN(at) ? '—' : `${wallClock(at, zone).slice(0, 16).replace('T', ' ')} (${zone})`
}
