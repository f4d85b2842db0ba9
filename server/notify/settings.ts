/** Receivers of notices, as the file of `--notify-config` names them. */
import { z } from 'zod'
import { parseDuration } from '@/lib/std/duration'
import { INCIDENT_KINDS } from '@/lib/view/notices/incidents'
import { NOTICE_EVENTS } from '@/lib/view/notices/notices'

const duration = z
  .string()
  .regex(/^\d+(ms|s|m|h)$/, 'must be a duration such as 500ms, 10s, 5m or 1h')
  .transform((text) => parseDuration(text) ?? Number.NaN)
  .refine((ms) => ms > 0 && ms <= 7 * 86_400_000, 'must be more than 0 and at most 168h')

/** Credentials belong into files: an address is shown and logged in parts. */
const address = z.string().refine((text) => {
  if (!URL.canParse(text)) return false
  const { protocol, username, password, hash } = new URL(text)
  return /^https?:$/.test(protocol) && username === '' && password === '' && hash === ''
}, 'must be an http or https address without user, password and fragment')

/** Headers that the delivery sets itself. */
const OWN_HEADERS = new Set([
  'authorization',
  'content-type',
  'content-length',
  'host',
  'idempotency-key',
  'evenkeel-signature',
  'connection',
  'transfer-encoding',
])

const headers = z.record(
  z
    .string()
    .regex(/^[A-Za-z0-9-]+$/, 'must be the name of a header')
    .refine((name) => !OWN_HEADERS.has(name.toLowerCase()), 'is set by the console'),
  z.string().regex(/^[\t\x20-\x7e]*$/, 'must be printable ASCII'),
)

const common = {
  name: z
    .string()
    .regex(/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/, 'must be lower-case letters, digits and "-", at most 63'),
  url: address,
  kinds: z
    .array(z.enum(INCIDENT_KINDS))
    .min(1)
    .default([...INCIDENT_KINDS]),
  /** False: nothing about drains. */
  requested: z.boolean().default(true),
  headers: headers.default({}),
  bearerTokenFile: z.string().min(1).optional(),
  hmacSecretFile: z.string().min(1).optional(),
  caFile: z.string().min(1).optional(),
  timeout: duration.default(10_000),
  giveUpAfter: duration.default(3_600_000),
  queueLimit: z.int().min(1).max(10_000).default(1_000),
}

const receiver = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('webhook'),
    ...common,
    events: z
      .array(z.enum(NOTICE_EVENTS))
      .min(1)
      .default([...NOTICE_EVENTS]),
  }),
  z.strictObject({
    type: z.literal('alertmanager'),
    ...common,
    /** Added to every alert. */
    labels: z.record(z.string().regex(/^[a-zA-Z_]\w*$/, 'must be the name of a label'), z.string()).default({}),
  }),
])
export type ReceiverSettings = z.infer<typeof receiver>

const config = z.strictObject({
  receivers: z
    .array(receiver)
    .max(32)
    .refine((all) => new Set(all.map(({ name }) => name)).size === all.length, 'names must be unique'),
})
export type NotifySettings = z.infer<typeof config>

/** The settings, or what is wrong with them, with the path of each fault. Values are not repeated: they may be secret. */
export function parseNotifySettings(value: unknown): NotifySettings | { faults: string[] } {
  const parsed = config.safeParse(value, { reportInput: false })
  if (parsed.success) return parsed.data
  return { faults: parsed.error.issues.map(({ path, message }) => `${path.join('.') || '.'}: ${message}`) }
}
