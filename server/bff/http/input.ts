/** Reads and validates the input of requests: bodies, queries, preconditions, keys. Every refusal names the field. */
import type { IncomingMessage } from 'node:http'
import { z } from 'zod'
import type { Locale, Text } from '@/lib/messages'
import { type Message, message, type MessageCode } from '@/lib/messages/message'
import { Refusal, refuse } from './refusal'

/** Larger bodies are refused. */
const MAX_BYTES = 1024 * 1024

/** Returns the JSON body of a request. Throws a Refusal. */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/json') throw refuse(415, 'UnsupportedMediaType', message('api.refused.contentType'))
  const { 'content-encoding': encoding = 'identity' } = request.headers
  if (encoding !== 'identity') throw refuse(415, 'UnsupportedMediaType', message('api.refused.encoding', { encoding }))
  return parse(await readText(request))
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > MAX_BYTES) {
        throw refuse(413, 'RequestEntityTooLarge', message('api.refused.tooLarge', { limit: { bytes: MAX_BYTES } }))
      }
      chunks.push(chunk)
    }
  } catch (error) {
    // A client that disconnects in the middle is not a fault of the server: nothing is logged.
    if (!(error instanceof Refusal) && request.destroyed)
      throw refuse(400, 'BadRequest', message('api.refused.incomplete'))
    throw error
  }
  return Buffer.concat(chunks).toString('utf8')
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw refuse(
      400,
      'BadRequest',
      message('api.refused.notJson', { error: error instanceof Error ? error.message : String(error) }),
    )
  }
}

/** Returns `value` parsed by the schema. Throws a Refusal that names the first invalid field. */
export function validate<T>(value: unknown, schema: z.ZodType<T>, what: 'body' | 'query'): T {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const field = fieldPath(result.error.issues[0]?.path ?? [])
  const detail = (text: Text): string => {
    // Parsed again, because zod formats its issues while it parses.
    const issue = schema.safeParse(value, { error: ISSUES[text.locale] }).error?.issues[0]?.message ?? ''
    const problem = text.find(issue) ?? (issue || text('api.invalid.generic'))
    return field === undefined
      ? text(`api.refused.${what}`, { problem })
      : text('api.refused.field', { field, problem })
  }
  throw refuse(400, 'Invalid', detail, { field })
}

/** zod's text for issues that have no message of ours. */
const ISSUES = { en: z.locales.en().localeError, 'zh-CN': z.locales.zhCN().localeError } satisfies Record<
  Locale,
  unknown
>

/** Returns a path such as `targets[0].kind`; undefined for the body as a whole. */
function fieldPath(path: readonly PropertyKey[]): string | undefined {
  const parts = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
  return parts.length === 0 ? undefined : parts.join('').replace(/^\./, '')
}

/** Returns the message for an invalid field. */
export const fieldProblem = (field: string, code: Extract<MessageCode, `api.invalid.${string}`>): Message =>
  message('api.refused.field', { field, problem: { code } })

/** Returns the parameters of the address. Throws a Refusal for a repeated parameter. */
export function readQuery({ url = '' }: IncomingMessage): Record<string, string> {
  const query: Record<string, string> = {}
  for (const [name, value] of new URLSearchParams(url.split('?', 2)[1] ?? '')) {
    if (Object.hasOwn(query, name))
      throw refuse(400, 'Invalid', fieldProblem(name, 'api.invalid.twice'), { field: name })
    query[name] = value
  }
  return query
}

const ETAG = /^"([\x21\x23-\x7e]{1,256})"$/

/** Returns the version in If-Match; undefined without one and for `*`. */
export function readIfMatch({ headers }: IncomingMessage): string | undefined {
  const given = headers['if-match']?.trim()
  if (given === undefined || given === '*') return undefined
  const version = ETAG.exec(given)?.[1]
  if (version === undefined) {
    throw refuse(400, 'Invalid', fieldProblem('If-Match', 'api.invalid.ifMatch'), { field: 'If-Match' })
  }
  return version
}

const KEY = /^[\x21-\x7e]{1,255}$/

/** Returns the Idempotency-Key, with or without quotes. */
export function readKey({ headers }: IncomingMessage): string | undefined {
  const given = headers['idempotency-key']
  if (given === undefined) return undefined
  const key = (Array.isArray(given) ? given.join() : given).trim()
  if (!KEY.test(key)) {
    const problem = fieldProblem('Idempotency-Key', 'api.invalid.idempotencyKey')
    throw refuse(400, 'Invalid', problem, { field: 'Idempotency-Key' })
  }
  return key
}
