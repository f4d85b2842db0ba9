/** Reads and validates what requests bring: bodies, queries, preconditions, keys. Every refusal names the field. */
import type { IncomingMessage } from 'node:http'
import type { z } from 'zod'
import { Refusal, refuse } from './refusal'

/** Larger bodies are refused. */
const MOST_BYTES = 1024 * 1024

/** The JSON body of a request. Throws a Refusal. */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/json') throw refuse(415, 'UnsupportedMediaType', 'Send the body as application/json.')
  const { 'content-encoding': encoding = 'identity' } = request.headers
  if (encoding !== 'identity') throw refuse(415, 'UnsupportedMediaType', `Send the body without the encoding "${encoding}".`)
  return parse(await readText(request))
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > MOST_BYTES) {
        throw refuse(413, 'RequestEntityTooLarge', 'The body is larger than 1 MB. Choose fewer workloads.')
      }
      chunks.push(chunk)
    }
  } catch (error) {
    // A client that goes away in the middle is no fault of the server: there is nothing to log and no one to answer.
    if (!(error instanceof Refusal) && request.destroyed) throw refuse(400, 'BadRequest', 'The body ended before it was complete.')
    throw error
  }
  return Buffer.concat(chunks).toString('utf8')
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw refuse(400, 'BadRequest', `The body is not JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** What `value` means by the schema. Throws a Refusal that names the first field that is wrong. */
export function validate<T>(value: unknown, schema: z.ZodType<T>, what: 'The body' | 'The query'): T {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const [issue] = result.error.issues
  const field = fieldPath(issue?.path ?? [])
  throw refuse(400, 'Invalid', `${field ?? what}: ${issue?.message ?? 'is not valid'}`, { field })
}

/** `targets[0].kind`; undefined for the body as a whole. */
function fieldPath(path: readonly PropertyKey[]): string | undefined {
  const parts = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
  return parts.length === 0 ? undefined : parts.join('').replace(/^\./, '')
}

/** The parameters of the address; one that is there twice is refused. */
export function readQuery({ url = '' }: IncomingMessage): Record<string, string> {
  const query: Record<string, string> = {}
  for (const [name, value] of new URLSearchParams(url.split('?', 2)[1] ?? '')) {
    if (Object.hasOwn(query, name)) throw refuse(400, 'Invalid', `${name}: is there twice`, { field: name })
    query[name] = value
  }
  return query
}

const ETAG = /^"([\x21\x23-\x7e]{1,256})"$/

/** The version that If-Match names; undefined without one. `*` asks for no version in particular. */
export function readIfMatch({ headers }: IncomingMessage): string | undefined {
  const given = headers['if-match']?.trim()
  if (given === undefined || given === '*') return undefined
  const version = ETAG.exec(given)?.[1]
  if (version === undefined) {
    throw refuse(400, 'Invalid', 'If-Match: takes one strong ETag in quotes, as it was answered', { field: 'If-Match' })
  }
  return version
}

const KEY = /^[\x21-\x7e]{1,255}$/

/** The Idempotency-Key, with or without quotes. */
export function readKey({ headers }: IncomingMessage): string | undefined {
  const given = headers['idempotency-key']
  if (given === undefined) return undefined
  const key = (Array.isArray(given) ? given.join() : given).trim()
  if (!KEY.test(key)) {
    throw refuse(
      400, 'Invalid', 'Idempotency-Key: takes 1 to 255 printable characters without spaces',
      { field: 'Idempotency-Key' },
    )
  }
  return key
}
