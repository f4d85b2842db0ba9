/** An answer as the bytes that are sent: in the form that the client prefers, long lists in slices. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Answer, Call, Chunk, Reply } from './call'
import { isStream } from './call'
import { PROTOBUF } from './body'
import { encodeObject } from './protobuf/encode'
import { refusal } from './refusal'
import { preferredType, YAML } from './views/accept'
import { toYaml } from './yaml/yaml'

/** How much of a list is encoded before other requests run: some tenths of a millisecond. */
const SLICE = 128 * 1024

/** The same handler with encoded answers: encoding is part of the request. */
export function rendering(handle: (call: Call) => Promise<Answer>): (call: Call) => Promise<Answer> {
  return async (call) => {
    const answer = await handle(call)
    return isStream(answer) ? answer : render(call, answer)
  }
}

type Rendered = Reply & { bytes: readonly Chunk[] }

function isRendered(reply: Reply): reply is Rendered {
  return reply.bytes !== undefined
}

/** Never rejects: what cannot be rendered is a refusal. */
export async function render(call: Call, reply: Reply): Promise<Rendered> {
  if (isRendered(reply)) return reply
  const { type, text, value } = reply
  const preferred = type === undefined ? preferredType(call.headers.accept) : type
  const protobuf = type === undefined && preferred === PROTOBUF ? asProtobuf(reply) : undefined
  if (protobuf) return { ...reply, type: PROTOBUF, bytes: [protobuf] }
  const encoded =
    text === undefined ? [JSON.stringify(value)] : typeof text === 'string' ? [text] : await encodedSlices(text)
  if (type !== undefined || preferred !== YAML) return { ...reply, type: type ?? 'application/json', bytes: encoded }
  try {
    return { ...reply, type: YAML, bytes: [await toYaml(encoded.join(''))] }
  } catch (error) {
    const refused = refusal(error)
    return { ...refused, type: 'application/json', bytes: [JSON.stringify(refused.value)] }
  }
}

async function encodedSlices(pieces: Iterable<string>): Promise<Buffer[]> {
  const slices: Buffer[] = []
  let slice = ''
  for (const piece of pieces) {
    slice += piece
    if (slice.length < SLICE) continue
    slices.push(Buffer.from(slice))
    slice = ''
    await nextTurn()
  }
  return [...slices, Buffer.from(slice)]
}

/** Undefined without a protobuf form; it is sent as JSON, which every protobuf client accepts. */
function asProtobuf({ object, value }: Reply): Buffer | undefined {
  return encodeObject(object ? object() : value)
}
