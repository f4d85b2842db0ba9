/** Reads and validates request bodies. */
import type { IncomingMessage } from 'node:http'
import type { z } from 'zod'
import { refuse } from './refusal'

/** Larger bodies are refused. */
const MOST_BYTES = 1024 * 1024

/** The validated JSON body of a request. Throws a Refusal that names the first field that is wrong. */
export async function readBody<T>(request: IncomingMessage, schema: z.ZodType<T>): Promise<T> {
  const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/json') throw refuse(415, 'UnsupportedMediaType', 'Send the body as application/json.')
  return validate(parse(await readText(request)), schema)
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > MOST_BYTES) {
      throw refuse(413, 'RequestEntityTooLarge', 'The body is larger than 1 MB. Choose fewer workloads.')
    }
    chunks.push(chunk)
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

function validate<T>(value: unknown, schema: z.ZodType<T>): T {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const [issue] = result.error.issues
  const field = fieldPath(issue?.path ?? [])
  throw refuse(400, 'Invalid', `${field ?? 'The body'}: ${issue?.message ?? 'is not valid'}`, { field })
}

/** `targets[0].kind`; undefined for the body as a whole. */
function fieldPath(path: readonly PropertyKey[]): string | undefined {
  const parts = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
  return parts.length === 0 ? undefined : parts.join('').replace(/^\./, '')
}
