/** Collects what could not be copied, and why. */
import { type Message, message } from '@/lib/messages/message'
import type { Omission, OmissionReason } from './export-format'

const MAX_NAMES = 20
const MAX_NAME_LENGTH = 512
const MAX_DETAIL_LENGTH = 2000

/** One entry per reason and kind. */
export class Omissions {
  readonly #entries = new Map<string, Omission>()

  constructor(earlier: readonly Omission[] = []) {
    for (const entry of earlier) this.#entries.set(keyOf(entry), { ...entry, names: [...entry.names] })
  }

  add(reason: OmissionReason, kind: string, { name, detail }: { name?: string; detail?: string } = {}): void {
    const key = keyOf({ reason, kind })
    const entry: Omission = this.#entries.get(key) ?? { reason, kind, count: 0, names: [] }
    entry.count += 1
    if (name !== undefined && entry.names.length < MAX_NAMES) entry.names.push(name.slice(0, MAX_NAME_LENGTH))
    if (detail !== undefined) entry.detail ??= detail.slice(0, MAX_DETAIL_LENGTH)
    this.#entries.set(key, entry)
  }

  list(): Omission[] {
    return [...this.#entries.values()]
  }
}

const keyOf = ({ reason, kind }: Pick<Omission, 'reason' | 'kind'>): string => `${reason} ${kind}`

/** Returns the message of an entry. */
export function omissionMessage({ reason, kind, count, names, detail = '' }: Omission): Message {
  const shown = names.slice(0, 3)
  switch (reason) {
    case 'Forbidden':
    case 'OtherNamespaces':
    case 'NotServed':
    case 'ReadLater':
      return message(`twin.omission.${reason}`, { kind })
    case 'OtherVersion':
      return message('twin.omission.OtherVersion', { kind, versions: detail })
    case 'Secret':
      return message('twin.omission.Secret', { count })
    case 'Invalid':
    case 'FieldsDropped':
      return message(`twin.omission.${reason}`, { kind, count, detail, names: shown })
    default:
      return message(`twin.omission.${reason}`, { kind, count, names: shown })
  }
}
