/** Turns the answers of a server into a recording: values that differ from run to run become placeholders. */
import type { RecordedResponse, RecordedStep } from './recorded-case'
import type { Received } from './requests'

const UID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(?:Z|[+-]\d\d:\d\d)/g
const AGE = /^(?:(?:\d+[smhdy])+|<unknown>|<invalid>)$/
const TELLING = ['Content-Type', 'Retry-After', 'Allow', 'Location', 'WWW-Authenticate', 'Etag']
/** Times this close to now were set by the server. */
const RECENT_MS = 2 * 3_600_000

/** Records the answers of one case. `unique` is what its names hold. */
export class Recorder {
  readonly #uids = new Map<string, number>()
  readonly #revisions = new Map<string, number>()

  constructor(
    private readonly unique: string,
    private readonly now: number,
  ) {}

  record(step: RecordedStep, received: Received): RecordedResponse {
    const { status, text, events, end, reached } = received
    const head = {
      status,
      headers: this.#headers(received.headers),
      ...(reached !== undefined && { reached }),
      ...(end !== undefined && { end }),
    }
    const keep = step.keepManagedFields === true
    if (events && end !== 'not a stream') {
      return { ...head, events: events.map((event) => this.#value(event, keep) as (typeof events)[number]) }
    }
    if (received.body === undefined) return { ...head, text: this.#text(text) }
    return { ...head, body: this.#value(received.body, keep) }
  }

  #headers(received: Headers): Record<string, string | string[]> {
    const warnings = received.get('warning')
    const told = TELLING.flatMap((name): [string, string][] => {
      const value = received.get(name)
      return value === null ? [] : [[name, this.#text(value)]]
    })
    return { ...Object.fromEntries(told), ...(warnings !== null && { Warning: [this.#text(warnings)] }) }
  }

  #value(value: unknown, keep: boolean, key = '', holder: unknown = undefined): unknown {
    if (typeof value === 'string') return this.#field(key, value, holder)
    if (Array.isArray(value)) return value.map((item) => this.#value(item, keep, '', value))
    if (typeof value !== 'object' || value === null) return value
    const fields = Object.entries(value).filter(([name]) => keep || name !== 'managedFields')
    return Object.fromEntries(
      fields.map(([name, child]) => [
        this.#text(name),
        this.#value(child, keep, name, name === 'metadata' ? value : (holder ?? value)),
      ]),
    )
  }

  #field(key: string, value: string, holder: unknown): string {
    if (key === 'resourceVersion' && /^[1-9]\d*$/.test(value)) return this.#revision(value, holder)
    if (key === 'continue' && value !== '') return '{{continue}}'
    if (key === '' && AGE.test(value)) return '{{age}}'
    const { generateName } = ((holder ?? {}) as { metadata?: { generateName?: string } }).metadata ?? {}
    if (key === 'name' && generateName && value.startsWith(generateName)) {
      return `${this.#text(generateName)}{{suffix}}`
    }
    return this.#text(value)
  }

  #revision(value: string, holder: unknown): string {
    const { kind, items, rows } = (holder ?? {}) as { kind?: string; items?: unknown; rows?: unknown }
    if (items !== undefined || rows !== undefined || kind?.endsWith('List')) return '{{listrv}}'
    return `{{rv:${numberOf(this.#revisions, value)}}}`
  }

  #text(text: string): string {
    return text
      .replaceAll(UID, (uid) => `{{uid:${numberOf(this.#uids, uid)}}}`)
      .replaceAll(TIME, (time, fraction: string | undefined) => this.#time(time, fraction))
      .replaceAll(`ex-${this.unique}`, '{{ns}}')
      .replaceAll(this.unique, '{{u}}')
      .replaceAll(/(current: |object meta: |too old resource version: \d+ \()(\d+)/g, '$1{{n}}')
      .replaceAll(/(resourceVersion\\*":\\*")(\d+)/g, (_, before: string, value: string) => {
        return `${before}{{rv:${numberOf(this.#revisions, value)}}}`
      })
      .replaceAll(/\?hash=[0-9A-F]+/g, '?hash={{hash}}')
  }

  #time(time: string, fraction: string | undefined): string {
    if (Math.abs(Date.parse(time) - this.now) > RECENT_MS) return time
    if (fraction === undefined) return '{{time}}'
    return fraction.length === 7 ? '{{microtime}}' : '{{nanotime}}'
  }
}

function numberOf(known: Map<string, number>, value: string): number {
  const number = known.get(value) ?? known.size + 1
  known.set(value, number)
  return number
}
