import { createHash } from 'node:crypto'
import type { Call, Reply } from './call'

/** The answer with a tag of its text; without the text (304) for a client that has it already. */
export function tagged(call: Call, reply: Reply & { text: string }): Reply {
  const tag = `"${digestOf(reply.text)}"`
  const headers = { ...reply.headers, Etag: tag }
  const known = (call.headers['if-none-match'] ?? '').split(',').map((part) => part.trim())
  return known.includes(tag) ? { ...reply, status: 304, headers, text: '' } : { ...reply, headers }
}

const digests = new Map<string, string>()
const REMEMBERED = 100

/** The digest of a document for ETags and URLs, cached because large documents are requested often. */
export function digestOf(text: string): string {
  const known = digests.get(text)
  if (known !== undefined) return known
  if (digests.size >= REMEMBERED) digests.clear()
  const digest = createHash('sha512').update(text).digest('hex').toUpperCase()
  digests.set(text, digest)
  return digest
}
