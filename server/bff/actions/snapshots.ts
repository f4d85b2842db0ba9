/** The first snapshot of a collection by HTTP, so that a page has its data before it is connected. */
import { promisify } from 'node:util'
import { inflate } from 'node:zlib'
import { message } from '@/lib/messages/message'
import { snapshotPath } from '@/lib/view/live'
import { snapshotSchema } from '@/lib/view/schemas/snapshot'
import { type Answered, type Deflated, endpoint, type Streamed } from '../http/endpoint'
import { refuse } from '../http/refusal'
import { bodyOf, type Frame } from '../live/frames'
import { type ApiDeps, scopeIn } from './api-deps'

const NOTHING: Answered<undefined> = { body: undefined }

/**
 * Answers with what a new subscription would send first, made once for all readers with the same rights. Where more than
 * rows has to be told (a refusal, kinds that are not read, an outdated cache), the answer is empty: the stream tells it.
 */
export function snapshotEndpoint({ cache, hub }: ApiDeps) {
  return endpoint({
    method: 'GET',
    path: snapshotPath('{topic}'),
    kind: 'query',
    tag: 'api.tag.controlPlane',
    summary: 'api.endpoint.snapshot',
    description: 'api.endpoint.snapshot.description',
    response: snapshotSchema,
    perform: async (call) => {
      const { topic: name = '' } = call.params
      if (!hub.hasCollection(name)) throw refuse(404, 'NotFound', message('api.live.noTopic', { name }))
      const scope = await scopeIn(call)
      const found = hub.find(name, scope)
      if ('refusal' in found || found.unread.length > 0 || !found.topic.isComplete) return NOTHING
      if (!cache.hasSynced() || cache.freshness().state !== 'live') return NOTHING
      return inCodingOf(call.request.headers['accept-encoding'], await found.topic.latest())
    },
  })
}

/** Browsers take the compressed frame as it is. */
async function inCodingOf(accepted: string | string[] | undefined, frame: Frame): Promise<Deflated | Streamed> {
  const body = bodyOf(frame)
  if ('text' in body) return { chunks: once(body.text) }
  if (/\bdeflate\b/.test(String(accepted))) return body
  return { chunks: once((await promisify<Buffer, Buffer>(inflate)(body.deflated)).toString()) }
}

async function* once(text: string): AsyncGenerator<string> {
  yield text
}
